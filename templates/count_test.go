package templates

import (
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
)

func TestARackAddsUp(t *testing.T) {
	faces, err := tile.ParseFaces("R3 K13 J")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rack   []tile.Face
		charge engine.Charge
		want   string
	}{
		{faces, engine.Charge{Points: 46}, "3 + 13 + 30 = 46"},
		{faces[:1], engine.Charge{Points: 3}, ""}, // a single tile needs no sum
		{nil, engine.Charge{}, ""},
		{faces, engine.Charge{Points: 200, Reason: engine.ReasonNoMeldAble}, ""},
		{faces, engine.Charge{Points: 40}, ""}, // an official ruled another charge
	} {
		g := Game{View: engine.View{Jokers: engine.JokersView{Points: 30}, Result: &engine.ResultView{
			Racks: []tile.FaceList{c.rack}, Charges: []engine.Charge{c.charge}, Points: make([]engine.Twelfth, 1),
			Wins: make([]engine.Twelfth, 1)}}}
		if got := g.addsUp(0); got != c.want {
			t.Errorf("%v charged %+v: %q, want %q", c.rack, c.charge, got, c.want)
		}
	}
}
