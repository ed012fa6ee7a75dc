package shuffle_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"meldhall/engine/shuffle"
	"meldhall/engine/tile"
)

// vector is a test vector of data/record/vectors/deal.json. Without Fault, the order is as in Pool and Draws.
type vector struct {
	Name       string        `json:"name"`
	Joint      shuffle.Joint `json:"joint"`
	Commitment shuffle.Value `json:"commitment"`
	Pool       tile.List     `json:"pool,omitempty"`
	Draws      tile.List     `json:"draws,omitempty"`
	Salt       string        `json:"salt,omitempty"`
	Fault      string        `json:"fault,omitempty"`
}

type chain struct {
	Game   int64           `json:"game"`
	Seat   int             `json:"seat"`
	Root   shuffle.Value   `json:"root"`
	Nonces []shuffle.Value `json:"nonces"` // from the hash, number 0, to the root
}

type vectors struct {
	Tiles  tile.List `json:"tiles"`
	Chains []chain   `json:"chains"`
	Deals  []vector  `json:"deals"`
}

const vectorsFile = "../../data/record/vectors/deal.json"

// TestVectors compares the package with the published test vectors. Another program, which was written from the
// specification alone, computed the same values (data/record/deal.md).
func TestVectors(t *testing.T) {
	data, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var all vectors
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all.Tiles, tile.All()) || len(all.Chains) < 4 || len(all.Deals) < 20 {
		t.Fatalf("%d tiles, %d chains, %d deals", len(all.Tiles), len(all.Chains), len(all.Deals))
	}
	for i, c := range all.Chains {
		for deal, want := range c.Nonces {
			if got := shuffle.Nonce(c.Game, c.Seat, c.Root, deal); got != want {
				t.Errorf("chain %d, deal %d: got %x, want %x", i, deal, got, want)
			}
			if !shuffle.Follows(c.Game, c.Seat, want, deal, c.Nonces[0], 0) ||
				shuffle.Follows(c.Game, c.Seat+1, want, deal, c.Nonces[0], 0) != (deal == 0) {
				t.Errorf("chain %d, deal %d: it must follow for its own seat only", i, deal)
			}
		}
	}
	for _, v := range all.Deals {
		t.Run(v.Name, func(t *testing.T) {
			if got := shuffle.Commitment(v.Joint.Game, v.Joint.Secret); got != v.Commitment {
				t.Errorf("commitment %x", got)
			}
			if err := v.Joint.Check(); (err == nil) != (v.Fault == "") {
				t.Errorf("got %v, want %q", err, v.Fault)
			}
			if v.Fault == "" && (!slices.Equal(v.Joint.Pool(), v.Pool) || v.Joint.Salt() != v.Salt ||
				v.Draws != nil && !slices.Equal(v.Joint.Draws(), v.Draws)) {
				t.Error("another order")
			}
		})
	}
}

// TestEveryValueCounts checks that each value changes the order, so that one random party is enough.
func TestEveryValueCounts(t *testing.T) {
	joint := func(change int) shuffle.Joint {
		j := shuffle.Joint{Game: 7, Deal: 1, Secret: shuffle.Value{1}}
		for seat := range 4 {
			root := shuffle.Value{byte(seat), 9}
			if change == seat {
				root[31]++
			}
			hash, nonce := shuffle.Nonce(7, seat, root, 0), shuffle.Nonce(7, seat, root, 1)
			j.Shares = append(j.Shares, shuffle.Share{Hash: &hash, Nonce: &nonce})
		}
		if change == 4 {
			j.Secret[0]++
		}
		return j
	}
	seen := []tile.List{joint(-1).Pool()}
	for change := range 5 {
		j := joint(change)
		if err := j.Check(); err != nil {
			t.Fatal(err)
		}
		pool := j.Pool()
		for _, other := range seen {
			if slices.Equal(pool, other) {
				t.Errorf("change %d gives an order that another value gave", change)
			}
		}
		seen = append(seen, pool)
	}
}

// TestOrdersAreUniform checks that each tile comes first about equally often: chi-square with 105 degrees of freedom,
// far above its 99.9999 % point.
func TestOrdersAreUniform(t *testing.T) {
	const deals = 21_200
	var first [tile.Count]int
	for n := range int64(deals) {
		first[shuffle.Joint{Game: n, Deal: 1, Shares: make([]shuffle.Share, 4)}.Pool()[0]]++
	}
	chi, want := 0.0, float64(deals)/tile.Count
	for _, n := range first {
		chi += (float64(n) - want) * (float64(n) - want) / want
	}
	if chi > 190 {
		t.Errorf("chi-square %.0f for %v", chi, first)
	}
}

func TestValueText(t *testing.T) {
	var v shuffle.Value
	for _, text := range []string{"", "00", "zz", "A" + v.String()[1:], v.String() + "00"} {
		if v.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
