package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// cardPage is all that is known of one turn, for officials. ?at= chooses the table that is shown.
func (s *refereePages) cardPage(c *gin.Context) error {
	event, game := idIn(c, "event"), idIn(c, "game")
	number, err := strconv.Atoi(c.Param("turn"))
	if err != nil || number < 0 {
		return shell.NotFound(c)
	}
	ctx := s.Language(c)
	card, err := s.Games.TurnCard(ctx, s.Staff(c), game, number)
	if err != nil {
		return err
	}
	if card.Ref.TournamentID != event {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	view, err := s.cardView(ctx, card)
	if err != nil {
		return err
	}
	if at, err := strconv.Atoi(c.Query("at")); err == nil && at >= 0 && at < len(view.Stops) {
		view.Shown = at
	}
	title := templates.T(ctx, "card.title") + " · " + templates.T(ctx, "replay.turn_of", "turn", card.Number, "of", card.Of)
	return showEvent(s.Server, c, http.StatusOK, title, &view, &view.Page, templates.CardPage)
}

// cardView words what is known of a turn.
func (s *views) cardView(ctx context.Context, card game.TurnCard) (templates.CardView, error) {
	place, people, err := s.GamePlace(ctx, card.Ref)
	if err != nil {
		return templates.CardView{}, err
	}
	game := templates.Game{ID: card.Ref.ID, Place: place, Seats: people, View: engine.ViewFor(card.After, engine.Referee)}
	v := templates.CardView{Event: card.Ref.TournamentID, TableID: card.Ref.TableID, Game: game, Number: card.Number, Of: card.Of, Seat: card.Seat,
		Running: card.Running, Started: card.Started, Ended: card.Ended, Strip: newStrip(card)}
	if card.Before.Rules.TurnSeconds > 0 {
		v.Limit = card.Before.Rules.TurnSeconds + card.Before.Extra[card.Seat]
	}
	w := cardWords{ctx: ctx, view: &v, base: cardFaces(card.Before), before: cardFaces(card.Before), ended: -1}
	v.Stops = []templates.CardStop{{Text: templates.T(ctx, "card.start"), Table: asViews(w.base), Fault: -1}}
	for _, m := range card.Moments {
		w.tell(m)
	}
	if !card.Running && w.ended < 0 {
		v.Stops = append(v.Stops, templates.CardStop{Text: templates.T(ctx, "card.end"), Table: engine.ViewFor(card.After, engine.Spectator).Table, Fault: -1})
	}
	v.Lines = withGaps(ctx, v.Lines, card)
	for _, r := range card.Earlier {
		v.Earlier = append(v.Earlier, templates.CardRuling{At: r.At, Round: r.Round, Table: r.Table, Rule: r.Rule, Cancelled: r.Cancelled,
			Text: templates.WithReason(ctx, templates.T(ctx, "card.ruled."+r.Kind, "n", r.Tiles), r.Reason)})
	}
	for _, e := range card.Calls {
		v.Calls = append(v.Calls, templates.LogLine{At: e.Event.When(), Text: venue.EventWords(ctx, game, e.Event)})
	}
	return v, nil
}

func cardFaces(s engine.State) []engine.LaidFaces {
	var sets []engine.LaidFaces
	for _, set := range engine.ViewFor(s, engine.Spectator).Table {
		sets = append(sets, engine.LaidFaces{At: set.At, Faces: set.Tiles})
	}
	return sets
}

func asViews(sets []engine.LaidFaces) []engine.LaidView {
	views := make([]engine.LaidView, len(sets))
	for i, set := range sets {
		views[i] = engine.LaidView{At: set.At, Tiles: set.Faces}
	}
	return views
}

// laidSince is a table of sets, those tiles of it marked that did not lie on the one before.
func laidSince(base, sets []engine.LaidFaces) []engine.LaidView {
	before, after := tile.CountFaces(setsOf(base)...), tile.CountFaces(setsOf(sets)...)
	for f := range after {
		after[f] -= min(after[f], before[f])
	}
	return markLaid(asViews(base), placed(sets), after)
}

func setsOf(table []engine.LaidFaces) [][]tile.Face {
	sets := make([][]tile.Face, len(table))
	for i, set := range table {
		sets[i] = set.Faces
	}
	return sets
}

// placed gives the sets that a program named without a place one: the first free lane.
func placed(sets []engine.LaidFaces) []engine.LaidFaces {
	var taken [engine.Lanes]bool
	for _, set := range sets {
		if set.At >= 0 && set.At < engine.Cells {
			taken[set.At/engine.LaneCells] = true
		}
	}
	all := make([]engine.LaidFaces, len(sets))
	for i, set := range sets {
		all[i] = set
		for lane := 0; set.At < 0 && lane < engine.Lanes; lane++ {
			if !taken[lane] {
				taken[lane], all[i].At = true, lane*engine.LaneCells
				break
			}
		}
	}
	return all
}

// moved tells what a movement laid, what it took back, and, if neither, which tiles lie elsewhere by it.
func moved(before, after []engine.LaidFaces) (laid, back, over []tile.Face) {
	was, is := tile.CountFaces(setsOf(before)...), tile.CountFaces(setsOf(after)...)
	for f := range is {
		for range max(0, int(is[f])-int(was[f])) {
			laid = append(laid, tile.Face(f))
		}
		for range max(0, int(was[f])-int(is[f])) {
			back = append(back, tile.Face(f))
		}
	}
	if len(laid)+len(back) > 0 {
		return laid, back, nil
	}
	lay := map[int]tile.Face{}
	for _, set := range before {
		for i, f := range set.Faces {
			lay[set.At+i] = f
		}
	}
	for _, set := range after {
		for i, f := range set.Faces {
			if was, ok := lay[set.At+i]; (!ok || was != f) && len(over) < movedMost {
				over = append(over, f)
			}
		}
	}
	return nil, nil, over
}

// movedMost is how many tiles of a movement are shown.
const movedMost = 8
