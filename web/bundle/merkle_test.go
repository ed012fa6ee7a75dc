package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMerkle checks the page's SHA-256 and its consistency proofs with the test vectors of data/record/log.md.
func TestMerkle(t *testing.T) {
	s := loadScripts(t)
	for _, n := range []int{0, 1, 55, 56, 63, 64, 65, 119, 120, 500} {
		text := strings.Repeat("a", n)
		if got, want := call[string](s, "sum", text), fmt.Sprintf("%x", sha256.Sum256([]byte(text))); got != want {
			t.Errorf("%d letters: got %s, want %s", n, got, want)
		}
	}
	text, err := os.ReadFile("../../data/record/vectors/log.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Roots []struct {
			Size int
			Root string
		}
		Consistency []struct {
			From, To     int
			Proof, Fault string
		}
	}
	if err := json.Unmarshal(text, &v); err != nil || len(v.Consistency) < 20 {
		t.Fatal(err, len(v.Consistency))
	}
	roots := map[int]string{}
	for _, r := range v.Roots {
		roots[r.Size] = r.Root
	}
	for i, c := range v.Consistency {
		got := call[bool](s, "grows", c.From, roots[c.From], c.To, roots[c.To], strings.Fields(c.Proof))
		if got != (c.Fault == "") {
			t.Errorf("consistency %d (%s): %v", i, c.Fault, got)
		}
	}
}
