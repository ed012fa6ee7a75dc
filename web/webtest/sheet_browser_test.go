package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// wholeSheet lists the elements of a sheet that are not visible, too small, or covered.
const wholeSheet = `(() => {
	const wrong = [], root = document.documentElement;
	if (root.scrollHeight > innerHeight) wrong.push("the page is " + root.scrollHeight + " px high");
	if (root.scrollWidth > innerWidth) wrong.push("the page is " + root.scrollWidth + " px wide");
	for (const el of document.querySelectorAll("header :is(a:not(.event), summary, button), main :is(a.act, button.act, .btn, .name):not(.event)")) {
		const b = el.getBoundingClientRect(), said = el.textContent.trim() + ": ";
		if (!el.checkVisibility() || el.closest("dialog, [popover], .sheet-table, .vh, .menu-body")) continue;
		if (b.top < 0 || b.bottom > innerHeight || b.left < 0 || b.right > innerWidth) wrong.push(said + "out of sight, " + b.top + " to " + b.bottom);
		const top = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
		if (!el.contains(top) && !top?.contains(el)) wrong.push(said + "under " + top?.className);
		if (!el.matches(".name") && (b.height < 44 || b.width < 44)) wrong.push(said + b.width + " x " + b.height);
		if (el.scrollWidth > el.clientWidth + 1 && el.clientWidth) wrong.push(said + "cut");
	}
	return wrong;
})()`

// TestSheetIsWhole checks that on a tablet in both orientations the sheet of a table of four with long names fits
// without scrolling, with every key visible and large enough. It checks a game with a call and a protest at another
// table, before the game, after it with a protest, and without any of these.
func TestSheetIsWhole(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	head := s.staff(rights.RoleHeadReferee)
	look := func(state string) {
		for _, size := range [][2]int64{{1024, 768}, {768, 1024}} {
			for k, language := range []string{"en", "it", "he"} {
				p := b.tab(t, size[0], size[1])
				p.still()
				p.cookie(s.http.URL, "meldhall-staff", head.token)
				p.cookie(s.http.URL, request.LanguageCookie, language)
				for i, table := range s.round.Tables {
					if !inTurn(i+1, k, 3) {
						continue
					}
					t.Run(fmt.Sprintf("%s, table %d, %d wide, %s", state, table.Number, size[0], language),
						func(t *testing.T) {
							within(t, &p.t)
							p.open(fmt.Sprintf("%s/referee/%d/tables/%d", s.http.URL, s.id, table.ID))
							p.wait(isLive + ` && document.querySelector(".sheet-acts")`)
							noSound(p)
							p.picture("whole")
							for _, wrong := range eval[[]string](p, wholeSheet) {
								t.Error(wrong)
							}
							if i == 2 && strings.HasPrefix(state, "protest") && language == "en" {
								p.wait(`document.querySelector("main .flash").innerText.includes("My last tile lay on the table")`)
							}
						})
				}
			}
		}
	}
	look("protest and call")
	s.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/answer", s.games[0]),
		map[string]any{"seat": 2, "key": s.key()}, nil)
	var protests []api.ProtestView
	head.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/protests", s.id), nil, &protests)
	head.must(http.MethodPost, fmt.Sprintf("/protests/%d/decide", protests[0].ID),
		map[string]any{"outcome": "rejected", "reason": "It was too late."}, nil)
	look("quiet")
}
