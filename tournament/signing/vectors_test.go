package signing

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

// TestVectors compares keys, statements and signatures with those of an independent program.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("../../data/record/vectors/signature.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Runs []struct {
			Seed, Key string
			Game      int64
			Seat      int
			Commands  []struct {
				Seen                                                int
				Salt, Chain, History, Content, Statement, Signature string
			}
		}
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all.Runs) == 0 {
		t.Fatalf("%d runs, %v", len(all.Runs), err)
	}
	for _, run := range all.Runs {
		seed, err := hex.DecodeString(run.Seed)
		if err != nil {
			t.Fatal(err)
		}
		device, before := NewDevice([32]byte(seed)), ""
		if device.Key() != run.Key {
			t.Errorf("seed %s: got the key %s, want %s", run.Seed, device.Key(), run.Key)
		}
		for _, c := range run.Commands {
			if got := History(c.Salt, c.Chain); got != c.History {
				t.Errorf("got the history %s, want %s", got, c.History)
			}
			got := device.Sign(before, run.Game, run.Seat, c.Seen, c.History, c.Content)
			want := Signed{run.Key, c.Seen, c.Statement, c.Signature}
			if got != want || !got.Holds() {
				t.Errorf("%s: got %+v, want %+v", c.Content, got, want)
			}
			if read, err := Parse(want.String()); err != nil || read != want {
				t.Errorf("%q is read as %+v, %v", want, read, err)
			}
			forged := got
			forged.Statement = before
			if forged.Holds() {
				t.Errorf("the signature of %s holds for another statement", c.Content)
			}
			before = c.Statement
		}
	}
}
