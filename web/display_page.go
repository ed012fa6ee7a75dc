package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/floor"
	"meldhall/tournament/game"
	"meldhall/tournament/naming"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
	"meldhall/web/venue"
	"meldhall/web/wall"
)

// A display shows a draft as it is moved: at most so often, and it hears every second that the stream lives, so
// that it can say within three that it does not.
const (
	displayLeast = 100 * time.Millisecond
	turnsShown   = 5
	placesMost   = 1000 // tables whose place is remembered
)

// displays keeps what many screens at one table have in common: where the number is played now, and the region as it
// was drawn a moment ago.
type displays struct {
	regions *frame.Regions
	mu      sync.Mutex
	places  map[displayKey]displayAt
}

type displayKey struct {
	event  int64
	number int
}

func newDisplays(now func() time.Time) *displays {
	return &displays{regions: frame.NewRegions(now, displayLeast*4/5), places: map[displayKey]displayAt{}}
}

// displayAt is where the table with a number is in the newest round: the table, 0 when that round has none, and
// the game that is played or counted there.
type displayAt struct {
	seatings  uint64
	news      string
	event     tournament.Tournament
	round     int
	table     int64
	game      int64
	confirmed bool
	place     templates.GamePlace
	people    []templates.Person
	snap      *game.Snapshot
	seen      venue.SeenGame // by whom it is drawn for
}

func displayParams(c *gin.Context) (displayKey, error) {
	number := frame.ID(c, "number")
	if number > floor.DisplayNumberMost {
		return displayKey{}, shell.NotFound(c)
	}
	return displayKey{frame.ID(c, "event"), int(number)}, nil
}

// displaySettings reads the settings of a screen from its address.
func (s *Server) displaySettings(c *gin.Context) (templates.DisplaySettings, error) {
	sides, err := frame.Optional(c.Query, "sides")
	turn, wrong := frame.Optional(c.Query, "turn")
	return templates.DisplaySettings{Sides: int(sides), Turn: int(turn), Theme: c.Query("theme"),
		Lang: s.LanguageNamed(c)}, errors.Join(err, wrong)
}

// displayFrame is newPage for a screen: dark unless its settings say otherwise.
func (s *Server) displayFrame(c *gin.Context, title string, set templates.DisplaySettings) templates.Page {
	return wall.Themed(s.NewPage(c, title, nil), set.Theme)
}

// displayPage is a screen at a table or on the wall: it never shows a rack, and anybody may open it.
func (s *publicPages) displayPage(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	ctx := s.LanguageAsked(c)
	there, err := s.standsAt(c, key)
	if err == nil && !there {
		err = s.AuthorizeEvent(ctx, s.Staff(c), key.event)
	}
	if err != nil {
		return err
	}
	set, err := s.displaySettings(c)
	if err != nil {
		return err
	}
	region, err := s.displays.regions.Drawn(ctx, key.text(there), 0, s.display(key, there))
	if err != nil {
		return err
	}
	p := s.displayFrame(c, templates.T(ctx, "table.title", "number", key.number), set)
	home := templates.DisplayPath(key.event, key.number)
	lang := templates.DisplaySettings{Lang: set.Lang}
	p.Live = templates.Live{URL: string(home) + "/live" + lang.Query(), Quiet: frame.NearQuiet, Near: true}
	return s.showIn(c, ctx, templates.DisplayPage(p, set, string(home)+set.Query(), region.Component()))
}

// showIn is show in a language that the address may name.
func (s *publicPages) showIn(c *gin.Context, ctx context.Context, page templ.Component) error {
	html, err := frame.Render(ctx, page)
	if err != nil {
		return err
	}
	frame.SendHTML(c, http.StatusOK, html)
	return nil
}

// text names the region, which is another one for a screen that was put at the table than for whoever has its address.
func (k displayKey) text(there bool) string {
	return "display " + strconv.FormatInt(k.event, 10) + " " + strconv.Itoa(k.number) + " " + strconv.FormatBool(there)
}

// strays tells whether the screen that asks belongs elsewhere by now: it was put at another table, or removed.
// A screen without a cookie belongs where its address says.
func (s *publicPages) strays(ctx context.Context, token string, key displayKey, was bool) (strays, paired bool, err error) {
	d, paired, err := s.screens.Paired(ctx, token)
	if err != nil || !paired {
		return was, false, err
	}
	return d.TournamentID != key.event || d.Number != key.number, true, nil
}

// standsAt tells whether staff have put the screen that asks at this table.
func (s *publicPages) standsAt(c *gin.Context, key displayKey) (bool, error) {
	token := s.screens.Token(c)
	d, paired, err := s.screens.Paired(c.Request.Context(), token)
	return paired && d.TournamentID == key.event && d.Number == key.number, err
}

// displayLive sends the screen whole, after every event and while a draft is moved.
func (s *publicPages) displayLive(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	ctx := s.LanguageAsked(c)
	token, who := s.screens.Token(c), s.Staff(c)
	topics := append(frame.TableTopics(key.event), live.DisplaysTopic())
	watcher := s.Hub.Watch(topics...)
	again := time.AfterFunc(displayLeast, watcher.Wake) // what is kept may be from before a change that was just too early for this watcher
	ends := []func(){func() { again.Stop() }}
	table, paired, moves, looked := int64(-1), false, ^uint64(0), time.Time{}
	return s.StreamPage(c, live.Feed{Watcher: watcher, Ends: ends, Least: displayLeast, Ping: frame.NearPing, Next: func() (live.Message, error) {
		if now, m := s.Store.Now(), s.screens.Moves(); token != "" && (m != moves || now.Sub(looked) > wall.Look) {
			var strays bool
			var err error
			if strays, paired, err = s.strays(ctx, token, key, paired); err != nil || strays {
				return live.Message{Event: "go", Data: []byte("{}")}, err
			}
			moves, looked = m, now
		}
		again.Reset(wall.Look)
		if !paired {
			if err := s.AuthorizeEvent(ctx, who, key.event); err != nil {
				return live.Message{}, err
			}
		}
		at, err := s.displayAt(ctx, key)
		if err != nil {
			return live.Message{}, err
		}
		if at.table != table {
			table = at.table
			watcher.Turn(append(slices.Clone(topics), live.TableTopic(table))...)
			again.Reset(displayLeast)
		}
		d, err := s.displays.regions.Drawn(ctx, key.text(paired), 0, s.display(key, paired))
		return d.Message(), err
	}})
}

// display draws a screen; one that stands at the table shows it also while a duplicate round holds the tables back from others.
func (s *publicPages) display(key displayKey, there bool) func(context.Context) (templ.Component, error) {
	return func(ctx context.Context) (templ.Component, error) {
		at, err := s.displaySeen(ctx, key, there)
		if err != nil {
			return nil, err
		}
		view := templates.DisplayView{Event: key.event, Name: at.event.Name, Number: key.number, Round: at.round, News: at.news, Build: s.assets.Base()}
		view.Game = templates.Game{ID: at.game, Place: at.place, Seats: at.people, Counted: at.confirmed}
		view.Game.View.Seat, view.Closed = engine.Spectator, at.seen.NoResult
		if !there {
			if view.Note, err = s.ShownNote(ctx, rights.Public(), key.event, tournament.PartTables); err != nil {
				return nil, err
			}
		}
		if at.snap == nil || at.snap.State.Phase == engine.PhaseNew || view.Closed {
			return templates.DisplayRegion(view), nil
		}
		view.HasGame, view.Game.Charged = true, venue.ChargedBy(at.snap.State.Rules)
		if view.Game.View, err = s.Games.ShownOn(ctx, at.snap, there); err != nil {
			return nil, err
		}
		view.Game.View = at.seen.Trim(view.Game.View)
		view.Hidden = view.Game.View.Held && !there
		view.Game.View.Now = engine.MillisOf(s.Store.Now())
		if at.snap.Draft != nil && !view.Hidden {
			view.Game.View.Table = venue.DraftTable(at.snap)
			for _, set := range view.Game.View.Table {
				view.Laying += len(set.New)
			}
		}
		turns, err := s.TurnsSeen(ctx, at.game, at.seen.At)
		for _, t := range turns[max(0, len(turns)-turnsShown):] {
			view.Turns = append(view.Turns, turnLine(t, at.people))
		}
		return templates.DisplayRegion(view), err
	}
}

func turnLine(t game.PublicTurn, people []templates.Person) templates.TurnLine {
	line := templates.TurnLine{Number: t.Number, Did: templates.Deed{Kind: t.Kind, Played: len(t.Played), Drawn: t.Drawn}}
	if t.Seat < len(people) {
		line.Name = people[t.Seat].Name
	}
	return line
}

// displaySeen is displayAt as far as it is seen: all of it by a screen that stands there, else by what everybody is shown.
func (s *publicPages) displaySeen(ctx context.Context, key displayKey, there bool) (displayAt, error) {
	sight, err := s.SightOf(ctx, rights.Public(), key.event)
	if err != nil {
		return displayAt{}, err
	}
	if there || sight == tournament.SeesAll {
		at, err := s.displayAt(ctx, key)
		at.seen = venue.SeenGame{Snap: at.snap, At: tournament.Always}
		return at, err
	}
	at, err := s.findDisplay(ctx, key, sight)
	if err != nil || at.snap == nil {
		return at, err
	}
	if at.seen, err = s.Seen(ctx, rights.Public(), at.game); err == nil {
		at.snap, at.confirmed = at.seen.Snap, at.seen.Confirmed
	}
	return at, err
}

// displayAt finds the table with a number. While a game runs there and nobody is reseated it is asked of
// Nobody but the game.
func (s *publicPages) displayAt(ctx context.Context, key displayKey) (displayAt, error) {
	seatings := s.Games.SeatingsOf(key.event) // before the queries: what is older than the answer is asked again
	s.displays.mu.Lock()
	at, ok := s.displays.places[key]
	s.displays.mu.Unlock()
	if ok && at.seatings == seatings {
		var err error
		if at.snap, err = s.Games.Look(ctx, at.game); err != nil {
			return at, err
		}
		if phase := at.snap.State.Phase; phase == engine.PhaseDealt || phase == engine.PhasePlaying {
			return at, nil
		}
	}
	at, err := s.findDisplay(ctx, key, tournament.SeesAll)
	at.seatings = seatings
	s.displays.mu.Lock()
	defer s.displays.mu.Unlock()
	delete(s.displays.places, key)
	if err == nil && at.snap != nil {
		if len(s.displays.places) >= placesMost {
			clear(s.displays.places)
		}
		s.displays.places[key] = at
	}
	return at, err
}

func (s *views) findDisplay(ctx context.Context, key displayKey, sight tournament.Sight) (at displayAt, err error) {
	ctx = naming.ForAll(ctx)
	if at.event, err = tournament.TournamentByID(ctx, s.Store, key.event); err != nil {
		return at, err
	}
	rounds, err := tournament.Rounds(ctx, s.Store, key.event)
	if err != nil {
		return at, err
	}
	rounds = sight.AtTables().Rounds(rounds)
	at.news = venue.SeatNews(ctx, rounds)
	round, ok := venue.CurrentRound(rounds)
	if !ok {
		return at, nil
	}
	at.round = round.Number
	table, ok, err := tournament.TableByNumber(ctx, s.Store, round.ID, key.number)
	if err != nil || !ok {
		return at, err
	}
	at.table = table.ID
	current, err := game.CurrentAtTableBefore(ctx, s.Store, table.ID, sight.Tables)
	if err != nil {
		return at, err
	}
	at.game, at.confirmed = current.Game, current.Confirmed
	if at.snap, err = s.Games.Look(ctx, at.game); err != nil {
		return at, err
	}
	at.place, at.people, err = s.GamePlace(ctx, at.snap.Ref)
	return at, err
}
