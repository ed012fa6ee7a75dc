package feeds

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/templates/locale"
	"meldhall/templates/preview"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/past"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/web/page"
	"meldhall/web/view"
)

// cardsKept is the maximum number of cached pictures. They are cached because a link sent to many people is requested
// by each of their devices.
const cardsKept = 32

// cards renders one picture at a time, and caches the latest ones by their content.
type cards struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (k *cards) drawn(ctx context.Context, says string, card preview.Card) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if picture, ok := k.kept[says]; ok {
		return picture, nil
	}
	if err := ctx.Err(); err != nil { // the client is gone
		return nil, err
	}
	picture, err := card.Draw()
	if err != nil {
		return nil, err
	}
	if k.kept == nil || len(k.kept) >= cardsKept {
		k.kept = map[string][]byte{}
	}
	k.kept[says] = picture
	return picture, nil
}

// card serves the preview picture of a link to a page. All clients get the same public data.
func (p *Pages) card(c *gin.Context, of func(context.Context, past.Past, *gin.Context) (preview.Card, error)) error {
	ctx, tournamentID := p.Page.LanguageAsked(c), page.ID(c, "event")
	past, err := p.past(ctx, tournamentID)
	if err != nil {
		return err
	}
	t := past.Tournament
	card, err := of(ctx, past, c)
	if err != nil {
		return err
	}
	if card.Title != t.Name {
		card.Over = t.Name
	}
	return p.answer(c, ctx, card)
}

// answer sends a picture in the reader's language, with the server's address in the footer.
func (p *Pages) answer(c *gin.Context, ctx context.Context, card preview.Card) error {
	card.RTL = locale.LanguageOf(ctx).Dir == "rtl"
	parts := []string{card.Footer}
	if at, err := url.Parse(p.Page.Request.BaseURL(c)); err == nil {
		parts = append(parts, "\u2066"+at.Host+"\u2069")
	}
	card.Footer = dotted(parts...)
	says := p.View.Build + strconv.FormatBool(card.RTL) + strings.Join(card.Words(), "\n")
	c.Header("Vary", "Accept-Language")
	picture, err := p.cards.drawn(ctx, says, card)
	if err == nil {
		send(c, "image/png", picture)
	}
	return err
}

// homeCard renders the preview of the home page: running tournaments first, then finished ones.
func (p *Pages) homeCard(c *gin.Context) error {
	ctx := p.Page.LanguageAsked(c)
	all, err := tournament.Tournaments(ctx, p.View.Store)
	if err != nil {
		return err
	}
	card := preview.Card{Title: locale.T(ctx, "home.title")}
	for _, status := range []string{tournament.StatusRunning, tournament.StatusFinished} {
		for _, t := range all {
			if t.Status != status || len(card.Rows) == preview.RowsMost {
				continue
			}
			note, err := p.stands(ctx, t)
			if err != nil {
				return err
			}
			card.Rows = append(card.Rows, preview.Row{Name: t.Name, Note: note})
		}
	}
	return p.answer(c, ctx, card)
}

// stands describes a tournament's current state.
func (p *Pages) stands(ctx context.Context, t tournament.Tournament) (string, error) {
	switch t.Status {
	case tournament.StatusRunning:
		rounds, err := draw.Rounds(ctx, p.View.Store, t.ID)
		if round, ok := view.CurrentRound(rounds); ok {
			return locale.T(ctx, "round.title", "number", round.Number), nil
		}
		return locale.T(ctx, "status.running"), err
	}
	return locale.T(ctx, "status.finished"), nil
}

// eventCard renders a tournament's standings or, before its first result, the number of players.
func (p *Pages) eventCard(ctx context.Context, before past.Past, _ *gin.Context) (preview.Card, error) {
	t := before.Tournament
	card := preview.Card{Title: t.Name, Footer: isolated(t.Place)}
	begins, err := p.begins(ctx, t.ID)
	if err != nil {
		return card, err
	}
	if !view.Played(before.Standings) {
		card.Under = locale.T(ctx, "face.players", "n", len(before.Rows))
		if begins != 0 {
			card.Under = dotted(card.Under, locale.T(ctx, "face.begins")+" \u2068"+locale.DayTime(ctx,
				moment(begins))+"\u2069")
		}
		return card, nil
	}
	note, err := p.View.Sights.ShownNote(ctx, rights.Public(), t.ID, tournament.PartStandings)
	if err != nil {
		return card, err
	}
	card.Under = locale.T(ctx, "nav.leaderboard")
	switch {
	case len(note.Lines) > 0: // late, or as they were
		card.Under = note.Lines[0]
	case len(before.Titles) > 0:
		card.Under = locale.T(ctx, "share.final")
	case len(before.Rounds) > 0:
		card.Under = dotted(card.Under, view.NowWords(ctx, before.Stages, before.Rounds[len(before.Rounds)-1].Round))
	}
	if begins != 0 {
		card.Footer = dotted(card.Footer, "\u2068"+locale.Day(ctx, moment(begins))+"\u2069")
	}
	rows := view.RankRows(ctx, before.Standings, nil)
	for _, r := range rows[:min(len(rows), preview.RowsMost)] {
		if r.Games > 0 && !r.Disqualified {
			card.Rows = append(card.Rows, preview.Row{Mark: r.Rank, Name: r.Name,
				Note: noted(ctx, r.Wins, r.Provisional), Value: locale.PointsText(ctx, r.Total, r.Charged)})
		}
	}
	return card, nil
}

// begins returns when a tournament's plan begins, or 0 if there is no plan.
func (p *Pages) begins(ctx context.Context, tournamentID int64) (engine.Millis, error) {
	slots, err := schedule.Slots(ctx, p.View.Store, tournamentID)
	if err != nil || len(slots) == 0 {
		return 0, err
	}
	return slots[0].StartsAt, nil
}

// playerCard renders a player's place and total results.
func playerCard(ctx context.Context, before past.Past, c *gin.Context) (preview.Card, error) {
	id := page.ID(c, "player")
	i := slices.IndexFunc(before.Rows, func(r ranking.StandingsRow) bool { return r.Player == id })
	if i < 0 {
		return preview.Card{}, refuse.NotFound("err_player_not_found", "id", id)
	}
	r, charged := before.Rows[i], before.Lowest(before.Rows[i].Stage)
	card := preview.Card{Title: r.Name, Under: isolated(r.Club)}
	if r.Country != "" {
		card.Under = dotted(card.Under, isolated(locale.CountryName(ctx, r.Country)))
	}
	for state, is := range map[string]bool{"rank.withdrawn": r.Withdrawn && !r.Disqualified,
		"rank.disqualified": r.Disqualified} {
		if is {
			card.Under = dotted(card.Under, locale.T(ctx, state))
		}
	}
	add := func(key, value string) {
		card.Rows = append(card.Rows, preview.Row{Name: locale.T(ctx, key), Value: value})
	}
	if r.Games > 0 && !r.Disqualified {
		add("past.place", view.RankText(before.Rows, i)+" "+locale.T(ctx, "past.of", "n", len(before.Rows)))
	}
	var sum past.Sum
	for _, g := range before.Games(id) {
		sum.Add(g)
	}
	if sum.Games > 0 {
		add("past.games", strconv.Itoa(sum.Games))
		add("col.wins", sum.Wins.String())
		add("col.points", locale.PointsText(ctx, sum.Points, charged))
	}
	if r.Provisional && len(card.Rows) > 0 {
		card.Rows[0].Note = locale.T(ctx, "rank.provisional")
	}
	return card, nil
}

// tableCard renders the players at a table with their results there.
func tableCard(ctx context.Context, before past.Past, c *gin.Context) (preview.Card, error) {
	id := page.ID(c, "table")
	for i := range before.Rounds {
		r := &before.Rounds[i]
		for j := range r.Tables {
			if t := &r.Tables[j]; t.ID == id {
				card := preview.Card{Title: locale.T(ctx, "table.title", "number", t.Number),
					Under: view.NowWords(ctx, before.Stages, r.Round)}
				if slices.ContainsFunc(t.Games, func(g tournament.Game) bool {
					result,
						ok := r.Results[g.ID]
					return ok && !result.Confirmed()
				}) {
					card.Under = dotted(card.Under, locale.T(ctx, "rank.provisional"))
				}
				card.Rows = seatRows(ctx, before, r, t, t.Games)
				return card, nil
			}
		}
	}
	return preview.Card{}, refuse.NotFound("err_table_not_found", "id", id)
}

// gameCard renders the result of a game.
func gameCard(ctx context.Context, before past.Past, c *gin.Context) (preview.Card, error) {
	id := page.ID(c, "game")
	for i := range before.Rounds {
		r := &before.Rounds[i]
		for j := range r.Tables {
			t := &r.Tables[j]
			for k, g := range t.Games {
				if g.ID != id {
					continue
				}
				card := preview.Card{Title: locale.T(ctx, "stat.where", "round", r.Number, "table", t.Number),
					Under: view.StageOf(ctx, before.Stages, r.Round)}
				if len(t.Games) > 1 {
					card.Title += ", " + locale.T(ctx, "past.game", "number", g.Number)
				}
				if result, ok := r.Results[g.ID]; ok && (past.Played{Result: result}).Annulled() {
					card.Under = dotted(card.Under, locale.T(ctx, "past.annulled"))
				} else if ok && !result.Confirmed() {
					card.Under = dotted(card.Under, locale.T(ctx, "rank.provisional"))
				}
				card.Rows = seatRows(ctx, before, r, t, t.Games[k:k+1])
				return card, nil
			}
		}
	}
	return preview.Card{}, refuse.NotFound("err_game_not_found", "id", id)
}

// seatRows returns the players at a table with their totals of some games, best first. Before there is a result, they
// are in seat order.
func seatRows(ctx context.Context, before past.Past, r *past.Round, t *tournament.Table,
	games []tournament.Game) []preview.Row {
	sums := make([]past.Sum, len(t.Seats))
	order := make([]int, len(t.Seats))
	for i := range order {
		order[i] = i
	}
	for _, g := range games {
		for _, l := range r.Results[g.ID].Lines {
			if l.Seat < len(sums) {
				sums[l.Seat].Add(past.Played{Result: r.Results[g.ID], Line: l})
			}
		}
	}
	charged := before.Lowest(r.Stage)
	better := func(a, b int) int {
		points := cmp.Compare(sums[b].Points, sums[a].Points)
		if charged {
			points = -points
		}
		return cmp.Or(cmp.Compare(sums[b].Wins, sums[a].Wins), points)
	}
	slices.SortStableFunc(order, better)
	var rows []preview.Row
	place := 0
	for i, seat := range order {
		name, standIn := before.Entry(t.Seats[seat], r.Number, games[len(games)-1].Number)
		row := preview.Row{Name: name}
		if standIn != "" {
			row.Note = locale.T(ctx, "past.stand_in", "name", isolated(standIn))
		}
		if sums[seat].Games > 0 {
			if i == 0 || better(order[i-1], seat) != 0 {
				place = i + 1
			}
			row.Mark, row.Value = strconv.Itoa(place), locale.PointsText(ctx, sums[seat].Points, charged)
			row.Note = cmp.Or(row.Note, noted(ctx, sums[seat].Wins, false))
		}
		rows = append(rows, row)
	}
	return rows
}

// noted describes how many games a player has won, and adds whether that is provisional.
func noted(ctx context.Context, wins score.Twelfth, provisional bool) string {
	text := ""
	if wins != 0 {
		text = locale.WinsText(ctx, wins)
	}
	if provisional {
		text = dotted(text, locale.T(ctx, "rank.provisional"))
	}
	return text
}

// dotted joins the non-empty texts with dots.
func dotted(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), " · ")
}

// isolated wraps a name in bidirectional isolates, because the surrounding text may have another direction.
func isolated(name string) string {
	if name == "" {
		return ""
	}
	return "\u2068" + name + "\u2069"
}
