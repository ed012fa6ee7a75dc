package engine

import (
	"bytes"
	"encoding/json"
)

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
