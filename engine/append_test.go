package engine

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// encodedAsJSON checks an encoded event against encoding/json.
func (g *trial) encodedAsJSON(e Event, data []byte) {
	if want, err := json.Marshal(e); err != nil || !bytes.Equal(data, want) {
		g.Fatalf("law 5: %s is not what encoding/json writes, %s, %v", data, want, err)
	}
}

// readAsJSON checks a decoded event against encoding/json.
func (g *trial) readAsJSON(read Event, data []byte) {
	want := reflect.New(reflect.TypeOf(read))
	if err := json.Unmarshal(data, want.Interface()); err != nil || !reflect.DeepEqual(read, want.Elem().Interface()) {
		g.Fatalf("law 5: %s is read as %+v, %v", data, read, err)
	}
}

// sharedAsJSON checks the shared view against encoding/json.
func (g *trial) sharedAsJSON() {
	v := ViewFor(&g.state, Spectator)
	got, err := AppendShared(nil, &g.state)
	if err != nil {
		g.Fatalf("shared view: %v", err)
	}
	want, err := json.Marshal(struct { // these fields hide the ones of a single viewer
		View
		Now       *struct{} `json:"now,omitempty"`
		Seat      *struct{} `json:"seat,omitempty"`
		Rack      *struct{} `json:"rack,omitempty"`
		Drawn     *struct{} `json:"drawn,omitempty"`
		MayRedeal *struct{} `json:"may_redeal,omitempty"`
		Calls     *struct{} `json:"calls,omitempty"`
		Rulings   *struct{} `json:"rulings,omitempty"`
		Proposals *struct{} `json:"proposals,omitempty"`
	}{View: v})
	if got = append(got, '}'); err != nil || !bytes.Equal(got, want) {
		g.Fatalf("shared view: got %s\nwant %s, %v", got, want, err)
	}
}
