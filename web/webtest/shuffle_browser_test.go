package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestBrowserTabletsShuffle checks that the tablets take part in the shuffle while they wait, without a touch, that the
// game starts without waiting for them, and that each of them checks the deal afterwards. One of four has gone.
func TestBrowserTabletsShuffle(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.games.Deal = nil
	game := e.round.Tables[0].Games[0].ID
	var tablets []*tab
	for seat := range 3 {
		p := b.tab(t, 800, 1280)
		p.seat(e.http.URL, e.at(0, seat).token)
		p.open(e.http.URL + "/play")
		p.wait(`JSON.parse(localStorage.shares || "[]").some((s) => s.taken)`)
		tablets = append(tablets, p)
	}
	e.start()
	for seat, p := range tablets {
		p.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14`)
		e.referee.post(game, "forfeit", map[string]any{"seat": seat, "reason": "x"})
	}
	for _, p := range tablets {
		p.wait(`document.getElementById("fair")?.textContent.startsWith("Checked:")`)
		p.picture("checked")
		if complaints := p.complaints(); len(complaints) > 0 {
			t.Error(complaints)
		}
	}
	joint := e.public().view(game).Result.Joint
	for seat, share := range joint.Shares {
		if took := share.Nonce != nil; took != (seat < 3) {
			t.Errorf("seat %d: %+v", seat, share)
		}
	}
	// a server that deals other tiles than those of the shuffle
	p := tablets[1]
	eval[any](p, `(() => {
		const fair = document.getElementById("fair"), j = JSON.parse(fair.dataset.joint);
		j.shares[1] = { hash: j.shares[1].hash };
		Object.assign(fair.dataset, { joint: JSON.stringify(j), checked: "" });
		document.dispatchEvent(new Event("htmx:after:swap"));
	})()`)
	p.wait(`document.getElementById("fair").classList.contains("bad")`)
}

// TestSharesOfOthers checks that a player cannot send the part of another seat or table.
func TestSharesOfOthers(t *testing.T) {
	e := newEvent(t, 8, nil)
	e.games.Deal = nil
	own, other := e.round.Tables[0].Games[0].ID, e.round.Tables[1].Games[0].ID
	send := func(r *reader, game int64, body string, status int) {
		t.Helper()
		r.send(t, http.MethodPost, fmt.Sprintf("/play/game/%d/share", game), strings.NewReader(body),
			"application/json").is(status)
	}
	me, hash := e.readerAt(0, 0), fmt.Sprintf(`{"hash":"%064d"}`, 7)
	send(me, own, hash, http.StatusOK)
	send(me, other, hash, http.StatusForbidden)
	send(me, own, `{"hash":"7"}`, http.StatusBadRequest)
	send(me, own, `{}`, http.StatusUnprocessableEntity)
	if got := e.reader().send(t, http.MethodPost, fmt.Sprintf("/play/game/%d/share", own), strings.NewReader(hash),
		"application/json").path; !strings.HasPrefix(got, "/sign-in") {
		t.Errorf("a stranger gets %s", got)
	}
}
