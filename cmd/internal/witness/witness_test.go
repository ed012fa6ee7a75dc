package witness

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament/transparency"
)

// server is an event's log, whose operator can change everything.
type server struct {
	t        *testing.T
	key      note.Signer
	vkey     string
	origin   string
	leaves   []transparency.Leaf
	cosigned []string
	broken   bool
	onCosign func()
	http     *httptest.Server
}

func newServer(t *testing.T) *server {
	t.Helper()
	skey, vkey, err := note.GenerateKey(rand.Reader, "meldhall/test")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, vkey: vkey, origin: "meldhall/test/3/A", onCosign: func() {}}
	if s.key, err = note.NewSigner(skey); err != nil {
		t.Fatal(err)
	}
	s.http = httptest.NewServer(s)
	t.Cleanup(s.http.Close)
	return s
}

func leafOf(n int, hash string) transparency.Leaf {
	return transparency.Leaf{Kind: transparency.KindRecord, Of: int64(n), Hash: strings.Repeat(hash, 64)}
}

func (s *server) grow(n int) {
	for range n {
		s.leaves = append(s.leaves, leafOf(len(s.leaves)+1, "a"))
	}
}

func (s *server) tree() transparency.Tree { return transparency.Tree{}.Append(s.leaves...) }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, _ := strings.CutPrefix(r.URL.Path, "/events/3/log/")
	switch {
	case path == "key":
		fmt.Fprintln(w, s.vkey)
	case path == "checkpoint":
		now := transparency.Checkpoint{Origin: s.origin, Tree: s.tree().Head()}
		text, err := transparency.SignCheckpoint(now, s.key)
		if err != nil {
			s.t.Error(err)
		}
		fmt.Fprint(w, text)
	case path == "cosignature" && !s.broken:
		s.onCosign()
		text, _ := io.ReadAll(r.Body)
		s.cosigned = append(s.cosigned, string(text))
	case strings.HasPrefix(path, "tile/"):
		at, err := transparency.ParseTile(strings.TrimPrefix(path, "tile/"))
		if err != nil || at.Until > int64(len(s.leaves)) {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(transparency.Bundle(s.leaves[at.From:at.Until]))
	default:
		http.Error(w, "no", http.StatusServiceUnavailable)
	}
}

// witness starts a witness with the state in a folder, as a new process does.
func (s *server) witness(folder string) *Witness {
	s.t.Helper()
	key, err := LoadKey(filepath.Join(folder, "key"), "")
	if err != nil {
		s.t.Fatal(err)
	}
	w := &Witness{URL: s.http.URL + "/events/3", File: filepath.Join(folder, "state"), Key: key,
		Now: func() time.Time { return time.Unix(1777, 0) }, Out: io.Discard}
	if err := w.Open(); err != nil {
		s.t.Fatal(err)
	}
	return w
}

// looks checks that a new witness process cosigns n more checkpoints.
func (s *server) looks(folder string, want int) {
	s.t.Helper()
	before := len(s.cosigned)
	if err := s.witness(folder).Look(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if got := len(s.cosigned) - before; got != want {
		s.t.Errorf("%d cosignatures, want %d", got, want)
	}
}

// TestWitness follows a log over several tiles. The state is on the disk before the cosignature is sent.
func TestWitness(t *testing.T) {
	s, folder := newServer(t), t.TempDir()
	s.onCosign = func() {
		text, err := os.ReadFile(filepath.Join(folder, "state"))
		if err != nil || strings.Count(string(text), `"record `) != len(s.leaves) {
			t.Errorf("the state is not stored before sending: %v", err)
		}
	}
	for _, n := range []int{3, 250, 3, 1, 600} {
		s.grow(n)
		s.looks(folder, 1)
	}
	last := s.cosigned[len(s.cosigned)-1]
	lines := strings.SplitN(last, "\n", 3)
	key, err := transparency.ParseWitness(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	c := transparency.Checkpoint{Origin: s.origin, Tree: s.tree().Head()}
	if at, err := c.CheckCosignature(lines[2], key); err != nil || at != 1777 || lines[1] != "857" {
		t.Errorf("%d %v %q", at, err, lines[1])
	}
	s.grow(1)
	s.broken = true
	if err := s.witness(folder).Look(t.Context()); err == nil {
		t.Error("a server that refuses the cosignature is no error")
	}
	s.broken = false
	s.looks(folder, 1) // killed before it could send
	if _, err := os.ReadFile(filepath.Join(folder, "state")); err != nil {
		t.Error(err)
	}
}

// TestWitnessFindsForks lets the operator change history in every way and sign it again.
func TestWitnessFindsForks(t *testing.T) {
	for name, c := range map[string]struct {
		fork func(s *server)
		want string
	}{
		"a leaf is rewritten": {func(s *server) { s.leaves[7] = leafOf(8, "b"); s.grow(2) },
			`leaf 7 was "record 8 aaaa`},
		"a leaf is rewritten in place": {func(s *server) { s.leaves[7] = leafOf(8, "b") }, `leaf 7 was`},
		"a leaf is removed": {func(s *server) { s.leaves = append(s.leaves[:5], s.leaves[6:]...) },
			`leaf 5 was`},
		"a leaf is inserted": {func(s *server) { s.leaves = append([]transparency.Leaf{leafOf(77, "c")}, s.leaves...) },
			`leaf 0 was`},
		"another log without a reference": {func(s *server) { s.origin = "meldhall/test/3/B" },
			"does not continue the earlier log"},
		"another log with a false reference": {func(s *server) {
			s.origin = "meldhall/test/3/B"
			s.leaves = []transparency.Leaf{{Kind: transparency.KindLog, Of: 5, Hash: strings.Repeat("0", 64)}}
		}, "does not continue the earlier log"},
	} {
		t.Run(name, func(t *testing.T) {
			s, folder := newServer(t), t.TempDir()
			s.grow(10)
			s.looks(folder, 1)
			c.fork(s)
			for range 2 { // it never gives in
				err := s.witness(folder).Look(t.Context())
				var fork *ForkError
				if !errors.As(err, &fork) || !strings.Contains(err.Error(), c.want) || len(s.cosigned) != 1 {
					t.Fatalf("%v, want %s", err, c.want)
				}
				kept, err := os.ReadFile(fork.Evidence)
				if err != nil || !strings.Contains(string(kept), s.origin) || strings.Count(fork.Error(), "\n— ") != 2 {
					t.Errorf("%v: %s", err, kept)
				}
			}
		})
	}
}

// TestWitnessAfterARestore checks that a log that refers to what the witness knows is followed, with a warning.
func TestWitnessAfterARestore(t *testing.T) {
	s, folder := newServer(t), t.TempDir()
	s.grow(10)
	s.looks(folder, 1)
	root, err := s.tree().Root(6)
	if err != nil {
		t.Fatal(err)
	}
	s.origin = "meldhall/test/3/B"
	s.leaves = append([]transparency.Leaf{{Kind: transparency.KindLog, Of: 6, Hash: hex.EncodeToString(root[:])}},
		s.leaves[:6]...)
	var out strings.Builder
	w := s.witness(folder)
	w.Out = &out
	if err := w.Look(t.Context()); err != nil || !strings.Contains(out.String(), "6 of 10 leaves") {
		t.Errorf("%v: %s", err, &out)
	}
	s.grow(2)
	s.looks(folder, 1)
}

// TestWitnessTrust checks that another key of the server is not accepted.
func TestWitnessTrust(t *testing.T) {
	s, other, folder := newServer(t), newServer(t), t.TempDir()
	s.grow(3)
	s.looks(folder, 1)
	s.key, s.vkey = other.key, other.vkey
	if err := s.witness(folder).Look(t.Context()); err == nil {
		t.Error("another key is accepted")
	}
	w := s.witness(folder)
	if w.Trust = other.vkey; w.Open() == nil {
		t.Error("a key that contradicts the pinned one is accepted")
	}
}
