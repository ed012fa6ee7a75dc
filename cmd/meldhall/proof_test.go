package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament/archive"
	"meldhall/tournament/transparency"
)

// onPaper returns the proof of a player's row in the standings, and the policy of a reader.
func onPaper(t *testing.T) (text string, p archive.Policy) {
	t.Helper()
	secret, vkey, err := note.GenerateKey(rand.Reader, "meldhall/TEST")
	if err != nil {
		t.Fatal(err)
	}
	key, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"1 7 1 3 2 118", "2 5 1 3 2 76.5", "3 4 1 3 1 -0.5"}
	tree := transparency.RowsTree(rows)
	path, err := tree.Inclusion(1, tree.Size())
	if err != nil {
		t.Fatal(err)
	}
	said := []byte("standings 1 3\nrow 1 3 " + rows[1] + "\n")
	for _, h := range path {
		said = append(said, h[:]...)
	}
	s, err := transparency.ParseStatement(said)
	if err != nil {
		t.Fatal(err)
	}
	log := transparency.Tree{}.Append(s.Leaf, s.Leaf, s.Leaf)
	c := transparency.Checkpoint{Origin: "meldhall/TEST/3/X", Tree: log.Head()}
	signed, err := transparency.SignCheckpoint(c, key)
	if err != nil {
		t.Fatal(err)
	}
	w, err := transparency.NewWitnessKey("club", []byte(strings.Repeat("w", 32)))
	if err != nil {
		t.Fatal(err)
	}
	in, err := log.Inclusion(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	proof := transparency.Proof{Extra: said, Index: 2, Path: in, Checkpoint: signed + w.Cosign(c, 1777)}
	return proof.String(), archive.Policy{Logs: []string{vkey}, Witnesses: []string{w.Witness.String()}, Need: 1}
}

// TestVerifyReadsAProof checks that a code on paper is verified offline, and that changes are found.
func TestVerifyReadsAProof(t *testing.T) {
	text, policy := onPaper(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	policyFile := func(p archive.Policy) string {
		t.Helper()
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return write("policy.json", string(data))
	}
	none, other := policy, policy
	none.Logs, other.Need = []string{}, 2
	other.Witnesses = append(other.Witnesses, other.Witnesses[0])
	head, rest, _ := strings.Cut(text, "extra ")
	said, rest, _ := strings.Cut(rest, "\n")
	row, err := base64.StdEncoding.DecodeString(said)
	if err != nil {
		t.Fatal(err)
	}
	row = bytes.Replace(row, []byte("2 5 1 3 2 76.5"), []byte("1 5 1 3 2 76.5"), 1)
	better := head + "extra " + base64.StdEncoding.EncodeToString(row) + "\n" + rest
	for what, c := range map[string]struct {
		text   string
		policy archive.Policy
		want   string
	}{
		"as printed":        {text, policy, "player 5: place 2, stage 1, 3 games, 2 wins, total 76.5\n"},
		"as scanned":        {strings.ReplaceAll(text, "\n", "\r\n") + "\r\n", policy, "trusted witnesses: club\n"},
		"no server":         {text, none, "the policy names no server"},
		"too few witnesses": {text, other, "1 trusted witnesses"},
		"another position":  {strings.Replace(text, "index 2", "index 1", 1), policy, "the log does not have"},
		"another row":       {better, policy, "the log does not have"},
		"no witness":        {text[:strings.LastIndex(text, "— club")], policy, "0 trusted witnesses"},
	} {
		var out bytes.Buffer
		err := verifyGiven(t.Context(), &out, write("proof.txt", c.text), trusting{policy: policyFile(c.policy)})
		if (err == nil) != strings.HasPrefix(out.String(), "proof: ok") || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %v, %s, want %s", what, err, out.String(), c.want)
		}
	}
}
