package referee

import (
	"context"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/tournament/spelling"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// rulingPage is the sheet of a table.
func (s *Pages) rulingPage(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	view, err := s.views.rulingView(ctx, actor, tournamentID, table, nil)
	if err != nil {
		return err
	}
	if view.May {
		s.View.Attention.Looks(tournamentID, table, actor)
	}
	view.Code = spelling.Code(c.Query("code"))
	view.Page = page.Near(view.Page, templates.RulingPath(tournamentID, table)+"/live")
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "table.title", "number", view.Table), &view,
		&view.Page, referee.RulingPage)
}

func (s *Pages) rulingLive(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	var cache logCache
	var people []play.Person
	feed := s.Page.StaffFeed(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.views.rulingView(ctx, actor, tournamentID, table, &cache)
		people = view.Game.Seats
		return referee.RulingRegion(view), err
	}, live.TournamentTopic(tournamentID), live.TableTopic(table))
	s.Page.Pointed(s.Page.Request.Language(c), &feed, func() ([]play.Person, int, bool) {
		return people, engine.Spectator, true
	}).Follow(table)
	return s.Page.StreamPage(c, feed)
}

// pointPost lets a referee point at a set of a table.
func (s *Pages) pointPost(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	actor, ctx := s.Page.Request.Staff(c), c.Request.Context()
	at, err := tournament.TableByID(ctx, s.View.Store, table)
	if err != nil {
		return err
	}
	place := rights.Place{Tournament: at.TournamentID, Table: table, Number: at.Number, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MayRule); err != nil {
		return err
	}
	if at.TournamentID != tournamentID {
		return refuse.NotFound("err_table_not_found", "id", table)
	}
	current, err := game.CurrentAtTable(ctx, s.View.Store, table)
	if err != nil {
		return err
	}
	snap, err := s.View.Games.Look(ctx, current.Game)
	if err != nil {
		return err
	}
	return s.Page.PointPost(c, snap, engine.Referee, actor.String())
}

// deskDevicePost records that an official's sheet is open; the page repeats this every 3 s. Meanwhile other officials
// see who is ruling there.
func (s *Pages) deskDevicePost(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	actor, place := s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID, Table: table, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MaySeeDesk); err != nil {
		return err
	}
	if c.Query("away") != "" {
		s.View.Attention.Leaves(tournamentID, table, actor)
	} else if rights.Authorize(actor, place, rights.MayRule) == nil {
		s.View.Attention.Looks(tournamentID, table, actor)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// logCache caches what a stream shows of a game's log, which is read again only when the game has advanced. The
// tournament's most used rulings are read only once, so that the buttons do not move while an official is tapping.
type logCache struct {
	used  map[string]int
	game  int64
	seq   int
	turns []referee.SheetTurn
	back  []referee.SheetTurn
	ended []record.PublicTurn
}

func (s *views) rulingView(ctx context.Context, actor rights.Actor, tournamentID, table int64,
	cache *logCache) (v referee.RulingView, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Table: table, Seat: -1},
		rights.MaySeeDesk); err != nil {
		return v, err
	}
	at, err := tournament.TableByID(ctx, s.View.Store, table)
	if err != nil {
		return v, err
	}
	if at.TournamentID != tournamentID {
		return v, refuse.NotFound("err_table_not_found", "id", table)
	}
	v = referee.RulingView{Event: tournamentID, TableID: table, Table: at.Number,
		Ruling: s.View.Attention.At(table, actor)}
	mayNot := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Table: table, Number: at.Number, Seat: -1},
		rights.MayRule)
	if v.May = mayNot == nil; !v.May {
		v.MayNot = request.FailureOf(ctx, "", mayNot).Message
	}
	if len(at.Games) == 0 {
		return v, nil
	}
	if v.Alerts, err = s.otherAlerts(ctx, actor, tournamentID, at.RoundID, table); err != nil {
		return v, err
	}
	current, err := game.CurrentAtTable(ctx, s.View.Store, table)
	if err != nil {
		return v, err
	}
	game, snap, err := s.View.WatchedGame(ctx, current.Game, engine.Referee)
	if err != nil {
		return v, err
	}
	v.Game, v.HasGame = game, snap.State.Phase != engine.PhaseNew
	if !v.HasGame {
		round, err := draw.RoundByID(ctx, s.View.Store, at.RoundID)
		if err != nil {
			return v, err
		}
		v.MayStart = round.Status != tournament.RoundDraft && !at.Started(round) &&
			rights.Authorize(actor, rights.Place{Tournament: tournamentID, Table: table, Number: at.Number, Seat: -1},
				rights.MayStartRound) == nil
		missing, err := s.missingAt(ctx, at)
		if err != nil {
			return v, err
		}
		v.Sure = desk.TableStart{Number: at.Number, Missing: missing,
			First: round.Status == tournament.RoundPublished, SameDeal: round.Duplicate}.Sure(ctx)
	}
	if err := s.View.Protested(ctx, actor, snap, &v.Game); err != nil {
		return v, err
	}
	v.MayHeavily = rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRuleHeavily) == nil
	v.Key = view.RulingKeyOf(snap.Ref.ID, snap.State.Seq)
	v.Tablet, v.Devices, v.Illegal = s.View.TableTablet(snap), s.devicesAt(snap, current.Unlinked),
		snap.State.Rules.IllegalTiles
	if v.Dispute, err = s.disputeAt(ctx, tournamentID, at); err != nil {
		return v, err
	}
	return v, s.addLog(ctx, &v, snap.State, cache)
}

// turnsBack is how many turns a sheet offers to return to.
const turnsBack = 8

// addLog adds a game's last log lines, the turns that can be restored, and the order of the ruling buttons. It keeps
// what it has read in cache, which may be nil.
func (s *views) addLog(ctx context.Context, view *referee.RulingView, state engine.State, cache *logCache) error {
	if cache == nil {
		cache = &logCache{}
	}
	if cache.used == nil {
		used, err := screen.RulingsUsed(ctx, s.View.Store, view.Event, view.Game.Place.Round)
		if err != nil {
			return err
		}
		cache.used = used
	}
	if cache.game != view.Game.ID || cache.seq != state.Seq {
		lines, err := s.View.GameLog(ctx, view.Game, tournament.Always)
		if err != nil {
			return err
		}
		turns, err := s.View.Records.Turns(ctx, view.Game.ID)
		if err != nil {
			return err
		}
		*cache = logCache{used: cache.used, game: view.Game.ID, seq: state.Seq, ended: turns}
		for _, line := range lines {
			cache.turns = append(cache.turns, referee.SheetTurn{At: line.At, Text: line.Text})
		}
		for _, t := range slices.Backward(turns[max(len(turns)-turnsBack, 0):]) {
			cache.back = append(cache.back, referee.SheetTurn{Number: t.Number, Turn: t.Turn, At: t.At,
				Text: changeWords(ctx, view.Game, t), Name: view.Game.NameOf(t.Seat),
				Played: t.Kind == engine.TilesPlayed{}.Kind() || t.Kind == engine.TurnEnded{}.Kind()})
		}
	}
	view.Turns, view.Back, view.Used = cache.turns, cache.back, cache.used
	view.Waiting = waits(ctx, view.Game, view.Game.View.Proposals)
	return s.addRulings(ctx, view, cache.ended)
}

// changeWords describes a turn in one sentence.
func changeWords(ctx context.Context, game play.Game, t record.PublicTurn) string {
	key := "last." + t.Kind
	if t.Lost {
		return play.LostWords(ctx, key, game.NameOf(t.Seat), engine.LastView{Drawn: t.Drawn, Kept: t.Kept})
	}
	for _, prefix := range []string{"told.", "log."} {
		if !locale.HasText(key) {
			key = prefix + t.Kind
		}
	}
	text := locale.T(ctx, key, "name", game.NameOf(t.Seat), "n", max(t.Drawn, len(t.Played)), "points", t.Points)
	if len(t.Played) == 0 {
		return text
	}
	return game.ChangeSentence(ctx, t.Seat, play.ChangeWords(ctx, t.Before.Faces(), t.After.Faces(), play.MostSaid),
		text)
}

func newRulingLine(ctx context.Context, game play.Game, r engine.Ruling) referee.RulingLine {
	kind, _ := engine.RulingKindOf(r.Kind)
	return referee.RulingLine{Seq: r.Seq, At: r.At, Text: game.RuledWords(ctx, r), By: r.By, Rule: r.Rule,
		Cancelled: r.Cancelled != 0,
		May:       r.Cancelled == 0 && kind.Cancellable()}
}

func (s *views) devicesAt(snap *game.Snapshot, unlinked int) []play.TablePlayer {
	devices := make([]play.TablePlayer, len(snap.Ref.Players))
	for seat, player := range snap.Ref.Players {
		d := s.View.Presence.Device(player)
		devices[seat] = play.TablePlayer{Offline: d.Offline, Charge: d.Charge, Unlinked: unlinked&(1<<seat) != 0 &&
			!snap.State.Physical && snap.State.Phase != engine.PhaseOver}
	}
	return devices
}
