package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cluster"
	"meldhall/cmd/internal/secrecy"
	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/export"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/standing"
	"meldhall/tournament/store/storetest"
)

// shortFormat has all stages of the WRC format but fewer games, so that a test can play it.
const shortFormat = `{"name":"short","version":1,"source":"a test","stages":[
{"name":"preliminary","kind":"preliminary","rounds":2,"games_per_round":1,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"},
{"name":"semi","kind":"semi","rounds":1,"games_per_round":1,"cut":16,"seating":"snake","seat_change":"every_round","carry_over":"none"},
{"name":"final","kind":"final","rounds":1,"games_per_round":2,"cut":4,"seating":"standings","seat_change":"every_round","carry_over":"none"}]}`

// longer returns the same format with times as many games before the final.
func longer(times int) string {
	return strings.ReplaceAll(shortFormat, `"games_per_round":1`, fmt.Sprintf(`"games_per_round":%d`, times))
}

// wholeEvent is a tournament played over HTTP, with everything that the server sent.
type wholeEvent struct {
	server    *client.Server
	base      string // the server's address; below, the first organizer's token
	setup     string
	house     *cluster.House // a cluster in place of the server; nil for one server
	times     int            // multiplies shortFormat's games before the final
	begun     func()         // if set, called once the tournament exists
	round     atomic.Int64
	acks      *acknowledged // moves acknowledged to players; nil if not recorded
	transport http.RoundTripper
	db        string
	staff     client.Official
	ref       client.Official
	id        int64
	rounds    []client.Round
	games     map[int64]export.Game
	states    map[int64][]engine.State // by game, after each event; the first is before any event
	heard     *secrecy.Eavesdropper

	views, others int // responses checked: with a view of a game, and others
}

// TestWholeEventOverHTTP plays a tournament from its roster to the champion. The real program runs as a separate
// process, with 33 players, a referee, an organizer and spectators as clients.
func TestWholeEventOverHTTP(t *testing.T) {
	testWholeEvent(t, filepath.Join(t.TempDir(), "event.db"))
}

// TestWholeEventOnPostgres plays the same tournament on a PostgreSQL server.
func TestWholeEventOnPostgres(t *testing.T) {
	testWholeEvent(t, storetest.Server(t, storetest.Empty))
}

func testWholeEvent(t *testing.T, db string) {
	e := playWholeEvent(t, db, 1)
	e.test(t)
	t.Run("verify", func(t *testing.T) {
		if err := e.server.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := (verifyCmd{All: true, DB: e.db}).Run(); err != nil {
			t.Error(err)
		}
	})
}

// test checks everything that was played and sent.
func (e *wholeEvent) test(t *testing.T) {
	t.Run("the log", e.testLogs)
	t.Run("scores and standings", e.testScores)
	t.Run("nobody was sent a hidden tile", e.testSecrets)
}

// presetFolder creates a folder of presets with one custom format.
func presetFolder(t testing.TB, name, plan string) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"rules", "formats"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "formats", name+".json"), []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func playWholeEvent(t *testing.T, db string, times int) *wholeEvent {
	server := launch(t, db, "--presets", presetFolder(t, "short", longer(times)))
	t.Cleanup(server.Kill)
	e := &wholeEvent{server: server, base: server.Base, setup: server.Setup, times: times, db: db,
		transport: client.NewTransport()}
	e.play(t)
	return e
}

// play plays the tournament to its end.
func (e *wholeEvent) play(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	t.Cleanup(cancel)
	e.games, e.states, e.heard = map[int64]export.Game{}, map[int64][]engine.State{}, &secrecy.Eavesdropper{}
	e.signIn(ctx, t)
	e.create(ctx, t)
	if e.begun != nil {
		e.begun()
	}
	clients := newFollowers(ctx)
	defer clients.stop()
	for {
		info, err := e.staff.Tournament(ctx, e.id)
		if err != nil {
			t.Fatal(err)
		}
		if info.Status == tournament.StatusFinished {
			break
		}
		e.playRound(ctx, t, clients)
	}
	e.collect(ctx, t, e.api(secrecy.Viewer{Kind: secrecy.Public}))
}

// api returns a client whose responses are all recorded.
func (e *wholeEvent) api(viewer secrecy.Viewer) *client.Client {
	c := client.New(e.base, e.transport)
	c.Seen = e.heard.As(viewer)
	return c
}

// signIn creates the organizer's and the referee's accounts, and signs in.
func (e *wholeEvent) signIn(ctx context.Context, t *testing.T) {
	t.Helper()
	var err error
	if e.staff, err = client.SetUp(ctx, e.api(secrecy.Viewer{Kind: secrecy.Staff}), e.setup, "Ada",
		"a long enough password"); err != nil {
		t.Fatal(err)
	}
	if err := e.staff.Hire(ctx, "Rémi", "another long password"); err != nil {
		t.Fatal(err)
	}
	if e.ref, err = client.SignIn(ctx, e.api(secrecy.Viewer{Kind: secrecy.Staff}), "Rémi",
		"another long password"); err != nil {
		t.Fatal(err)
	}
}

// followers are the clients that play and watch in the background until the test stops them.
type followers struct {
	playing context.Context
	cancel  context.CancelFunc
	all     sync.WaitGroup
	failed  chan error
}

func newFollowers(ctx context.Context) *followers {
	f := &followers{failed: make(chan error, 200)}
	f.playing, f.cancel = context.WithCancel(ctx)
	return f
}

func (f *followers) follow(run func(context.Context) error) {
	f.all.Go(func() {
		if err := run(f.playing); err != nil && f.playing.Err() == nil {
			f.failed <- err
		}
	})
}

func (f *followers) stop() {
	f.cancel()
	f.all.Wait()
}

// playRound seats the next round and referees it to its end. In the first round the players join. A spectator watches
// every game.
func (e *wholeEvent) playRound(ctx context.Context, t *testing.T, clients *followers) {
	t.Helper()
	if e.house != nil { // an organizer would try again
		e.house.Steady.RLock()
	}
	r, err := e.staff.NextRound(ctx, e.id, 0)
	if err != nil {
		t.Fatal(err)
	}
	e.rounds = append(e.rounds, r)
	e.round.Store(r.ID)
	for _, table := range r.Tables {
		for _, s := range table.Seats {
			if len(e.rounds) > 1 {
				break
			}
			c := e.api(secrecy.Viewer{Kind: secrecy.Player, Player: s.Player.ID})
			mine, err := client.Join(ctx, c, s.Code)
			if err != nil {
				t.Fatal(err)
			}
			bot := client.NewBot(mine, s.Player.ID)
			if e.acks != nil {
				bot.Told = e.acks.told
			}
			clients.follow(bot.Run)
		}
		for _, g := range table.Games { // a spectator at every table
			c := e.api(secrecy.Viewer{Kind: secrecy.Public})
			clients.follow(func(ctx context.Context) error {
				return c.Follow(ctx, fmt.Sprintf("/games/%d/live", g.ID), func(client.Message) error { return nil })
			})
		}
	}
	if err := e.staff.Start(ctx, r.ID); err != nil {
		t.Fatal(err)
	}
	if e.house != nil {
		e.house.Steady.RUnlock()
	}
	refereed := make(chan error, 1)
	go func() { refereed <- e.refereeRound(ctx, r.ID) }()
	select {
	case err = <-refereed:
	case err = <-clients.failed:
	}
	if err != nil {
		t.Fatal(err)
	}
}

// refereeRound confirms the games of a round as they end. It keeps retrying when nodes are killed.
func (e *wholeEvent) refereeRound(ctx context.Context, round int64) error {
	for {
		err := e.ref.RefereeRound(ctx, round, 100*time.Millisecond, nil)
		if err == nil || e.house == nil || client.Refused(err) && !client.Refused(err, "err_storage") ||
			ctx.Err() != nil {
			return err
		}
	}
}

// create previews and creates the tournament with the demo's roster, and checks that roster.
func (e *wholeEvent) create(ctx context.Context, t *testing.T) {
	roster, err := data.Demo.ReadFile("demo/roster.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(roster)), "\n")[1:]
	var long, hebrew, kanji int
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ",")
		if utf8.RuneCountInString(name) == 40 {
			long++
		}
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) }) {
			hebrew++
		}
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			kanji++
		}
	}
	if len(lines) != 33 || long == 0 || hebrew == 0 || kanji == 0 {
		t.Fatalf("the roster has %d lines, %d names of 40 characters, %d Hebrew and %d Japanese or Chinese ones",
			len(lines), long, hebrew, kanji)
	}
	info, err := e.staff.Create(ctx, client.NewTournament{Name: "Whole event", Format: "short",
		Rules: map[string]any{"preset": "wrc"}}, roster)
	if err != nil {
		t.Fatal(err)
	}
	e.id = info.ID
	var again struct{ Entered, Already int }
	err = e.staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id), client.CSV(roster),
		&again)
	if err != nil || again.Entered != 0 || again.Already != len(lines) {
		t.Errorf("the same roster twice: got %+v, %v", again, err)
	}
}

// collect exports every game and reads the rounds as they ended.
func (e *wholeEvent) collect(ctx context.Context, t *testing.T, public *client.Client) {
	for i, r := range e.rounds {
		var err error
		if e.rounds[i], err = e.staff.Round(ctx, r.ID); err != nil {
			t.Fatal(err)
		}
		for _, table := range r.Tables {
			for _, g := range table.Games {
				var game export.Game
				if err := public.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d/export", g.ID), nil,
					&game); err != nil {
					t.Fatal(err)
				}
				e.games[g.ID] = game
			}
		}
	}
	if want := (9+9+4)*e.times + 2; len(e.games) != want || len(e.rounds) != 4 {
		t.Fatalf("got %d games in %d rounds, want %d in 4", len(e.games), len(e.rounds), want)
	}
}

// testLogs checks the invariants of every state of every game.
func (e *wholeEvent) testLogs(t *testing.T) {
	turns, plays, redeals := 0, 0, 0
	for id, game := range e.games {
		if s, err := export.Verify(game); err != nil {
			t.Errorf("game %d, seq %d: %v", id, s.Seq, err)
			continue
		}
		events, err := export.Log(game)
		if err != nil {
			t.Fatal(err)
		}
		states := []engine.State{{}}
		for _, event := range events {
			s := engine.Apply(states[len(states)-1], event)
			states = append(states, s)
			switch event.(type) {
			case engine.TilesPlayed:
				plays++
			case engine.RedealAsked:
				redeals++
			case engine.TurnExpired:
				t.Errorf("game %d, seq %d: a turn expired, and the bots are fast", id, s.Seq)
			}
			if n := tilesOf(s); s.Deal > 0 && n != tile.Count {
				t.Errorf("game %d, seq %d: %d different tiles, want %d", id, s.Seq, n, tile.Count)
			}
		}
		turns += states[len(states)-1].Turn.Number
		e.states[id] = states
	}
	t.Logf("%d games, %d turns, %d plays, %d redeals", len(e.games), turns, plays, redeals)
	if plays < 10*len(e.games) {
		t.Errorf("only %d plays: the bots hardly play", plays)
	}
}

// tilesOf counts the distinct tiles of a state; it returns 0 if a tile is in two places.
func tilesOf(s engine.State) int {
	seen := map[tile.Tile]bool{}
	n := 0
	add := func(tiles tile.List) {
		for _, one := range tiles {
			seen[one] = true
			n++
		}
	}
	add(s.Pool)
	for _, rack := range s.Racks {
		add(rack)
	}
	for _, laid := range s.Table {
		add(laid.Tiles)
	}
	if n != len(seen) {
		return 0
	}
	return n
}

// testScores rescores every game from its last racks, and computes the standings from those scores alone.
func (e *wholeEvent) testScores(t *testing.T) {
	in := standing.Input{Method: ruleset.WinsThenPoints}
	for i, r := range e.rounds {
		stage := []int{0, 0, 1, 2}[i]
		if stage == len(in.Stages) {
			in.Stages = append(in.Stages, standing.Stage{FirstRound: i + 1,
				Carry: []string{format.CarryAll, format.CarryNone, format.CarryNone}[stage]})
		}
		first := i == in.Stages[stage].FirstRound-1
		for _, table := range r.Tables {
			for _, s := range table.Seats {
				if first {
					in.Stages[stage].Entrants = append(in.Stages[stage].Entrants, s.Player.ID)
				}
				if i == 0 {
					in.Players = append(in.Players, standing.Player{ID: s.Player.ID, Number: s.Player.Number})
				}
			}
			for _, g := range table.Games {
				for seat, l := range e.countFromRacks(t, g) {
					l.Player, l.Round, l.Stage = table.Seats[seat].Player.ID, i+1, stage
					in.Lines = append(in.Lines, l)
				}
			}
		}
	}
	for stage, size := range []int{33, 16, 4} {
		if n := len(in.Stages[stage].Entrants); n != size {
			t.Errorf("stage %d has %d players, want %d", stage, n, size)
		}
		if _, ok := format.Tables(size); !ok {
			t.Errorf("%d players cannot be seated", size)
		}
	}
	got, err := standings(t.Context(), client.New(e.base, e.transport), e.id)
	if err != nil {
		t.Fatal(err)
	}
	want := standing.Rank(in)
	if len(got) != 33 || len(want) != 33 {
		t.Fatalf("got %d rows, recomputed %d", len(got), len(want))
	}
	for i, row := range got {
		if w := want[i]; row.Place != w.Place || row.Player != w.Player || row.Wins != w.Wins ||
			row.Points != w.Points || row.Games != w.Games {
			t.Errorf("row %d: got %+v, recomputed %+v", i, row, w)
		}
	}
	if !got[0].Champion {
		t.Error("the first is no champion")
	}
	t.Logf("champion: %s, %s wins, %s points", got[0].Name, got[0].Wins, got[0].Points.Signed())
}

// countFromRacks scores a finished game by the rules from its last state, and compares the published result.
func (e *wholeEvent) countFromRacks(t *testing.T, g client.Game) []standing.Line {
	t.Helper()
	states := e.states[g.ID]
	if len(states) == 0 {
		t.Fatalf("game %d was not replayed", g.ID)
	}
	s := states[len(states)-1]
	ending, hands := score.Exhausted, make([]score.Hand, s.Seats)
	for seat := range hands {
		hands[seat] = score.Hand{Rack: tile.FacesOf(s.Racks[seat]), Opened: s.Opened[seat], Able: s.Able[seat]}
		if len(hands[seat].Rack) == 0 {
			ending = score.Emptied
		}
	}
	o, err := score.Score(s.Rules, ending, hands)
	if err != nil {
		t.Fatalf("game %d: %v", g.ID, err)
	}
	if g.Result == nil || g.Result.Status != game.ResultConfirmed || len(g.Result.Lines) != s.Seats {
		t.Fatalf("game %d: result %+v", g.ID, g.Result)
	}
	lines := make([]standing.Line, s.Seats)
	for seat, l := range g.Result.Lines {
		if l.Points != o.Points[seat] || l.Wins != o.Wins[seat] {
			t.Errorf("game %d, seat %d: got %v points and %v wins, the rack counts %v and %v", g.ID, seat, l.Points,
				l.Wins, o.Points[seat], o.Wins[seat])
		}
		lines[seat] = standing.Line{Points: o.Points[seat], Wins: o.Wins[seat]}
	}
	if sum := sumOf(o.Points); ending == score.Emptied && s.Rules.WinBonus == 0 && sum != 0 {
		t.Errorf("game %d: the points of an emptied game add up to %v", g.ID, sum)
	}
	if sum := sumOf(o.Wins); sum != score.Whole(1) {
		t.Errorf("game %d: the wins add up to %v", g.ID, sum)
	}
	return lines
}

func sumOf(amounts []score.Twelfth) (sum score.Twelfth) {
	for _, a := range amounts {
		sum += a
	}
	return sum
}
