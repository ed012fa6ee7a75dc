package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine"
)

// TestAProposalIsConfirmedForItsOwnReason checks that the sheet of a proposed penalty lists the proposal's own reason
// first and selects it, and that the log stores it with its article. Another reason has its own article.
func TestAProposalIsConfirmedForItsOwnReason(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"penalties": "proposed", "illegal_play": "penalty", "illegal_tiles": 3,
		"turn_seconds": 600})
	e.start()
	game := e.begin(0)
	ref := e.signedIn("referee")
	sheet := fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[0].ID)
	expire := func() {
		turn := e.public().view(game).Turn.Number
		e.leave(game, 0)
		soon(t, func() bool { return e.public().view(game).Turn.Number > turn })
	}
	illegal := func() {
		seat := e.public().view(game).Turn.Seat
		e.play(seat, game, 0, e.at(0, seat).view(game).Rack[0].String())
	}
	for _, w := range []struct {
		name         string
		bring        func()
		words        string
		say          []string
		reason, rule string
	}{
		{"time ran out, nothing laid", expire, "Time ran out, table unchanged", nil, "@idle", "4.5"},
		{"an illegal play", illegal, "Illegal play", nil, "@not_legal", "4.6"},
		{"another reason is chosen", expire, "Time ran out, table unchanged", []string{"canned", "slow"}, "@slow",
			"7.3"},
	} {
		t.Run(w.name, func(t *testing.T) {
			w.bring()
			proposal := find(ref.get(t, sheet).is(http.StatusOK).doc, ".proposal")[0]
			page := ref.get(t, attr(find(proposal, ".act-penalty")[0], "href")).is(http.StatusOK)
			for i, choice := range find(page.doc, "input[name=canned]") {
				if has(choice, "checked") != (i == 0) {
					t.Errorf("the reason %s, at %d, is chosen: %t", attr(choice, "value"), i, has(choice, "checked"))
				}
			}
			page.says(".reason", w.words)
			page.submit("/penalty", w.say...).is(http.StatusOK)
			got := e.lastRuling(game)
			if got.Kind != (engine.PenaltyGiven{}).Kind() || got.Reason != w.reason || got.Rule != w.rule ||
				got.Tiles != 3 {
				t.Errorf("the log holds %+v, want %s by %s", got, w.reason, w.rule)
			}
		})
	}
}
