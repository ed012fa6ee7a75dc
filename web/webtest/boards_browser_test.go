package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/screen"
)

// boardNames returns n players with names of 30 letters in five scripts.
func boardNames(n int) string {
	stems := []string{"Maximiliane Schwarzenberger-Uhl", "Αλεξάνδρα Παπαδημητρακοπούλου Α",
		"Владислав Преображенский-Орлов", "אברהם ישעיהו בן גוריון לוינסון", "欧阳慕容司马诸葛上官东方独孤令狐宇文长孙皇甫尉迟公孙轩辕夏"}
	var list strings.Builder
	list.WriteString("name,country\n")
	for i := range n {
		letters, number := []rune(stems[i%len(stems)]), []rune(fmt.Sprintf("%03d", i+1))
		fmt.Fprintf(&list, "%s%s,IT\n", string(letters[:30-len(number)]), string(number))
	}
	return list.String()
}

// boardEvent returns a tournament of 200 such players at tables with real tiles. Its first round is running, and the
// given number of tables have a result.
func boardEvent(t *testing.T, results int) *event {
	t.Helper()
	e := newEntered(t, "World Championship", boardNames(200), map[string]any{"turn_seconds": 0})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", e.id),
		tournament.SetTiles{Tiles: tournament.RealTiles}, nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	all := e.round.Tables
	e.round.Tables = all[:results]
	e.joinAll()
	e.round.Tables = all
	e.start()
	for table := range results {
		game := e.round.Tables[table].Games[0].ID
		e.count(table, game)
		e.confirmed(game)
	}
	return e
}

var boardScreens = [][2]int64{{1280, 720}, {1920, 1080}, {3840, 2160}}

// TestBrowserBoardPictures takes pictures of every board: a round with two called tables, announcements, and the
// champion of an ended tournament. With -figures it takes them at every size in both themes, else in one such look.
func TestBrowserBoardPictures(t *testing.T) {
	b := startChromium(t)
	e, over := boardEvent(t, 14), cup(t)
	for _, number := range []int{7, 42} {
		e.referee.must(http.MethodPost, "/actions/board.call", fields{"tournament": e.id, "number": number}, nil)
	}
	for _, place := range []int{3, 2, 1} {
		over.organizer.must(http.MethodPost, "/actions/champion.reveal", fields{"tournament": over.id, "place": place},
			nil)
	}
	p := b.tab(t, 1920, 1080)
	p.still()
	looks := func(e *event, name string, boards ...string) {
		for k, theme := range []string{"dark", "light"} {
			for j, size := range boardScreens {
				p.size(size[0], size[1])
				for i, board := range boards {
					if !inTurn(i, k*len(boardScreens)+j, 2*len(boardScreens)) {
						continue
					}
					p.open(fmt.Sprintf("%s?theme=%s", e.boardAddress(board), theme))
					p.wait(isLive +
						` && document.fonts.status === "loaded" && (document.querySelector(".b.on [data-wall]")?.textContent)`)
					p.frame() // East Asian fonts load only when their text is visible
					p.wait(`document.fonts.status === "loaded"`)
					p.picture(fmt.Sprintf("%s%s-%d-%s", name, board, size[0], theme))
				}
			}
		}
	}
	looks(e, "", screen.Boards...)
	looks(over, "over-", "champion", "standings")
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
		screen.Announce{Level: "urgent", Minutes: 10,
			Texts: map[string]string{"en": "The second round begins at 14:30 in the great hall; please take your tablets with you."}}, nil)
	looks(e, "announced-", "news", "names")
	for _, wrong := range eval[[]string](p, wholeBoard+`.concat((() => {
		const said = document.querySelector(".news-item").getBoundingClientRect(), head = document.querySelector(".b.on .b-head").getBoundingClientRect();
		return said.bottom > head.top ? ["what is announced covers the board by " + (said.bottom - head.top)] : [];
	})())`) {
		t.Error(wrong)
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}
