package powercut

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"meldhall/cmd/internal/unsynced"
)

// TestCut checks that after a power failure each unsynced sector holds what one of its writes left or what was there
// before, and that the rest is unchanged.
func TestCut(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(200) {
		path := filepath.Join(t.TempDir(), "hall.db")
		before := bytes.Repeat([]byte{'.'}, 3*sector)
		after := bytes.Clone(before)
		var notes []byte
		write := func(at int, b byte, n int) {
			notes = append(notes, unsynced.Note{At: int64(at), Size: int64(len(after)), New: n,
				Old: bytes.Clone(after[at:min(at+n, len(after))])}.Bytes()...)
			after = append(after, make([]byte, max(at+n-len(after), 0))...)
			copy(after[at:], bytes.Repeat([]byte{b}, n))
		}
		write(sector+10, 'a', sector) // in the second and third sectors
		write(sector, 'b', sector)
		write(3*sector, 'c', sector) // past the end
		notes = append(notes, unsynced.Note{At: 1, New: 7, Old: []byte("half written")}.Bytes()[:30]...)
		if err := os.WriteFile(path, after, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+unsynced.Suffix, notes, 0o600); err != nil {
			t.Fatal(err)
		}
		loss, err := Cut(path, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if loss.File != 3 || loss.Log != 0 {
			t.Errorf("%+v", loss)
		}
		left, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(left[:sector], before[:sector]) || !bytes.Equal(left[2*sector+10:3*sector],
			before[2*sector+10:]) {
			t.Errorf("seed %d: what was not written has changed", seed)
		}
		last := "shorter"
		if len(left) > 3*sector {
			last = string(left[3*sector])
		}
		seen["second "+string(left[sector+20])] = true
		seen["third "+string(left[2*sector])] = true
		seen["fourth "+last] = true
		if again, err := Cut(path, rand.New(rand.NewPCG(seed, 1))); err != nil || again != (Loss{}) {
			t.Errorf("there is something unsynced after a cut: %+v, %v", again, err)
		}
	}
	for _, what := range []string{"second .", "second a", "second b", "third .", "third a", "fourth \x00", "fourth c",
		"fourth shorter"} {
		if !seen[what] {
			t.Errorf("never seen: %q of %v", what, seen)
		}
	}
}
