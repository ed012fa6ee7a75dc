package pagetest

import (
	"testing"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/play"
)

func TestARackAddsUp(t *testing.T) {
	faces, err := tile.ParseFaces("R3 K13 J")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rack   []tile.Face
		charge score.Charge
		want   string
	}{
		{faces, score.Charge{Points: 46}, "3 + 13 + 30 = 46"},
		{faces[:1], score.Charge{Points: 3}, ""}, // a single tile needs no sum
		{nil, score.Charge{}, ""},
		{faces, score.Charge{Points: 200, Reason: score.ReasonNoMeldAble}, ""},
		{faces, score.Charge{Points: 40}, ""}, // an official ruled another charge
	} {
		g := play.Game{View: engine.View{Jokers: engine.JokersView{Points: 30}, Result: &engine.ResultView{
			Racks: []tile.FaceList{c.rack}, Charges: []score.Charge{c.charge}, Points: make([]score.Twelfth, 1),
			Wins: make([]score.Twelfth, 1)}}}
		if got := g.Count(0).AddsUp(); got != c.want {
			t.Errorf("%v charged %+v: %q, want %q", c.rack, c.charge, got, c.want)
		}
	}
}
