package webtest

import (
	"strings"
	"testing"
)

// TestBrowserIllegalPlayFoundLater rules the first turn an illegal play after the second one has ended, on a phone, at
// a table with tablets and at one with real tiles. The preview and the list of rulings name both turns.
func TestBrowserIllegalPlayFoundLater(t *testing.T) {
	b := startChromium(t)
	t.Run("tablets", func(t *testing.T) {
		d := newDeskIn(t, roster(8), nil)
		d.b = b
		d.opens()
		d.event.play(1, d.game, 39, "R9 R10 J R12")
		d.rulesTheFirstTurnIllegal(t)
		v := d.public().view(d.game)
		if len(v.Table) != 0 || v.Seats[0].Tiles != 17 || v.Seats[1].Tiles != 14 || v.Turn.Seat != 1 {
			t.Errorf("%d sets, seats %+v, turn %+v", len(v.Table), v.Seats, v.Turn)
		}
	})
	t.Run("real tiles", func(t *testing.T) {
		d := &desk{event: newRealEvent(t, 4, nil), b: b}
		device := d.joinTable(1)
		d.start()
		d.game = d.round.Tables[0].Games[0].ID
		device.post(d.game, "starter", map[string]any{"seat": 0})
		device.post(d.game, "ready", map[string]any{"turn": 0})
		for seat := range 2 {
			device.post(d.game, "end-turn", map[string]any{"turn": seat + 1, "seat": seat, "opened": true})
		}
		d.rulesTheFirstTurnIllegal(t)
		if v := d.public().view(d.game); v.Turn.Seat != 1 || v.Seats[0].Opened || len(v.Book) != 1 ||
			v.Book[0].Tiles != 3 {
			t.Errorf("seats %+v, turn %+v, book %+v", v.Seats, v.Turn, v.Book)
		}
	})
}

// rulesTheFirstTurnIllegal makes the ruling, and checks its preview and the table's list of rulings.
func (d *desk) rulesTheFirstTurnIllegal(t *testing.T) {
	t.Helper()
	p := d.carries(t, d.referee, carried()[0])
	name := func(seat int) string { return d.round.Tables[0].Seats[seat].Player.Name }
	_, before, after := d.rule(p, ".sheet-back li:last-child .act-illegal")
	plain := strings.NewReplacer("\u2068", "", "\u2069", "", "\u2066", "", "\n", " ")
	for _, want := range []string{"Taken back: Turn 1: " + name(0), "Turn 2: " + name(1)} {
		if !strings.Contains(plain.Replace(before), want) {
			t.Errorf("the preview says %q, want %q", before, want)
		}
	}
	if !strings.Contains(plain.Replace(after), name(1)) {
		t.Errorf("it said %q", after)
	}
	p.reload()
	p.wait(isLive)
	p.unfold(".sheet-rulings li")
	p.picture("rulings")
	list := plain.Replace(eval[string](p, `document.querySelector(".sheet-rulings").innerText`))
	for _, want := range []string{"Back to the start of turn 1. Taken back: Turn 1: " + name(0),
		"The referee ruled the play illegal: " + name(0) + " draws 3 tiles."} {
		if !strings.Contains(list, want) {
			t.Errorf("the list of rulings says %q, want %q", list, want)
		}
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
