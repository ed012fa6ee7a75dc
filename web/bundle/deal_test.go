package main

import (
	"encoding/json"
	"os"
	"testing"
)

// TestTabletsComputeDeals compares the tablet's computation of a deal with the test vectors of data/record/deal.md.
func TestTabletsComputeDeals(t *testing.T) {
	data, err := os.ReadFile("../../data/record/vectors/deal.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Tiles  string
		Chains []struct {
			Game   int64
			Seat   int
			Root   string
			Nonces []string
		}
		Deals []struct {
			Name                           string
			Joint                          map[string]any
			Commitment, Pool, Draws, Fault string
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	s := loadScripts(t)
	if got := call[string](s, "standardOrder"); got != all.Tiles || len(all.Deals) == 0 {
		t.Errorf("the standard order is %s", got)
	}
	for _, c := range all.Chains {
		for deal, want := range c.Nonces {
			if got := call[string](s, "nonce", c.Game, c.Seat, c.Root, deal); got != want {
				t.Errorf("game %d, seat %d, deal %d: got %s, want %s", c.Game, c.Seat, deal, got, want)
			}
		}
	}
	for _, v := range all.Deals {
		got := call[struct {
			Commitment, Pool, Draws string
			Follows                 bool
		}](s, "deal", v.Joint)
		if got.Commitment != v.Commitment || got.Follows != (v.Fault == "") ||
			v.Fault == "" && (got.Pool != v.Pool || v.Draws != "" && got.Draws != v.Draws) {
			t.Errorf("%s: got %+v", v.Name, got)
		}
	}
}
