package web

import (
	"fmt"
	"testing"

	"meldhall/tournament"
)

// official opens a tab in which somebody is signed in.
func (s *screens) official(b *chromium, t *testing.T, c *caller, width, height int64) *tab {
	t.Helper()
	p := b.tab(t, width, height)
	p.cookie(s.http.URL, cookieName("staff", false), c.token)
	return p
}

func TestDeskPictures(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	for _, size := range [][2]int64{{360, 740}, {1280, 800}, {800, 1280}} {
		for _, theme := range []string{"light", "dark"} {
			p := s.official(b, t, s.referee, size[0], size[1])
			p.still()
			p.cookie(s.http.URL, themeCookie, theme)
			name := fmt.Sprintf("%d-%s-", size[0], theme)
			p.open(fmt.Sprintf("%s/referee/%d", s.http.URL, s.id))
			p.wait(isLive)
			p.picture(name + "floor")
			p.open(fmt.Sprintf("%s/referee/%d/tables/%d", s.http.URL, s.id, s.round.Tables[0].ID))
			p.wait(isLive)
			p.picture(name + "sheet")
			eval[bool](p, `document.querySelector(".act-penalty:nth-of-type(3)").click(), true`)
			p.wait(`document.querySelector("#rule[open] #rule-go")`)
			p.picture(name + "confirm")
			if got := p.complaints(); len(got) > 0 {
				t.Errorf("complaints: %q", got)
			}
		}
	}
}

var _ = tournament.RoleReferee
