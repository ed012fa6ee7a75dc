package public

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
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	webscreens "meldhall/web/screens"
	"meldhall/web/view"
)

// A display shows drafts while they change, at most every displayLeast. Its stream sends a sign of life every second,
// so that the page can report a lost connection within three.
const (
	displayLeast = 100 * time.Millisecond
	turnsShown   = 5
	placesMost   = 1000 // tables whose place is cached
)

// displays caches what the screens at one table share: the table and game that its number currently stands for, and the
// region as last rendered.
type displays struct {
	regions *page.Regions
	mu      sync.Mutex
	places  map[displayKey]displayAt
}

type displayKey struct {
	tournamentID int64
	number       int
}

func newDisplays(now func() time.Time) *displays {
	return &displays{regions: page.NewRegions(now, displayLeast*4/5), places: map[displayKey]displayAt{}}
}

// displayAt describes the table with a number in the current round. table is its ID, or 0 if the round has no such
// table; game is the game that is played or counted there.
type displayAt struct {
	seatings  uint64
	news      string
	event     tournament.Tournament
	round     int
	table     int64
	game      int64
	confirmed bool
	place     play.GamePlace
	people    []play.Person
	snap      *game.Snapshot
	seen      view.SeenGame // as seen by its viewers
}

func displayParams(c *gin.Context) (displayKey, error) {
	number := page.ID(c, "number")
	if number > screen.DisplayNumberMost {
		return displayKey{}, request.NotFound(c)
	}
	return displayKey{page.ID(c, "event"), int(number)}, nil
}

// displaySettings reads the settings of a screen from its address.
func (s *Pages) displaySettings(c *gin.Context) (screens.DisplaySettings, error) {
	sides, err := page.Optional(c.Query, "sides")
	turn, wrong := page.Optional(c.Query, "turn")
	return screens.DisplaySettings{Sides: int(sides), Turn: int(turn), Theme: c.Query("theme"),
		Lang: s.Page.LanguageNamed(c)}, errors.Join(err, wrong)
}

// displayFrame is NewPage for a screen: dark unless its settings say otherwise.
func (s *Pages) displayFrame(c *gin.Context, title string, set screens.DisplaySettings) part.Page {
	return webscreens.Themed(s.Page.NewPage(c, title, nil), set.Theme)
}

// displayPage renders a screen at a table or in the hall. It never shows a rack. Anyone who may see the tournament can
// open it, and so can a screen that is paired with the table.
func (s *Pages) displayPage(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	ctx := s.Page.LanguageAsked(c)
	there, err := s.standsAt(c, key)
	if err == nil && !there {
		err = s.View.Sights.AuthorizeEvent(ctx, s.Page.Request.Staff(c), key.tournamentID)
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
	p := s.displayFrame(c, locale.T(ctx, "table.title", "number", key.number), set)
	home := templates.DisplayPath(key.tournamentID, key.number)
	lang := screens.DisplaySettings{Lang: set.Lang}
	p.Live = part.Live{URL: string(home) + "/live" + lang.Query(), Quiet: page.NearQuiet, Near: true}
	return s.showIn(c, ctx, screens.DisplayPage(p, set, string(home)+set.Query(), region.Component()))
}

// showIn renders a page in the language of ctx, which the address may set.
func (s *Pages) showIn(c *gin.Context, ctx context.Context, p templ.Component) error {
	html, err := page.Render(ctx, p)
	if err != nil {
		return err
	}
	page.SendHTML(c, http.StatusOK, html)
	return nil
}

// text returns the region's cache key, which differs between a screen paired with the table and other viewers.
func (k displayKey) text(there bool) string {
	return "display " + strconv.FormatInt(k.tournamentID, 10) + " " + strconv.Itoa(k.number) + " " +
		strconv.FormatBool(there)
}

// strays returns two results: whether the requesting screen must leave this page, because it was paired with another
// table or removed (strays), and whether it is paired now (paired). was is whether it was paired before: a screen
// that was never paired may stay.
func (s *Pages) strays(ctx context.Context, token string, key displayKey, was bool) (strays, paired bool,
	err error) {
	d, paired, err := s.screens.Paired(ctx, token)
	if err != nil || !paired {
		return was, false, err
	}
	return d.TournamentID != key.tournamentID || d.Number != key.number, true, nil
}

// standsAt reports whether officials have paired the requesting screen with this table.
func (s *Pages) standsAt(c *gin.Context, key displayKey) (bool, error) {
	token := s.screens.Token(c)
	d, paired, err := s.screens.Paired(c.Request.Context(), token)
	return paired && d.TournamentID == key.tournamentID && d.Number == key.number, err
}

// displayLive sends the whole screen after every event and while a draft is changed.
func (s *Pages) displayLive(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	ctx := s.Page.LanguageAsked(c)
	token, who := s.screens.Token(c), s.Page.Request.Staff(c)
	topics := append(page.TableTopics(key.tournamentID), live.DisplaysTopic())
	watcher := s.Page.Request.Hub.Watch(topics...)
	again := time.AfterFunc(displayLeast, watcher.Wake) // the cache may predate a change made just before watching
	ends := []func(){func() { again.Stop() }}
	table, paired, moves, looked := int64(-1), false, ^uint64(0), time.Time{}
	var people []play.Person
	var points *live.Pointers
	feed := live.Feed{Watcher: watcher, Ends: ends, Least: displayLeast, Ping: page.NearPing,
		Next: func() (live.Message, error) {
			if now, m := s.View.Store.Now(), s.screens.Moves(); token != "" &&
				(m != moves || now.Sub(looked) > webscreens.Look) {
				var strays bool
				var err error
				if strays, paired, err = s.strays(ctx, token, key, paired); err != nil || strays {
					return live.Message{Event: "go", Data: []byte("{}")}, err
				}
				moves, looked = m, now
			}
			again.Reset(webscreens.Look)
			if !paired {
				if err := s.View.Sights.AuthorizeEvent(ctx, who, key.tournamentID); err != nil {
					return live.Message{}, err
				}
			}
			at, err := s.displayAt(ctx, key)
			if err != nil {
				return live.Message{}, err
			}
			if at.table != table {
				table = at.table
				points.Follow(table)
				watcher.Turn(append(slices.Clone(topics), live.TableTopic(table))...)
				again.Reset(displayLeast)
			}
			people = at.people
			d, err := s.displays.regions.Drawn(ctx, key.text(paired), 0, s.display(key, paired))
			return d.Message(), err
		}}
	// anyone may open this page, but only the screen at the table shows what its people point at
	points = s.Page.Pointed(ctx, &feed, func() ([]play.Person, int, bool) { return people, engine.Spectator, paired })
	return s.Page.StreamPage(c, feed)
}

// display returns a function that renders a screen. A screen paired with the table also shows the table while a
// duplicate round hides the tables from other viewers.
func (s *Pages) display(key displayKey, there bool) func(context.Context) (templ.Component, error) {
	return func(ctx context.Context) (templ.Component, error) {
		at, err := s.displaySeen(ctx, key, there)
		if err != nil {
			return nil, err
		}
		v := screens.DisplayView{Event: key.tournamentID, Name: at.event.Name, Number: key.number, Round: at.round,
			News: at.news, Build: s.View.Build}
		v.Game = play.Game{ID: at.game, Place: at.place, Seats: at.people, Counted: at.confirmed}
		v.Game.View.Seat, v.Closed = engine.Spectator, at.seen.NoResult
		if !there {
			if v.Note, err = s.View.Sights.ShownNote(ctx, rights.Public(), key.tournamentID,
				tournament.PartTables); err != nil {
				return nil, err
			}
		}
		if at.snap == nil || at.snap.State.Phase == engine.PhaseNew || v.Closed {
			return screens.DisplayRegion(v), nil
		}
		v.HasGame, v.Game.Charged = true, view.ChargedBy(at.snap.State.Rules)
		if v.Game.View, err = s.View.Games.Seals.ShownOn(ctx, at.snap, there); err != nil {
			return nil, err
		}
		v.Game.View = at.seen.Trim(v.Game.View)
		v.Hidden = v.Game.View.Held && !there
		v.Game.View.Now = engine.MillisOf(s.View.Store.Now())
		if at.snap.Draft != nil && !v.Hidden {
			v.Game.View.Table = view.DraftTable(at.snap)
			for _, set := range v.Game.View.Table {
				v.Laying += len(set.New)
			}
		}
		turns, err := s.View.Sights.TurnsSeen(ctx, at.game, at.seen.At)
		for _, t := range turns[max(0, len(turns)-turnsShown):] {
			line := turnLine(t, at.people)
			if !v.Hidden {
				line.Did.Moved = movedIn(ctx, t)
			}
			v.Turns = append(v.Turns, line)
		}
		return screens.DisplayRegion(v), err
	}
}

// movedIn describes what a play changed on the table. It names tiles, so it is not for viewers of a hidden table.
func movedIn(ctx context.Context, t record.PublicTurn) string {
	if len(t.Played) == 0 {
		return ""
	}
	return play.ChangeWords(ctx, t.Before.Faces(), t.After.Faces(), play.MostSaid)
}

func turnLine(t record.PublicTurn, people []play.Person) screens.TurnLine {
	line := screens.TurnLine{Number: t.Number, Did: public.Deed{Kind: t.Kind, Played: len(t.Played),
		Drawn: t.Drawn}}
	if t.Seat < len(people) {
		line.Name = people[t.Seat].Name
	}
	return line
}

// displaySeen returns displayAt as the viewer may see it: in full for a screen paired with the table (there), otherwise
// as the public sees it.
func (s *Pages) displaySeen(ctx context.Context, key displayKey, there bool) (displayAt, error) {
	sight, err := s.View.Sights.Of(ctx, rights.Public(), key.tournamentID)
	if err != nil {
		return displayAt{}, err
	}
	if there || sight == tournament.SeesAll {
		at, err := s.displayAt(ctx, key)
		at.seen = view.SeenGame{Snap: at.snap, At: tournament.Always}
		return at, err
	}
	at, err := s.views.findDisplay(ctx, key, sight)
	if err != nil || at.snap == nil {
		return at, err
	}
	if at.seen, err = s.View.Sights.Seen(ctx, rights.Public(), at.game); err == nil {
		at.snap, at.confirmed = at.seen.Snap, at.seen.Confirmed
	}
	return at, err
}

// displayAt finds the table with a number. While a game is running there and the seating has not changed, it reads only
// the game.
func (s *Pages) displayAt(ctx context.Context, key displayKey) (displayAt, error) {
	seatings := s.View.Games.Seatings.Of(key.tournamentID) // read first, so an outdated result is not reused
	s.displays.mu.Lock()
	at, ok := s.displays.places[key]
	s.displays.mu.Unlock()
	if ok && at.seatings == seatings {
		var err error
		if at.snap, err = s.View.Games.Look(ctx, at.game); err != nil {
			return at, err
		}
		if phase := at.snap.State.Phase; phase == engine.PhaseDealt || phase == engine.PhasePlaying {
			return at, nil
		}
	}
	at, err := s.views.findDisplay(ctx, key, tournament.SeesAll)
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
	ctx = displayname.ForAll(ctx)
	if at.event, err = tournament.TournamentByID(ctx, s.View.Store, key.tournamentID); err != nil {
		return at, err
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, key.tournamentID)
	if err != nil {
		return at, err
	}
	rounds = sight.AtTables().Rounds(rounds)
	at.news = view.SeatNews(ctx, rounds)
	round, ok := view.CurrentRound(rounds)
	if !ok {
		return at, nil
	}
	at.round = round.Number
	table, ok, err := tournament.TableByNumber(ctx, s.View.Store, round.ID, key.number)
	if err != nil || !ok {
		return at, err
	}
	at.table = table.ID
	current, err := game.CurrentAtTableBefore(ctx, s.View.Store, table.ID, sight.Tables)
	if err != nil {
		return at, err
	}
	at.game, at.confirmed = current.Game, current.Confirmed
	if at.snap, err = s.View.Games.Look(ctx, at.game); err != nil {
		return at, err
	}
	at.place, at.people, err = s.View.Tournaments.GamePlace(ctx, at.snap.Ref)
	return at, err
}
