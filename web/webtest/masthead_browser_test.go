package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/a-h/templ"

	"meldhall/templates"
	"meldhall/templates/part"
	"meldhall/templates/public"
)

// TestBrowserPublicPagesFit checks the public pages at widths from a small phone to a 3840-pixel screen: none scrolls
// sideways, they use the whole width, letters grow with it, and the checker finds no barriers.
func TestBrowserPublicPagesFit(t *testing.T) {
	e := cup(t)
	e.describe(t)
	e.organizer.must(http.MethodPost, "/actions/photo.add", fields{"tournament": e.id, "picture": pixel,
		"caption": "The final"}, nil)
	e.steps()
	e.cosigned("witness/club")
	at := fmt.Sprintf("%s/events/%d", e.http.URL, e.id)
	player := e.round.Tables[0].Seats[0].Player.ID
	p := startChromium(t).tab(t, 390, 844)
	p.still()
	axe := axeScript(t)
	for name, path := range map[string]string{"home": e.http.URL + "/", "standings": at, "tables": at + "/tables",
		"player": fmt.Sprintf("%s/players/%d", at, player), "players": at + "/players", "proof": at + "/proof"} {
		p.open(path)
		var phone, wide float64
		for _, size := range [][2]int64{{320, 640}, {390, 844}, {1366, 768}, {1920, 1080}, {3840, 2160}} {
			p.size(size[0], size[1])
			if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s: %d pixels too wide at %d", name, over, size[0])
			}
			letters := eval[float64](p, `parseFloat(getComputedStyle(document.body).fontSize)`)
			switch size[0] {
			case 390:
				phone = letters
				for _, violation := range barriers(p, axe) {
					t.Errorf("%s: %s", name, violation)
				}
			case 3840:
				wide = letters
			}
			p.whole(fmt.Sprintf("public-%s-%d", name, size[0]))
		}
		if used := eval[float64](p, `document.querySelector("main").getBoundingClientRect().width`); used < 3800 ||
			wide < 1.4*phone {
			t.Errorf("%s: at 3840 pixels it uses %.0f, with letters of %.1f and not %.1f", name, used, wide, phone)
		}
	}
	if complaints := p.complaints(); len(complaints) > 0 {
		t.Errorf("the pages complained: %s", complaints)
	}
}

// TestBrowserPlayerPageIsShort checks that the page of a player with 16 games in 4 rounds, with long names, takes at
// most two screens of a phone, and that each game's chip can be tapped.
func TestBrowserPlayerPageIsShort(t *testing.T) {
	h := newHall(t)
	v := public.PastPlayerView{Event: 1, PlayersRow: public.PlayersRow{PastName: public.PastName{ID: 1,
		Name: "Maria da Conceição Araújo", Country: "BR"}, Club: "Azulejos de Recife", Rank: "=18"}, Total: "−107",
		Played: 16, Of: 33}
	others := []string{"Maarten van der Linden-Hoogerwoerd", "Κωνσταντίνα Παπαϊωάννου", "Chukwuemeka Ọláyínká"}
	for round := 4; round > 0; round-- {
		r := public.PlayerRound{Sum: public.PastScore{Known: true}}
		for number := 1; number <= 4; number++ {
			g := public.PlayerGame{Round: round, Table: 3, Number: number, Place: number,
				PastGame: public.PastGame{Number: number, Known: true, Replay: templates.ReplayPath(1, 7)}}
			for i, name := range others {
				g.Others = append(g.Others, public.PastName{ID: int64(i + 2), Name: name})
			}
			r.Games = append(r.Games, g)
		}
		v.Rounds = append(v.Rounds, r)
		v.Places = append(v.Places, public.PlacePoint{Round: 5 - round, Place: 17 + round})
	}
	v.Parts = []public.PartSum{{Name: "Preliminaries", Games: 16}}
	look := part.Page{Title: "Player", Path: "/events/1/players/1", Assets: h.server.View.Build,
		Event: &part.EventRef{ID: 1, Name: "Campionato Italiano Rummikub 2026", State: part.StateEnded,
			Face: &part.Face{Days: "Sat, 28 Nov 2026 – Sun, 29 Nov 2026", Place: "Palazzetto dello Sport, Torino",
				Organizer: "Federazione Italiana Rummikub", Referee: "Anna Ferri", Federation: "ITA-27"}}}
	p := startChromium(t).tab(t, 390, 844)
	p.still()
	p.open(h.samples(t, "en", func(string) templ.Component {
		return part.RegionPage(look, public.PastPlayerRegion(v))
	}))
	p.whole("player-16-games")
	tall := eval[float64](p, `document.documentElement.scrollHeight`)
	t.Logf("16 games take %.2f screens", tall/844)
	if tall > 2*844 {
		t.Errorf("the page is %.0f pixels tall, at most two screens", tall)
	}
	if n := eval[int](p, `[...document.querySelectorAll("a.chip")].filter((chip) => {
		const box = chip.getBoundingClientRect();
		return box.width >= 44 && box.height >= 44;
	}).length`); n != 16 {
		t.Errorf("%d of 16 chips can be tapped", n)
	}
}
