package web

import (
	"context"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

// gamePage is the player's tablet in a game, and with its result after it.
func (s *tabletPages) gamePage(c *gin.Context, me rights.Actor) error {
	ctx := s.language(c)
	at, err := s.whereIs(ctx, me)
	if err != nil {
		return err
	}
	if !at.running() && !at.over() {
		return s.seeOther(c, seatPagesOf(c).room, "")
	}
	place, people, err := s.gamePlace(ctx, at.snap.Ref)
	if err != nil {
		return err
	}
	game, err := s.newTablet(ctx, at, place, people)
	if err != nil {
		return err
	}
	if err := s.ended(ctx, at, &game); err != nil {
		return err
	}
	own, err := s.ownPenalties(ctx, me.Player)
	if err != nil {
		return err
	}
	game.Penalties = newPenalties(own, game.View.Now)
	if at.snap.State.Physical {
		return s.showReal(c, at, game)
	}
	tab := live.NewTab()
	page := near(s.newPage(c, templates.T(ctx, "game.title", "table", place.Table), nil), seatPagesOf(c).stream()+templ.SafeURL("?tab="+tab))
	page.Live.Tab = tab
	s.presence.Take(me, tab)
	if atPractice(c) {
		page = s.awaiting(c, page)
	}
	return s.show(c, http.StatusOK, templates.GamePage(templates.GameView{Page: page, Game: game}))
}

// newTablet is a game as its player may see it: their own rack, and what lies on the table or is being laid.
func (s *views) newTablet(ctx context.Context, at seatAt, place templates.GamePlace, people []templates.Person) (templates.Game, error) {
	snap := at.snap
	view, err := s.games.Shown(ctx, snap, at.me.Seat)
	game := templates.Game{ID: snap.Ref.ID, Place: place, Seats: people, View: view, Counted: at.confirmed}
	game.View.Now = engine.MillisOf(s.store.Now())
	if err != nil || snap.Draft == nil {
		return game, err
	}
	if snap.Draft.Seat == at.me.Seat {
		game.Draft = snap.Draft.Table
	} else {
		game.View.Table = draftTable(snap)
	}
	return game, nil
}

// draftTable is the table as the player to move has laid it so far, with the rack's tiles marked as new. A
// draft that no hand could have laid is not shown: the table then stays as it was.
func draftTable(snap *tournament.Snapshot) []engine.LaidView {
	committed := engine.ViewFor(snap.State, engine.Spectator).Table
	before := tile.CountFaces(snap.State.Table.Faces()...)
	sets := make([][]tile.Face, len(snap.Draft.Table))
	for i, set := range snap.Draft.Table {
		sets[i] = set.Faces
		if set.At < 0 || set.At%engine.LaneCells+len(set.Faces) > engine.LaneCells || set.At >= engine.Cells {
			return committed
		}
	}
	after := tile.CountFaces(sets...)
	if !before.Within(after) {
		return committed
	}
	laid := after.Minus(before)
	if !laid.Within(tile.CountFaces(tile.FacesOf(snap.State.Racks[snap.Draft.Seat]))) {
		return committed
	}
	return markLaid(committed, snap.Draft.Table, laid)
}

// markLaid is a table of sets with the tiles marked that were laid, of a table as it lay before.
func markLaid(committed []engine.LaidView, sets []engine.LaidFaces, laid tile.Counts) []engine.LaidView {
	lay := map[int]tile.Face{} // what lay where, to tell a tile that stayed from its copy that came
	for _, set := range committed {
		for i, f := range set.Tiles {
			lay[set.At+i] = f
		}
	}
	table := make([]engine.LaidView, len(sets))
	for _, skipped := range []bool{true, false} { // a copy that lies where one lay is the last to be the new one
		for i, set := range sets {
			table[i].At, table[i].Tiles = set.At, set.Faces
			for j, f := range set.Faces {
				was, ok := lay[set.At+j]
				if (ok && was == f) == skipped || laid[f] == 0 {
					continue
				}
				laid[f]--
				table[i].New = append(table[i].New, j)
			}
		}
	}
	return table
}

// tabletAnswer is what became of a tablet's command, in the reader's language. Done is false when the
// turn ended otherwise than the player wished: it was too late, or illegal and penalised.
type tabletAnswer struct {
	CommandAnswer
	Done    bool   `json:"done"`
	Message string `json:"message"`
}

// said answers a tablet's action, named as the texts name it.
func (s *Server) said(action string) func(*gin.Context, tournament.Answer) error {
	return func(c *gin.Context, answer tournament.Answer) error {
		ctx, state := s.language(c), &answer.Snapshot.State
		last := state.Last
		reply := tabletAnswer{CommandAnswer: newCommandAnswer(answer), Done: true}
		switch answer.Outcome {
		case engine.TurnExpired{}.Kind(), engine.IllegalPlayed{}.Kind():
			reply.Done = false
			drawn := state.Rules.TimeoutTiles
			if last.Kind == answer.Outcome && last.Seat == s.player(c).Seat {
				drawn = len(last.Drawn)
			}
			reply.Message = templates.LostTurnText(ctx, answer.Outcome, drawn)
		case engine.TilesPlayed{}.Kind():
			if last.Kind == answer.Outcome && last.Seat == s.player(c).Seat {
				reply.Message = templates.OutcomeText(ctx, action, len(last.Played))
			}
		default:
			reply.Message = templates.OutcomeText(ctx, action, 0)
		}
		return writeJSON(c, reply)
	}
}

// draftPost shows the table what a player is laying and says what the rules think of it.
func (s *tabletPages) draftPost(c *gin.Context) error {
	r, answer, err := s.setDraft(c)
	if err != nil {
		return err
	}
	state := &answer.Snapshot.State
	return writeJSON(c, templates.NewDraftReply(s.language(c), r.Table, answer.Verdict, state.Opened[s.player(c).Seat], state.Rules.MeldPoints))
}
