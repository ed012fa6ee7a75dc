package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/export"
	"meldhall/tournament/result"
	"meldhall/web/api"
	"meldhall/web/request"
)

// protocolGame returns a game with rulings, a protest and a correction for its protocol.
func protocolGame(t *testing.T) (e *event, game int64) {
	t.Helper()
	e = newEvent(t, 4, map[string]any{"turn_seconds": 600, "exhausted": "last_lap"})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	game = e.begin(0)
	rule := func(name string, body map[string]any) {
		body["key"] = e.key()
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/%s", game, name), body, nil)
	}
	draw := func() {
		turn := e.public().view(game).Turn
		e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	}
	draw()
	e.at(0, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/call", game), request.CallRequest{Key: e.key()}, nil)
	rule("acknowledge", map[string]any{"seat": 2})
	rule("answer", map[string]any{"seat": 2})
	rule("penalty", map[string]any{"seat": 2, "tiles": 3, "reason": "talked to the audience", "rule": "7.1"})
	rule("pause", map[string]any{"reason": "looking at the table", "rule": "8.11"})
	rule("time", map[string]any{"seconds": 30, "reason": "the call", "rule": "8.2"})
	rule("cancel", map[string]any{"of": e.seqOf(t, game, "penalty_given"), "reason": "mistaken identity"})
	e.resume(e.referee, game)
	rule("call-time", map[string]any{"reason": "late", "rule": "6.3"})
	for e.public().view(game).Phase != engine.PhaseOver {
		draw()
	}
	var p api.ProtestView
	e.at(0, 1).must(http.MethodPost, fmt.Sprintf("/games/%d/protest", game),
		result.MakeProtest{Text: "The lap was too short."}, &p)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/protests/%d/decide", p.ID),
		result.DecideProtest{Outcome: "rejected", Reason: "All had as many turns."}, nil)
	e.at(0, 0).must(http.MethodPost, fmt.Sprintf("/games/%d/agree", game), api.AgreeBody{Rev: 1}, nil)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	return e, game
}

// seqOf returns the sequence number of the first event of a kind in a game's log.
func (e *event) seqOf(t *testing.T, game int64, kind string) int {
	t.Helper()
	exported, err := export.OfGame(t.Context(), e.store, game)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range exported.Events {
		if row.Kind == kind {
			return row.Seq
		}
	}
	t.Fatalf("no %s in the log", kind)
	return 0
}

func TestProtocol(t *testing.T) {
	t.Parallel()
	e, game := protocolGame(t)
	path := fmt.Sprintf("/games/%d/protocol", game)
	var p api.ProtocolView
	e.referee.must(http.MethodGet, path, nil, &p)
	t.Run("every event of the log is told in words", func(t *testing.T) {
		exported, err := export.OfGame(t.Context(), e.store, game)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Course) != len(exported.Events) || p.Seal.Events != len(p.Course) {
			t.Fatalf("%d lines for %d events", len(p.Course), len(exported.Events))
		}
		for i, l := range p.Course {
			if l.Kind != exported.Events[i].Kind || l.Text == "" || l.Text == l.Kind ||
				strings.Contains(l.Text, "{{") || strings.Contains(l.Text, "told.") {
				t.Errorf("event %d, %s: %q", l.Seq, exported.Events[i].Kind, l.Text)
			}
		}
		if p.Seal.LogHash != export.LogHash(exported.Events) || len(p.Seal.LogHash) != 64 {
			t.Errorf("got the hash %s", p.Seal.LogHash)
		}
	})
	t.Run("rulings have who, why and by which article, and tell when they were cancelled", func(t *testing.T) {
		rulings := 0
		for _, l := range p.Course {
			if !l.Ruling {
				continue
			}
			rulings++
			if l.By != "referee" || l.Reason == "" {
				t.Errorf("%+v does not say who and why", l)
			}
			if l.Kind == "penalty_given" && (l.Rule != "7.1" || l.Cancelled == 0 ||
				!strings.Contains(l.Text, "Talked to the audience")) {
				t.Errorf("got %+v", l)
			}
		}
		if rulings != 6 {
			t.Errorf("got %d rulings, want 6", rulings)
		}
	})
	t.Run("pauses, end, count, proofs, signatures, protests, revisions and the seal", func(t *testing.T) {
		if len(p.Pauses) != 1 || p.Pauses[0].Until <= p.Pauses[0].From || p.Pauses[0].Reason != "looking at the table" {
			t.Errorf("pauses: %+v", p.Pauses)
		}
		if p.EndWhy != ruleset.EndedTimeCalled || p.EndText == "" || len(p.Count) != 4 || len(p.Count[0].Rack) == 0 ||
			len(p.Openings) != 4 {
			t.Errorf("end: %q %q %+v %d proofs", p.EndWhy, p.EndText, p.Count, len(p.Openings))
		}
		if len(p.Signed) != 1 || len(p.Protests) != 1 || p.Protests[0].Outcome != "rejected" || len(p.Revisions) != 2 ||
			p.Revisions[1].By != "referee" {
			t.Errorf("after the end: %+v %+v %+v", p.Signed, p.Protests, p.Revisions)
		}
		if !p.Seal.Holds || p.Seal.Salt == "" {
			t.Errorf("seal: %+v", p.Seal)
		}
	})
	t.Run("the page tells it in the reader's language", func(t *testing.T) {
		r := e.signedIn("referee")
		for language, want := range map[string][]string{"en": {"World championship, modified", "Course of the game",
			"Talked to the audience", "Rejected", "7.1"}, "it": {"Svolgimento", "Respinto"},
			"he": {"מהלך המשחק", "נדחה"}} {
			r.post(t, "/look", url.Values{"lang": {language}})
			page := r.get(t, fmt.Sprintf("/referee/%d%s", e.id, path))
			text := page.text("main")
			if page.status != http.StatusOK || len(find(page.doc, ".course")) != 1 {
				t.Fatalf("%s: got %d %s", language, page.status, text)
			}
			for _, one := range want {
				if !strings.Contains(text, one) {
					t.Errorf("%s: %q is not told", language, one)
				}
			}
		}
	})
	t.Run("for the players of the game and officials alone", func(t *testing.T) {
		e.at(0, 0).must(http.MethodGet, path, nil, nil)
		if status, _, _ := e.public().send(http.MethodGet, path, nil); status != http.StatusUnauthorized {
			t.Errorf("the public got %d", status)
		}
	})
}
