package feeds

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/past"
	"meldhall/web/page"
)

const feedKind = "application/atom+xml; charset=utf-8"

// feedMost is the maximum number of results in a feed; the newest are included.
const feedMost = 100

// atomFeed is a feed as defined by RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Kind string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feed serves the results of a tournament, newest first. A game keeps its entry when its result is confirmed or
// corrected.
func (p *Pages) feed(c *gin.Context) error {
	ctx, tournamentID := p.Page.LanguageAsked(c), page.ID(c, "event")
	before, err := p.past(ctx, tournamentID)
	if err != nil {
		return err
	}
	t := before.Tournament
	page := p.address(c, string(templates.LeaderboardPath(tournamentID)))
	feed := atomFeed{Lang: locale.LanguageOf(ctx).Tag, ID: named(t, "results"),
		Title: locale.T(ctx, "feed.results") + " · " + t.Name, Author: t.Name,
		Links: []atomLink{{Rel: "self", Kind: "application/atom+xml", Href: page + "/results.atom"},
			{Rel: "alternate", Kind: "text/html", Href: page}}}
	newest := t.CreatedAt
	var games []past.Played
	before.Each(func(g past.Played) { games = append(games, g) })
	slices.SortStableFunc(games, func(a, b past.Played) int { return cmp.Compare(b.Result.At, a.Result.At) })
	for _, g := range games[:min(len(games), feedMost)] {
		newest = max(newest, g.Result.At)
		feed.Entries = append(feed.Entries, atomEntry{ID: named(t, fmt.Sprint("game-", g.Game.ID)),
			Title: title(ctx, g), Updated: stamp(g.Result.At),
			Link:    atomLink{Href: p.address(c, string(templates.WatchPath(tournamentID, g.Table.ID)))},
			Summary: told(ctx, before, g)})
	}
	feed.Updated = stamp(newest)
	text, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return err
	}
	send(c, feedKind, append([]byte(xml.Header), text...))
	return nil
}

// title returns an entry's title: the game, and a note if its result is provisional.
func title(ctx context.Context, g past.Played) string {
	text := locale.T(ctx, "stat.where", "round", g.Round.Number, "table", g.Table.Number)
	if len(g.Table.Games) > 1 {
		text += ", " + locale.T(ctx, "past.game", "number", g.Game.Number)
	}
	if !g.Result.Confirmed() {
		text += " (" + locale.T(ctx, "status.provisional") + ")"
	}
	return text
}

// told formats a result in one line, best player first.
func told(ctx context.Context, before past.Past, g past.Played) string {
	if g.Annulled() {
		return locale.T(ctx, "past.annulled")
	}
	charged := before.Lowest(g.Round.Stage)
	lines := slices.Clone(g.Result.Lines)
	slices.SortStableFunc(lines, func(a, b game.ResultLine) int {
		if charged {
			return cmp.Compare(a.Points, b.Points)
		}
		return cmp.Compare(b.Points, a.Points)
	})
	var parts []string
	for _, l := range lines {
		if l.Seat < len(g.Table.Seats) {
			name, _ := before.Entry(g.Table.Seats[l.Seat], g.Round.Number, g.Game.Number)
			parts = append(parts, name+" "+locale.PointsText(ctx, l.Points, charged))
		}
	}
	return strings.Join(parts, " · ")
}

// named returns a permanent, globally unique name for a part of a tournament.
func named(t tournament.Tournament, what string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "meldhall %d %d %s", t.CreatedAt, t.ID, what)).URN()
}

func stamp(at engine.Millis) string { return moment(at).Format(time.RFC3339) }
