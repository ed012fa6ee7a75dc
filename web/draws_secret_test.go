package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/web/api"
)

// lookedAt is all that a reader was shown at one moment of an event.
type lookedAt struct {
	who, when string
	pages     map[string]string // by address
}

// everything asks all pages, streams, files and answers that there are, for the public, a referee and a player who has a seat.
func (e *event) everything(t *testing.T, when string) (all []lookedAt) {
	t.Helper()
	readers := map[string]*reader{"public": e.reader(), "referee": e.signedIn("referee")}
	game := int64(1)
	if len(e.players) > 0 {
		readers["player"], game = e.readerAt(0, 0), e.round.Tables[0].Games[0].ID
	}
	fill := e.addresses(t, game)
	for _, who := range []string{"public", "referee", "player"} {
		r, at := readers[who], lookedAt{who, when, map[string]string{}}
		if r == nil {
			continue
		}
		for _, route := range e.server.handler.Routes() {
			if route.Method != http.MethodGet || strings.HasPrefix(route.Path, "/assets/") || strings.Contains(route.Path, "/openapi") {
				continue
			}
			pattern := strings.NewReplacer("/tournaments/:id", "/tournaments/:event", "/rounds/:id", "/rounds/:round").Replace(route.Path)
			path := fill.Replace(pattern + queries[route.Path])
			status, body := r.first(t, path)
			if at.pages[path] = body; status >= http.StatusInternalServerError {
				t.Errorf("%s to the %s: %d", path, who, status)
			}
		}
		if len(at.pages) < 100 {
			t.Errorf("only %d addresses were asked", len(at.pages))
		}
		all = append(all, at)
	}
	return all
}

var numberShown = regexp.MustCompile(`[0-9]{9,}`)

// foretells looks for a seed, or its salt, in what was shown before it may be told: as it stands, or computed from another number
// that is shown, as draws once followed from each other.
func (l lookedAt) foretells(seed int64, salt string) string {
	for path, body := range l.pages {
		if salt != "" && strings.Contains(body, salt) {
			return path + " tells the salt"
		}
		for _, text := range numberShown.FindAllString(body, -1) {
			shown, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				continue
			}
			for n := range int64(8) {
				event := shown ^ n<<40 // n is 0: it stands there as it is, or is the event's
				for m := range int64(8) {
					if mask := int64(1<<53 - 1); event&mask == seed || (event^m<<40)&mask == seed || (event^m<<44)&mask == seed || (shown+m)&mask == seed {
						return fmt.Sprintf("%s shows %d", path, shown)
					}
				}
			}
		}
	}
	return ""
}

// TestNothingShownTellsALaterDraw walks an event through draws of seats, the rounds that are planned with them, and a lot at its cut,
// and looks at everything that a reader without a right to draw can see: no seed is there before it may be told, none can be computed
// from what is there, and what was promised by a hash is what is shown afterwards.
func TestNothingShownTellsALaterDraw(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := &event{players: map[int64]*caller{}}
	e.hall, e.organizer, e.referee = newStaffed(t)
	e.desk.Seeds = door.RandomSeed
	f := format.Format{Name: "three-and-one", Version: 1, Stages: []format.Stage{
		{Name: "preliminary", Kind: format.Preliminary, Rounds: 3, GamesPerRound: 1, Seating: format.Plan, SeatChange: format.EveryRound, CarryOver: format.CarryAll},
		{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 1, Cut: 4, Seating: "standings", SeatChange: format.EveryRound, CarryOver: format.CarryNone},
	}}
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Drawn", "format": f, "rules": map[string]any{"preset": "wrc", "turn_seconds": 0}, "tiles": "real"}, &made)
	e.id = made.ID
	at := fmt.Sprintf("/tournaments/%d", e.id)
	e.organizer.must(http.MethodPost, at+"/roster", roster(8), nil)
	e.organizer.must(http.MethodPost, at+"/promise", nil, nil)

	var looked []lookedAt
	look := func(when string) { looked = append(looked, e.everything(t, when)...) }
	draft := func() {
		e.organizer.must(http.MethodPost, at+"/rounds", map[string]any{"note": "drawn again"}, &e.round)
	}
	publish := func() {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	}
	draft()
	look("drafted")
	draft() // again
	publish()
	e.joinAll()
	look("published")
	for number := 1; ; number++ {
		e.start()
		for table := range e.round.Tables {
			e.tied(table)
		}
		if number == 3 {
			break
		}
		draft()
		publish()
	}
	look("tied at the cut")
	before := e.promised(t)
	e.organizer.must(http.MethodPost, at+"/lot", nil, nil)
	draft()
	publish()
	look("over")

	told := map[string]string{"promise": "tied at the cut", "plan": "tied at the cut", "final": "over", "lot": "over", "next lot": "never"} // the first moment
	secrets := e.seeds(t)
	if len(secrets) != len(told) {
		t.Fatalf("drawn with %+v", secrets)
	}
	for _, s := range secrets {
		for _, l := range looked {
			if l.when == told[s.of] {
				break
			}
			if found := l.foretells(s.seed, s.salt); found != "" {
				t.Errorf("%s, the %s can tell the seed of the %s: %s", l.when, l.who, s.of, found)
			}
		}
	}
	e.keptPromises(t, before, secrets)
}

// tied plays the game at a table and corrects it to the same for everybody.
func (e *event) tied(table int) {
	e.t.Helper()
	game := e.round.Tables[table].Games[0].ID
	e.count(table, game)
	e.confirmed(game)
	lines := make([]api.CorrectLine, 4)
	for seat := range lines {
		lines[seat] = api.CorrectLine{Seat: seat, Wins: engine.Whole(1) / 4, Opened: true}
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game), map[string]any{"rev": 2, "why": "all are equal", "lines": lines}, nil)
}

// promised is what everybody sees of an event's promises.
func (e *event) promised(t *testing.T) (told []tournament.ToldPromise) {
	t.Helper()
	e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/promises", e.id), nil, &told)
	return told
}

// drawnWith is a seed as it is stored, with the salt of its promise where there is one.
type drawnWith struct {
	of   string
	seed int64
	salt string
}

// seeds are those of the event's draws.
func (e *event) seeds(t *testing.T) (all []drawnWith) {
	t.Helper()
	rows, err := e.store.ReadSQL.Query(`SELECT DISTINCT iif(stage = 0, 'plan', 'final'), seed, '' FROM rounds WHERE tournament_id = ?1 UNION ALL
		SELECT iif(lot = 0, 'promise', iif(lot = (SELECT count(*) FROM lots), 'lot', 'next lot')), seed, salt FROM seed_promises WHERE tournament_id = ?1`, e.id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var d drawnWith
		if err := rows.Scan(&d.of, &d.seed, &d.salt); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(all, func(other drawnWith) bool { return other.seed == d.seed }) {
			t.Errorf("the %s has the seed of another draw", d.of)
		}
		all = append(all, d)
	}
	return all
}

// keptPromises holds what is told in the end against what was promised before, and against what was drawn with.
func (e *event) keptPromises(t *testing.T, before []tournament.ToldPromise, secrets []drawnWith) {
	t.Helper()
	var lot int64
	if err := e.store.ReadSQL.QueryRow(`SELECT seed FROM lots WHERE tournament_id = ?`, e.id).Scan(&lot); err != nil {
		t.Fatal(err)
	}
	seeds := map[string]int64{}
	for _, s := range secrets {
		seeds[s.of] = s.seed
	}
	checked := 0
	for _, p := range e.promised(t) {
		was := slices.IndexFunc(before, func(b tournament.ToldPromise) bool { return b.Round == p.Round && b.Lot == p.Lot })
		if p.Lot == 2 {
			if p.Text != "" || p.Seed != 0 {
				t.Errorf("told before it is drawn: %+v", p)
			}
			continue
		}
		sum := sha256.Sum256([]byte(p.Text))
		if was < 0 || before[was].Hash != p.Hash || hex.EncodeToString(sum[:]) != p.Hash || !strings.Contains(p.Text, fmt.Sprintf("seed %d,", p.Seed)) {
			t.Errorf("promised %+v, told %+v", before, p)
		}
		if checked++; p.Lot == 1 && (p.Seed != lot || lot != seeds["lot"] || p.Kept != tournament.PromiseKept) {
			t.Errorf("the lot was drawn with %d, told %+v", lot, p)
		}
		if p.Round == 1 && (p.Seed == seeds["plan"] || p.Kept != tournament.PromiseBroken) { // it was drawn again
			t.Errorf("the first round was drawn with %d, told %+v", seeds["plan"], p)
		}
	}
	if checked != 2 {
		t.Errorf("%d promises were checked", checked)
	}
	rounds, err := tournament.Rounds(t.Context(), e.store, e.id)
	if err != nil || len(rounds) != 4 {
		t.Fatalf("%d rounds, %v", len(rounds), err)
	}
	for _, r := range rounds {
		var view api.RoundDetail
		if e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", r.ID), nil, &view); view.Seed != r.Seed || r.Seed == 0 {
			t.Errorf("round %d: told %d in the end, drawn with %d", r.Number, view.Seed, r.Seed)
		}
	}
}
