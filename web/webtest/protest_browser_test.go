package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// gapOfDecisions returns the gap between the keys of a protest in px, in either direction.
const gapOfDecisions = `(() => {
	const [a, b] = [...document.querySelectorAll(".protest-list form [name=outcome]")].map((k) => k.getBoundingClientRect());
	return Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
})()`

// TestProtestWalk lets a player protest on the tablet and the head referee decide on a phone. The player reads the
// decision in their own language.
func TestProtestWalk(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	head := e.staff(rights.RoleHeadReferee)
	e.start()
	game := e.begin(0)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]any{"reason": "late", "key": e.key()}, nil)
	for range 4 {
		turn := e.public().view(game).Turn
		e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	}

	player, referee := b.tab(t, 1280, 800), b.tab(t, 360, 740)
	player.still()
	player.seat(e.http.URL, e.at(0, 1).token)
	player.cookie(e.http.URL, request.LanguageCookie, "it")
	player.open(e.http.URL + "/play/game")
	player.wait(`document.querySelector("#protest summary")`)
	referee.cookie(e.http.URL, "meldhall-staff", head.token)
	referee.open(fmt.Sprintf("%s/referee/%d/protests", e.http.URL, e.id))
	referee.wait(`document.getElementById("link").classList.contains("live") && document.querySelector(".empty")`)

	player.tap("#protest summary")
	player.wait(`document.getElementById("protest-text").checkVisibility()`)
	eval[bool](player,
		`document.getElementById("protest-text").value = "Il mio ultimo gruppo era già sul tavolo.", true`)
	player.picture("1-protest")
	eval[bool](player, `document.querySelector("#protest .btn.primary").scrollIntoView({ block: "center" }), true`)
	player.tap("#protest .btn.primary")
	player.wait(`document.querySelector(".protests .told") && !document.querySelector("#protest") &&
		document.querySelector(".protests").innerText.includes("capo arbitro")`)
	player.picture("2-sent")

	referee.wait(`document.querySelectorAll(".protest-list .open").length === 1`) // without a reload
	o := e.signedIn("organizer")
	for _, page := range []string{fmt.Sprintf("/desk/%d", e.id), fmt.Sprintf("/referee/%d", e.id),
		fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[0].ID)} {
		if leaf := o.get(t, page); !strings.Contains(leaf.text("main"), "protests.") ||
			leaf.count(fmt.Sprintf("a[href=/referee/%d/protests]", e.id)) == 0 {
			t.Errorf("%s says nothing of the protest: %s", page, leaf.text("main"))
		}
	}
	e.referee.refusedWith(t, http.StatusConflict, "err_protest_undecided", http.MethodPost,
		fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1})
	// the effect is shown before the key is pressed
	for outcome, says := range map[string]string{"rejected": "stays as it was counted", "upheld": "order a replay"} {
		said := eval[string](referee, fmt.Sprintf(`((key) => { const said = document.getElementById(key.getAttribute("aria-describedby"));
			return (said.compareDocumentPosition(key) & Node.DOCUMENT_POSITION_FOLLOWING ? "" : "after the key: ") + (key.matches(".primary") ? "gilded: " : "") + said.innerText })(document.querySelector('[name=outcome][value=%s]'))`, outcome))
		if !strings.Contains(said, says) || strings.Contains(said, "the key:") || strings.Contains(said, "gilded") {
			t.Errorf("%s: what it does is told as %q", outcome, said)
		}
	}
	for _, misfit := range eval[[]string](referee, misfits) {
		t.Error(misfit)
	}
	for _, size := range [][2]int64{{1024, 768}, {768, 1024}, {360, 740}} {
		referee.size(size[0], size[1])
		if apart := eval[float64](referee, gapOfDecisions); apart < 61 { // 16 mm of 3.78 px
			t.Errorf("%d px wide: Reject and Uphold are %v px apart", size[0], apart)
		}
	}
	eval[bool](referee,
		`((area) => { area.maxLength = 600; area.value = "It lay there. ".repeat(40) })(document.querySelector(".protest-list textarea")), true`)
	referee.tap(`.protest-list button[value="rejected"]`) // rejected as too long
	referee.wait(`document.querySelector(".flash.bad") && document.getElementById("link").classList.contains("live")`)
	var second api.ProtestView
	e.at(0, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/protest", game),
		result.MakeProtest{Text: "My joker counts less."}, &second)
	referee.wait(`document.querySelectorAll(".protest-list .open").length === 2`) // the typed text stays
	if typed := eval[string](referee,
		`[...document.querySelectorAll(".protest-list textarea")].map((t) => t.value).sort().join("|")`); !strings.HasPrefix(typed, "|It lay there. It lay there.") {
		t.Errorf("the reasons typed are %q", typed)
	}
	head.must(http.MethodPost, fmt.Sprintf("/protests/%d/decide", second.ID),
		map[string]any{"outcome": "rejected", "reason": "It counts as it is."}, nil)
	referee.wait(`document.querySelectorAll(".protest-list .open").length === 1 &&
		document.querySelectorAll(".protest-list textarea").length === 1`)
	eval[bool](referee,
		`document.querySelector(".protest-list textarea").value = "It lay there after time was called.", true`)
	referee.picture("3-list")
	// the page opened at the field
	eval[bool](referee,
		`document.querySelector('.protest-list button[value="rejected"]').scrollIntoView({ block: "center" }), true`)
	referee.tap(`.protest-list button[value="rejected"]`)
	referee.wait(`document.querySelector(".protest-list") && !document.querySelector(".protest-list .open")`)
	referee.picture("4-decided")

	player.wait(`document.querySelector(".protests").innerText.includes("Respinto")`) // shown without a reload
	if text := o.get(t, fmt.Sprintf("/desk/%d", e.id)).text("main"); strings.Contains(text, "protests.") {
		t.Errorf("decided, the desk says %s", text)
	}
	player.picture("5-told")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
}
