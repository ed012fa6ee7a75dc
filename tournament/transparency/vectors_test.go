package transparency

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"meldhall/engine"
)

// vectorsFile holds the test vectors of data/record/log.md.
const vectorsFile = "../../data/record/vectors/log.json"

var write = flag.Bool("write", false, "write the test vectors instead of checking them")

// vectors are the test vectors. A vector with a fault must be rejected; the text says why.
type vectors struct {
	Key         string   `json:"key"`
	Origin      string   `json:"origin"`
	Leaves      []string `json:"leaves"`
	LeafHashes  []string `json:"leaf_hashes"`
	Bundle      string   `json:"bundle"` // the first three leaves, in base64
	BadLeaves   []string `json:"bad_leaves"`
	Roots       []root   `json:"roots"`
	Checkpoints []struct {
		Note  string `json:"note"`
		Size  int64  `json:"size"`
		Root  string `json:"root"`
		Fault string `json:"fault,omitempty"`
	} `json:"checkpoints"`
	Inclusion   []inclusion   `json:"inclusion"`
	Consistency []consistency `json:"consistency"`
	Cosigned    []cosignature `json:"cosignatures"`
	Proofs      []proven      `json:"proofs"`
}

type (
	root struct {
		Size int64  `json:"size"`
		Root string `json:"root"`
	}
	inclusion struct {
		Index int64  `json:"index"`
		Size  int64  `json:"size"`
		Path  string `json:"path"` // one hash a line
		Fault string `json:"fault,omitempty"`
	}
	consistency struct {
		From  int64  `json:"from"`
		To    int64  `json:"to"`
		Proof string `json:"proof"` // one hash a line
		Fault string `json:"fault,omitempty"`
	}
	cosignature struct {
		Checkpoint int    `json:"checkpoint"` // its index in checkpoints
		Witness    string `json:"witness"`
		Line       string `json:"line"`
		At         int64  `json:"at"`
		Fault      string `json:"fault,omitempty"`
	}
	proven struct {
		Leaf  string `json:"leaf"`
		Text  string `json:"text"`
		Fault string `json:"fault,omitempty"`
	}
)

func vectorLeaves() (leaves []Leaf) {
	sum := func(n int) string { h := tlog.RecordHash([]byte{byte(n)}); return fmt.Sprintf("%x", h[:]) }
	leaves = []Leaf{{KindLog, 7, 0, sum(0)}, {KindRecord, 1, 0, sum(1)}, {KindDeal, 12, 2, sum(2)},
		{KindRuling, 12, 9, sum(3)}, {KindGame, 12, 104, sum(4)}}
	for i := range 300 {
		leaves = append(leaves, Leaf{KindRecord, int64(i + 2), 0, sum(i % 256)})
	}
	return append(leaves, Leaf{KindShuffle, 12, 1, sum(5)}, Leaf{KindStandings, 1, 2, sum(6)})
}

// badLeaves are texts that are no leaves.
func badLeaves(hash string) []string {
	return []string{"", "record", "record 1", "record  1 " + hash, "record 01 " + hash, "record +1 " + hash,
		"record -1 " + hash, "record 1 " + strings.ToUpper(hash), "record 1 " + hash[2:], "record 1 " + hash + " ",
		"record 1 " + hash + "\n", "record 1 2 " + hash, "deal 1 " + hash, "deal 1 0 " + hash, "Record 1 " + hash,
		"standing 1 " + hash, "standings 1 " + hash, "shuffle 1 0 " + hash, "game 1 2 3 " + hash, "game 99999999999999999999 2 " + hash, "record 0 " + hash,
		"game 0 1 " + hash}
}

// signer returns the private key of a server with a seed.
func signer(t *testing.T, name string, seed byte) (note.Signer, string) {
	t.Helper()
	private := bytes.Repeat([]byte{seed}, 32)
	vkey, err := note.NewEd25519VerifierKey(name, ed25519.NewKeyFromSeed(private).Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	secret := "PRIVATE+KEY+" + name + "+" + strings.Split(vkey, "+")[1] + "+" +
		base64.StdEncoding.EncodeToString(append([]byte{1}, private...))
	if got, err := PublicKey(secret); err != nil || got != vkey {
		t.Fatalf("the public key is %s, want %s, %v", got, vkey, err)
	}
	key, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return key, vkey
}

// makeVectors makes the vectors with this package.
func makeVectors(t *testing.T) (v vectors) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	key, vkey := signer(t, "meldhall/TESTTESTTEST", 1)
	other, _ := signer(t, "meldhall/TESTTESTTEST", 2)
	v.Key, v.Origin = vkey, OriginOf(key.Name(), 3, "LOGLOGLOGLOG")
	leaves := vectorLeaves()
	tree := Tree{}.Append(leaves...)
	for _, l := range leaves {
		v.Leaves, v.LeafHashes = append(v.Leaves, l.String()), append(v.LeafHashes, l.Sum().String())
	}
	v.Bundle = base64.StdEncoding.EncodeToString(Bundle(leaves[:3]))
	v.BadLeaves = badLeaves(leaves[1].Hash)
	sizes := []int64{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 100, 255, 256, 257, 304, 305}
	for _, n := range sizes {
		r, err := tree.Root(n)
		must(err)
		v.Roots = append(v.Roots, root{n, r.String()})
	}
	add := func(text, fault string, n int64, r tlog.Hash) {
		v.Checkpoints = append(v.Checkpoints, struct {
			Note  string `json:"note"`
			Size  int64  `json:"size"`
			Root  string `json:"root"`
			Fault string `json:"fault,omitempty"`
		}{text, n, r.String(), fault})
	}
	sign := func(n int64, by note.Signer, body func(string) string) (string, tlog.Hash) {
		r, err := tree.Root(n)
		must(err)
		text, err := note.Sign(&note.Note{Text: body(Checkpoint{v.Origin, tlog.Tree{N: n, Hash: r}}.Body())}, by)
		must(err)
		return string(text), r
	}
	same := func(body string) string { return body }
	for _, n := range []int64{1, 5, 305} {
		text, r := sign(n, key, same)
		add(text, "", n, r)
	}
	good, r := sign(5, key, same)
	for fault, text := range map[string]string{
		"another size than the signed one": strings.Replace(good, "\n5\n", "\n6\n", 1),
		"no signature":                     good[:strings.Index(good, "—")],
		"no empty line":                    strings.Replace(good, "\n\n", "\n", 1),
	} {
		add(text, fault, 5, r)
	}
	for fault, body := range map[string]func(string) string{
		"a size with a leading zero":        func(b string) string { return strings.Replace(b, "\n5\n", "\n05\n", 1) },
		"a fourth line":                     func(b string) string { return b + "extension\n" },
		"a root of 31 bytes":                func(b string) string { return strings.Replace(b, "=\n", "\n", 1) },
		"an origin that is not the key's":   func(b string) string { return "x" + b },
		"an origin of a longer server name": func(b string) string { return strings.Replace(b, "/3/", "X/3/", 1) },
	} {
		text, r := sign(5, key, body)
		add(text, fault, 5, r)
	}
	text, r := sign(5, other, same)
	add(text, "the signature of another key", 5, r)
	slices.SortStableFunc(v.Checkpoints, func(a, b struct {
		Note  string `json:"note"`
		Size  int64  `json:"size"`
		Root  string `json:"root"`
		Fault string `json:"fault,omitempty"`
	}) int {
		return strings.Compare(a.Fault, b.Fault)
	})
	v.addProofs(t, tree, leaves)
	return v
}

func (v *vectors) addProofs(t *testing.T, tree Tree, leaves []Leaf) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for _, of := range [][2]int64{{0, 1}, {0, 5}, {4, 5}, {3, 8}, {6, 7}, {255, 257}, {256, 257}, {104, 305}, {304, 305}} {
		path, err := tree.Inclusion(of[0], of[1])
		must(err)
		v.Inclusion = append(v.Inclusion, inclusion{of[0], of[1], Hashes(path), ""},
			inclusion{of[0], of[1], Hashes(append(slices.Clip(path), tlog.Hash{})), "a hash too many"})
		if of[0] > 0 {
			v.Inclusion = append(v.Inclusion, inclusion{of[0] - 1, of[1], Hashes(path), "the proof of another leaf"})
		}
	}
	for _, of := range [][2]int64{{1, 2}, {1, 5}, {2, 5}, {4, 5}, {5, 5}, {7, 8}, {8, 16}, {255, 257}, {256, 305},
		{100, 305},
		{304, 305}} {
		proof, err := tree.Consistency(of[0], of[1])
		must(err)
		v.Consistency = append(v.Consistency, consistency{of[0], of[1], Hashes(proof), ""})
		if len(proof) > 0 {
			v.Consistency = append(v.Consistency, consistency{of[0], of[1], Hashes(proof[1:]), "a hash is missing"})
			proof[0][0] ^= 1
			v.Consistency = append(v.Consistency, consistency{of[0], of[1], Hashes(proof), "a hash is changed"})
		}
	}
	key, err := note.NewVerifier(v.Key)
	must(err)
	for i, c := range v.Checkpoints {
		if c.Fault != "" {
			continue
		}
		at, err := OpenCheckpoint(c.Note, key)
		must(err)
		w, err := NewWitnessKey("witness/ONE", bytes.Repeat([]byte{3}, 32))
		must(err)
		liar, err := NewWitnessKey("witness/ONE", bytes.Repeat([]byte{4}, 32))
		must(err)
		line := w.Cosign(at, 1777000000+int64(i))
		v.Cosigned = append(v.Cosigned, cosignature{i, w.Witness.String(), line, 1777000000 + int64(i), ""},
			cosignature{i, liar.Witness.String(), line, 0, "the key of another witness"},
			cosignature{(i + 1) % 3, w.Witness.String(), line, 0, "the signature of another checkpoint"},
			cosignature{i, w.Witness.String(), strings.TrimSuffix(line, "\n"), 0, "no line feed"})
		if c.Size < 5 {
			continue
		}
		for _, index := range []int64{0, 4, c.Size - 1} {
			path, err := tree.Inclusion(index, c.Size)
			must(err)
			text := Proof{Index: index, Path: path, Checkpoint: c.Note + line}.String()
			v.Proofs = append(v.Proofs, proven{leaves[index].String(), text, ""},
				proven{leaves[2].String(), text, "the proof of another leaf"},
				proven{leaves[index].String(), strings.Replace(text, "index ", "index 1", 1), "another index"},
				proven{leaves[index].String(), strings.Replace(text, "@v1", "@v2", 1), "another format"})
		}
	}
}

// TestVectors checks the test vectors with this package. The roots are also computed by the definition of RFC 6962.
func TestVectors(t *testing.T) {
	made := makeVectors(t)
	text, err := json.MarshalIndent(made, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if text = append(text, '\n'); *write {
		if err := os.WriteFile(vectorsFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, text) {
		t.Error("the vectors differ from those that this package makes: run the test with -write")
	}
	var v vectors
	if err := json.Unmarshal(kept, &v); err != nil {
		t.Fatal(err)
	}
	v.check(t)
}

func (v vectors) check(t *testing.T) {
	t.Helper()
	var leaves []Leaf
	for i, text := range v.Leaves {
		l, err := ParseLeaf(text)
		if err != nil || l.Sum().String() != v.LeafHashes[i] {
			t.Errorf("leaf %d: %v", i, err)
		}
		leaves = append(leaves, l)
	}
	for _, text := range v.BadLeaves {
		if _, err := ParseLeaf(text); err == nil {
			t.Errorf("%q is a leaf", text)
		}
	}
	bundle, _ := base64.StdEncoding.DecodeString(v.Bundle)
	if got, err := ParseBundle(bundle); err != nil || !slices.Equal(got, leaves[:3]) {
		t.Errorf("the bundle: %v", err)
	}
	roots := map[int64]tlog.Hash{}
	for n := range int64(len(leaves) + 1) {
		roots[n] = mth(leaves[:n])
	}
	for _, r := range v.Roots {
		if roots[r.Size].String() != r.Root {
			t.Errorf("the root of %d leaves is %s", r.Size, roots[r.Size])
		}
	}
	for i, p := range v.Inclusion {
		path, err := ParseHashes(p.Path)
		if err == nil {
			err = tlog.CheckRecord(path, p.Size, roots[p.Size], p.Index, leaves[p.Index].Sum())
		}
		verdict(t, "inclusion", i, p.Fault, err)
	}
	for i, p := range v.Consistency {
		proof, err := ParseHashes(p.Proof)
		if err == nil {
			err = Checkpoint{"o", tlog.Tree{N: p.To, Hash: roots[p.To]}}.
				Continues(Checkpoint{"o", tlog.Tree{N: p.From, Hash: roots[p.From]}}, proof)
		}
		verdict(t, "consistency", i, p.Fault, err)
	}
	v.checkSigned(t)
}

func (v vectors) checkSigned(t *testing.T) {
	t.Helper()
	key, err := note.NewVerifier(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range v.Checkpoints {
		at, err := OpenCheckpoint(c.Note, key)
		verdict(t, "checkpoint", i, c.Fault, err)
		if err == nil && (at.N != c.Size || at.Hash.String() != c.Root || at.Origin != v.Origin) {
			t.Errorf("checkpoint %d is %+v", i, at)
		}
	}
	for i, c := range v.Cosigned {
		at, err := OpenCheckpoint(v.Checkpoints[c.Checkpoint].Note, key)
		if err != nil {
			t.Fatal(err)
		}
		w, err := ParseWitness(c.Witness)
		if err != nil {
			t.Fatal(err)
		}
		when, err := at.CheckCosignature(c.Line, w)
		verdict(t, "cosignature", i, c.Fault, err)
		if when != c.At {
			t.Errorf("cosignature %d is of %d", i, when)
		}
	}
	for i, p := range v.Proofs {
		l, err := ParseLeaf(p.Leaf)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := ParseProof(p.Text)
		if err == nil {
			_, err = proof.Check(l, key)
		}
		verdict(t, "proof", i, p.Fault, err)
	}
}

func verdict(t *testing.T, what string, i int, fault string, err error) {
	t.Helper()
	if (err == nil) != (fault == "") {
		t.Errorf("%s %d (%s): %v", what, i, fault, err)
	}
}

// mth is the Merkle tree hash as RFC 6962 defines it.
func mth(leaves []Leaf) tlog.Hash {
	switch len(leaves) {
	case 0:
		h, _ := tlog.TreeHash(0, Tree{})
		return h
	case 1:
		return leaves[0].Sum()
	}
	k := 1
	for k*2 < len(leaves) {
		k *= 2
	}
	return tlog.NodeHash(mth(leaves[:k]), mth(leaves[k:]))
}

// TestTiles checks the addresses and contents of tiles.
func TestTiles(t *testing.T) {
	leaves := vectorLeaves()
	tree := Tree{}.Append(leaves...)
	for path, want := range map[string]int{"0/000": 256, "0/001.p/51": 51, "0/000.p/7": 7, "1/000.p/1": 1} {
		at, err := ParseTile(path)
		if err != nil {
			t.Fatal(path, err)
		}
		if data, err := tree.Data(at); err != nil || len(data) != want*tlog.HashSize {
			t.Errorf("%s: %d bytes, %v", path, len(data), err)
		}
	}
	for _, path := range []string{"0/001", "0/001.p/52", "1/000", "1/000.p/2", "2/000.p/1", "7/000"} {
		if at, err := ParseTile(path); err == nil {
			if _, err := tree.Data(at); err == nil {
				t.Errorf("%s is there", path)
			}
		}
	}
	for _, path := range []string{"", "x", "data/000", "0/0", "0/000.p/0", "0/000.p/256", "entries", "-1/000", "0/../000"} {
		if _, err := ParseTile(path); err == nil {
			t.Errorf("%q is a tile", path)
		}
	}
	for n, want := range map[int64]string{0: "entries/000", 1: "entries/001.p/51"} {
		if got := TileAddress(n, int64(len(leaves))); got != want {
			t.Errorf("bundle %d is %s", n, got)
		} else if at, err := ParseTile(got); err != nil || !at.Entries || at.From != n*256 {
			t.Errorf("%s: %+v %v", got, at, err)
		}
	}
}

// TestRulingsOfTheSpecification checks that the specification lists the events in which officials rule.
func TestRulingsOfTheSpecification(t *testing.T) {
	text, err := os.ReadFile("../../data/record/log.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range engine.RulingEvents(func(engine.RulingKind) bool { return true }) {
		if !strings.Contains(string(text), "`"+kind+"`") {
			t.Errorf("data/record/log.md does not list %s", kind)
		}
	}
}
