package exact

import (
	"encoding/json"
	"testing"
)

type listed struct {
	List []int
}

type alone struct {
	Each map[string][]int
}

type own []int

func (own) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

// TestWithLists checks that no list and no map is null at any depth, that omitted fields stay out, and that the value
// itself is unchanged.
func TestWithLists(t *testing.T) {
	type wide struct {
		alone
		A    []listed
		B    *listed
		C    listed
		D    [][]int
		E    map[string]*listed
		F    any
		G    []int  `json:",omitempty"`
		H    []int  `json:"-"`
		Text []byte `json:",omitempty"`
		Own  own
		I    *listed
		J    [1]listed
		low  []int
	}
	pointed, among := &listed{}, []listed{{}, {[]int{1}}}
	given := wide{A: among, B: pointed, D: [][]int{nil}, E: map[string]*listed{"x": pointed}, F: []listed{{}}}
	text, err := json.Marshal(WithLists(given))
	want := `{"Each":{},"A":[{"List":[]},{"List":[1]}],"B":{"List":[]},"C":{"List":[]},"D":[[]],` +
		`"E":{"x":{"List":[]}},"F":[{"List":[]}],"Own":"own","I":null,"J":[{"List":[]}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	if pointed.List != nil || among[0].List != nil || given.Each != nil || given.low != nil {
		t.Errorf("the value has changed: %+v", given)
	}
	for _, row := range []struct {
		v    any
		want string
	}{{nil, "null"}, {[]int(nil), "[]"}, {map[string]int(nil), "{}"}, {(*listed)(nil), "null"},
		{&listed{}, `{"List":[]}`}, {3, "3"}} {
		if text, err := json.Marshal(WithLists(row.v)); err != nil || string(text) != row.want {
			t.Errorf("%#v: %s, %v", row.v, text, err)
		}
	}
	full := &listed{[]int{1}}
	if WithLists(full) != any(full) {
		t.Error("what lacks nothing is copied")
	}
}
