package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/shuffle"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// Verdict is the result of comparing a tournament's facts. A fault is a contradiction. A note names a fact that could
// not be checked or is not decided yet.
type Verdict struct {
	Faults []*Fault
	Notes  []string
	Signed Signed
}

// Signed counts what players and officials did with devices that can sign, and what of it is signed.
type Signed struct {
	Commands, SignedCommands int // of players on tablets
	Rulings, SignedRulings   int // in the logs of games
}

// clockSlack is the largest allowed difference between two times of one transaction. A record may also be earlier than
// the previous one by at most this much. Nodes that share a database have their own clocks.
const clockSlack = engine.Millis(60_000)

// Check compares the facts of a tournament in a database, as Verify does for an archive: games and results, rulings,
// rounds, promises, times and records.
func Check(ctx context.Context, s *store.DB, tournamentID int64) (Verdict, error) {
	c := collecting{a: &Archive{files: map[string][]byte{}}}
	if err := s.Snapshot(ctx, func(db *gorm.DB) error { return c.read(db, tournamentID) }); err != nil {
		return Verdict{}, err
	}
	f := factsOf(ctx, s, &c)
	if err := f.readOfficials(); err != nil {
		return Verdict{}, err
	}
	f.check()
	logged, err := c.logFaults(ctx, s)
	if err != nil {
		return Verdict{}, err
	}
	f.Notes = append(f.Notes, c.a.Notes...)
	for _, err := range slices.Concat(logged, c.promises(), c.lots()) {
		var fault *Fault
		if errors.As(err, &fault) {
			f.Faults = append(f.Faults, fault)
		}
	}
	return f.Verdict, nil
}

// CheckGame is Check for one game. It skips games of practice and rehearsals, which belong to no real tournament.
func CheckGame(ctx context.Context, s *store.DB, game int64) (Verdict, error) {
	event, err := s.IDs(ctx, `SELECT g.tournament_id FROM games g JOIN tournaments t ON t.id = g.tournament_id
		WHERE g.id = $1 AND t.practice = '' AND t.rehearses = 0 AND t.removed_at = 0`, game)
	if err != nil || len(event) == 0 {
		return Verdict{}, err
	}
	all, err := Check(ctx, s, event[0])
	all.Faults = slices.DeleteFunc(all.Faults, func(f *Fault) bool { return f.File != gameName(game) })
	return all, err
}

// facts compares the facts of an archive in the scratch database into which it was imported.
func (a *Archive) facts(ctx context.Context, s *store.DB, c *collecting) Verdict {
	f := factsOf(ctx, s, c)
	for _, left := range a.Manifest.LeftOut {
		f.leftOut[left.Game] = left
	}
	f.check()
	return f.Verdict
}

// Events returns the tournaments that Check applies to: all but rehearsals and practice.
func Events(ctx context.Context, s *store.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT id FROM tournaments WHERE practice = '' AND rehearses = 0 AND removed_at = 0 ORDER BY id`)
}

// facts holds the rows of one tournament, indexed by their subject, and the verdict on them.
type facts struct {
	Verdict
	ctx      context.Context
	store    *store.DB
	c        *collecting
	games    map[int64]export.Game // those with a log
	gameRows map[int64]row
	players  map[int64]row
	tables   map[int64]tableFact
	rounds   map[int64]*roundFact // by id
	results  map[int64][]resultFact
	records  []*record
	byKind   map[string][]*record
	byGame   map[int64][]*record // records with fields
	// inSentences holds the records of older versions, by kind; see record.old.
	inSentences map[string][]*record
	officers    map[string][]office // by name, in time order; nil if the accounts are unknown
	accounts    []string            // names, including removed accounts
	imported    bool
	alone       bool                    // a single game without its tournament
	open        map[int]int             // numbers of unfinished games, by round number
	leftOut     map[int64]LeftOut       // logs missing from an archive, by game
	secrets     map[shuffle.Value]int64 // games by the secrets of their shuffles
	keys        map[int][]boundKey      // by start number, see readKeys
	deals       int                     // joint shuffles
	undealt     int                     // those in which no device took part
	silent      []string                // those in which some device took no part
	unpromised  []string                // numbers of rounds, see collectUnpromised
}

// tableFact is a table of a round, with its players in seat order.
type tableFact struct {
	id, round int64
	number    int
	players   []int64
}

// record is a row of the audit table.
type record struct {
	row
	kind  string
	about action.About
	at    engine.Millis
	used  bool // recorded has matched it with a fact
}

// old reports whether an older version wrote the record, with sentences instead of fields.
func (r *record) old() bool { return r.n("version") == 0 }

// dataOf returns a record's data, or the zero value if it has none or is of another kind.
func dataOf[T any](r *record) (data T) {
	_ = json.Unmarshal([]byte(r.s("data")), &data)
	return data
}

// row is a row whose columns can be read by name.
type row struct {
	p      *part
	values []any
}

func (r row) n(column string) int64 {
	n, _ := r.values[slices.Index(r.p.carry, column)].(int64)
	return n
}

func (r row) s(column string) string {
	text, _ := r.values[slices.Index(r.p.carry, column)].(string)
	return text
}

// number returns a player's start number, or 0 if there is no player.
func (r row) number() int64 {
	if r.p == nil {
		return 0
	}
	return r.n("number")
}

func (r row) at() engine.Millis { return engine.Millis(r.n("at")) }

// all returns the rows of a table.
func (c *collecting) all(table string) []row {
	p := partNamed(table)
	rows := make([]row, len(c.rows[table]))
	for i, values := range c.rows[table] {
		rows[i] = row{&p, values}
	}
	return rows
}

func factsOf(ctx context.Context, s *store.DB, c *collecting) *facts {
	byID := func(table string) map[int64]row {
		return store.MapOf(c.all(table), func(r row) (int64, row) { return r.n("id"), r })
	}
	f := &facts{ctx: ctx, store: s, c: c, gameRows: byID("games"), players: byID("players"),
		games:  store.MapOf(c.games, func(g export.Game) (int64, export.Game) { return g.Game, g }),
		tables: map[int64]tableFact{}, rounds: map[int64]*roundFact{}, results: map[int64][]resultFact{},
		byKind: map[string][]*record{}, byGame: map[int64][]*record{}, inSentences: map[string][]*record{},
		leftOut: map[int64]LeftOut{}, open: map[int]int{}, secrets: map[shuffle.Value]int64{}}
	for _, r := range c.all("rounds") {
		f.rounds[r.n("id")] = newRound(r)
	}
	for _, t := range c.all("tables") {
		f.tables[t.n("id")] = tableFact{id: t.n("id"), round: t.n("round_id"), number: int(t.n("number"))}
	}
	for _, seat := range c.all("seats") {
		t := f.tables[seat.n("table_id")]
		t.players = append(t.players, seat.n("player_id"))
		f.tables[t.id] = t
	}
	lines := map[int64][]row{}
	for _, l := range c.all("result_lines") {
		lines[l.n("result_id")] = append(lines[l.n("result_id")], l)
	}
	for _, r := range c.all("results") {
		f.results[r.n("game_id")] = append(f.results[r.n("game_id")], resultFact{r, lines[r.n("id")]})
	}
	for _, r := range c.all("audit") {
		one := readRecord(r)
		f.imported = f.imported || one.kind == "tournament.import"
		f.records = append(f.records, one)
		f.byKind[one.kind] = append(f.byKind[one.kind], one)
		if one.old() {
			f.inSentences[one.kind] = append(f.inSentences[one.kind], one)
		} else if id := one.about.Game; id != 0 {
			f.byGame[id] = append(f.byGame[id], one)
		}
	}
	return f
}

// sentence matches the round or game in the subject of an old record.
var sentence = regexp.MustCompile(`^(round|game) (\d+)`)

func readRecord(r row) *record {
	one := &record{row: r, kind: r.s("action"), at: r.at()}
	_ = json.Unmarshal([]byte(r.s("about")), &one.about)
	if m := sentence.FindStringSubmatch(r.s("subject")); one.old() && m != nil {
		n, _ := strconv.ParseInt(m[2], 10, 64)
		if m[1] == "round" {
			one.about.Round = int(n)
		} else {
			one.about.Game = n
		}
	}
	return one
}

// check compares all facts.
func (f *facts) check() {
	f.checkRecords()
	f.readKeys()
	for _, g := range f.c.all("games") {
		f.checkGame(g)
	}
	f.sumSigned()
	f.checkRuled()
	f.sumShuffles()
	for _, r := range f.inOrder() {
		if n := f.open[r.number]; n > 0 {
			f.note("round %d: %d games are not over yet", r.number, n)
		}
	}
	f.checkTables()
	f.checkResultRecords()
	f.checkRulings()
	f.checkMissed()
	for _, r := range f.inOrder() {
		f.checkRound(r)
	}
	f.sumPromises()
	f.checkEvent()
}

func (f *facts) fault(file, format string, args ...any) {
	f.Faults = append(f.Faults, &Fault{file, fmt.Sprintf(format, args...)})
}

func (f *facts) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// inOrder returns the rounds by number.
func (f *facts) inOrder() []*roundFact {
	return slices.SortedFunc(maps.Values(f.rounds),
		func(a, b *roundFact) int { return cmp.Compare(a.number, b.number) })
}

// place returns the text that identifies a game in a fault: its round, table and number.
func (f *facts) place(game row) string {
	t := f.tables[game.n("table_id")]
	number := 0
	if r := f.rounds[t.round]; r != nil {
		number = r.number
	}
	return fmt.Sprintf("round %d, table %d, game %d", number, t.number, game.n("number"))
}

// over reports whether the tournament is finished.
func (f *facts) over() bool { return f.c.event.Status == tournament.StatusFinished }

// player returns the text that identifies a player in a fault.
func (f *facts) player(id int64) string {
	p, known := f.players[id]
	if f.alone {
		return fmt.Sprintf("player:%d", id)
	}
	if !known {
		return fmt.Sprintf("player:%d, who is not in the roster", id)
	}
	return fmt.Sprintf("player %d (%s)", p.n("number"), p.s("name"))
}

// game is place for the ID of a game, which may be missing.
func (f *facts) game(id int64) string {
	g, known := f.gameRows[id]
	if !known {
		return fmt.Sprintf("game %d, which is missing", id)
	}
	return f.place(g)
}

// sought describes the record that a fact needs. Game 0 matches any game, an empty actor any actor.
type sought struct {
	kinds []string
	game  int64
	actor string
	at    engine.Millis
}

// recorded returns the record of a fact, or nil. The record must also satisfy holds; an old one needs only the kind,
// the actor and the time. A record matches one fact only.
func (f *facts) recorded(s sought, holds func(r *record) bool) *record {
	for _, kind := range s.kinds {
		among := f.byKind[kind]
		if s.game != 0 {
			among = slices.Concat(f.byGame[s.game], f.inSentences[kind])
		}
		for _, r := range among {
			if r.used || r.kind != kind || s.actor != "" && r.s("actor") != s.actor {
				continue
			}
			if near := r.at >= s.at-clockSlack && r.at <= s.at+clockSlack; near && (r.old() || holds(r)) {
				r.used = true
				return r
			}
		}
	}
	return nil
}
