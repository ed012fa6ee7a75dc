package webtest

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

	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/web/api"
)

// lookedAt is all that a reader was shown at one point of a tournament.
type lookedAt struct {
	who, when string
	pages     map[string]string // by address
}

// everything requests all pages, streams, files and API responses as the public, a referee and a seated player.
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
		for _, route := range e.server.Routes() {
			if route.Method != http.MethodGet || strings.HasPrefix(route.Path, "/assets/") ||
				strings.Contains(route.Path, "/openapi") {
				continue
			}
			pattern := strings.NewReplacer("/tournaments/:id", "/tournaments/:event", "/rounds/:id",
				"/rounds/:round").Replace(route.Path)
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

// foretells looks for a seed or its salt in pages shown before it may be revealed. It also tries seeds derived from
// shown numbers, because draws once followed from each other.
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
				tournamentID := shown ^ n<<40 // n = 0 is the number itself
				for m := range int64(8) {
					if mask := int64(1<<53 - 1); tournamentID&mask == seed || (tournamentID^m<<40)&mask == seed ||
						(tournamentID^m<<44)&mask == seed || (shown+m)&mask == seed {
						return fmt.Sprintf("%s shows %d", path, shown)
					}
				}
			}
		}
	}
	return ""
}

// TestNothingShownTellsALaterDraw walks a tournament through draws of seats, the rounds planned with them, and a lot at
// its cut. It checks everything that a reader without the right to draw can see: no seed appears or can be computed
// before it may be revealed, and each revealed seed matches its published hash.
func TestNothingShownTellsALaterDraw(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := &event{players: map[int64]*caller{}}
	e.hall, e.organizer, e.referee = newStaffed(t)
	e.desk.Seeds = action.RandomSeed
	f := format.Format{Name: "three-and-one", Version: 1, Stages: []format.Stage{
		{Name: "preliminary", Kind: format.Preliminary, Rounds: 3, GamesPerRound: 1, Seating: format.Plan,
			SeatChange: format.EveryRound, CarryOver: format.CarryAll},
		{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 1, Cut: 4, Seating: "standings",
			SeatChange: format.EveryRound, CarryOver: format.CarryNone},
	}}
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Drawn", "format": f,
		"rules": map[string]any{"preset": "wrc", "turn_seconds": 0}, "tiles": "real"}, &made)
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
	draft() // a second draw of the same round
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

	// when each seed may first be seen
	told := map[string]string{"promise": "tied at the cut", "plan": "tied at the cut", "final": "over", "lot": "over",
		"next lot": "never"}
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

// tied plays the game at a table and corrects it to the same points for all players.
func (e *event) tied(table int) {
	e.t.Helper()
	game := e.round.Tables[table].Games[0].ID
	e.count(table, game)
	e.confirmed(game)
	lines := make([]api.CorrectLine, 4)
	for seat := range lines {
		lines[seat] = api.CorrectLine{Seat: seat, Wins: score.Whole(1) / 4, Opened: true}
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		map[string]any{"rev": 2, "why": "all are equal", "lines": lines}, nil)
}

// promised returns the public promises of a tournament.
func (e *event) promised(t *testing.T) (told []tournament.ToldPromise) {
	t.Helper()
	e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/promises", e.id), nil, &told)
	return told
}

// drawnWith is a stored seed, with the salt of its promise if there is one.
type drawnWith struct {
	of   string
	seed int64
	salt string
}

// seeds returns the seeds of the tournament's draws.
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

// keptPromises checks the revealed values against the earlier promises and the seeds that were used.
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
		was := slices.IndexFunc(before, func(b tournament.ToldPromise) bool {
			return b.Round == p.Round &&
				b.Lot == p.Lot
		})
		if p.Lot == 2 {
			if p.Text != "" || p.Seed != 0 {
				t.Errorf("told before it is drawn: %+v", p)
			}
			continue
		}
		sum := sha256.Sum256([]byte(p.Text))
		if was < 0 || before[was].Hash != p.Hash || hex.EncodeToString(sum[:]) != p.Hash ||
			!strings.Contains(p.Text, fmt.Sprintf("seed %d,", p.Seed)) {
			t.Errorf("promised %+v, told %+v", before, p)
		}
		if checked++; p.Lot == 1 && (p.Seed != lot || lot != seeds["lot"] || p.Kept != tournament.PromiseKept) {
			t.Errorf("the lot was drawn with %d, told %+v", lot, p)
		}
		// the round was drawn again
		if p.Round == 1 && (p.Seed == seeds["plan"] || p.Kept != tournament.PromiseBroken) {
			t.Errorf("the first round was drawn with %d, told %+v", seeds["plan"], p)
		}
	}
	if checked != 2 {
		t.Errorf("%d promises were checked", checked)
	}
	rounds, err := draw.Rounds(t.Context(), e.store, e.id)
	if err != nil || len(rounds) != 4 {
		t.Fatalf("%d rounds, %v", len(rounds), err)
	}
	for _, r := range rounds {
		var view api.RoundDetail
		if e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", r.ID), nil, &view); view.Seed != r.Seed ||
			r.Seed == 0 {
			t.Errorf("round %d: told %d in the end, drawn with %d", r.Number, view.Seed, r.Seed)
		}
	}
}
