package paper

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	sheet "meldhall/templates/paper"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// The limits of the prizes that an organizer types: places, and characters of each.
const (
	prizesMost = 100
	prizeMost  = 120
)

// prize is what a place gets.
type prize struct{ what, amount string }

// prizesIn parses a list of prizes: a line for each place, with the amount after a semicolon. An empty line is a place
// without a prize.
func prizesIn(text string) (prizes []prize, err error) {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i, line := range lines {
		if i == prizesMost || utf8.RuneCountInString(line) > prizeMost {
			return nil, refuse.Invalid("err_paper_prize_long", "line", i+1, "most", prizeMost, "places", prizesMost)
		}
		what, amount, _ := strings.Cut(line, ";")
		prizes = append(prizes, prize{spelling.Clean(what), spelling.Clean(amount)})
	}
	if len(prizes) == 1 && prizes[0] == (prize{}) {
		return nil, refuse.Invalid("err_paper_prizes")
	}
	return prizes, nil
}

// sum joins the prizes of several places.
func sum(prizes []prize) prize {
	var what, amount []string
	for _, p := range prizes {
		if p.what != "" {
			what = append(what, p.what)
		}
		if p.amount != "" {
			amount = append(amount, p.amount)
		}
	}
	return prize{strings.Join(what, " + "), strings.Join(amount, " + ")}
}

// won returns the winners of the prizes in a form, by the standings. Players who share a place share the prizes of all
// places that they take.
func (p *printer) won(ctx context.Context, typed string) (all []sheet.Won, over bool, err error) {
	prizes, err := prizesIn(typed)
	if err != nil {
		return nil, false, err
	}
	standings, err := ranking.StandingsAt(ctx, p.View.Store, p.t.ID, p.sight.Standings)
	if err != nil {
		return nil, false, err
	}
	sharing := map[int][]play.RankRow{}
	var places []int
	for i, row := range ranks(ctx, standings, nil) {
		place := standings.Rows[i].Place
		if row.Disqualified || place > len(prizes) {
			continue
		}
		if sharing[place] == nil {
			places = append(places, place)
		}
		sharing[place] = append(sharing[place], row)
	}
	for _, place := range places {
		rows := sharing[place]
		one := sum(prizes[place-1 : min(len(prizes), place-1+len(rows))])
		if one == (prize{}) {
			continue
		}
		for _, row := range rows {
			all = append(all, sheet.Won{Row: row, Prize: one.what, Amount: one.amount, Shared: len(rows)})
		}
	}
	if len(all) == 0 {
		err = refuse.Conflict("err_paper_no_places")
	}
	return all, standings.Tournament.Status == tournament.StatusFinished, err
}

func (p *printer) prizeList(ctx context.Context, c *gin.Context) ([]sheet.Sheet, error) {
	ctx = displayname.ForAll(ctx) // the sheet is posted in the hall
	all, over, err := p.won(ctx, c.PostForm("prizes"))
	return []sheet.Sheet{sheet.PrizeList{About: p.about(ctx, false), Prizes: all, Over: over}}, err
}

func (p *printer) receipts(ctx context.Context, c *gin.Context) ([]sheet.Sheet, error) {
	all, _, err := p.won(ctx, c.PostForm("prizes"))
	return []sheet.Sheet{sheet.Receipts{About: p.about(ctx, false), Prizes: all}}, err
}
