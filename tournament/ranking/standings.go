// Package ranking computes a tournament's standings, cuts, lots and qualification from its stored results, and ends
// rounds and tournaments.
package ranking

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// Standings is the ranking of the players, recomputed from the current results at each read.
type Standings struct {
	Tournament tournament.Tournament
	Stages     []format.Stage
	Stage      int // last stage that has begun, from 0
	Rounds     int // published
	Rows       []StandingsRow
	Order      []string       // tie-breaks of that stage, in order: keys of format and standing
	Used       map[string]int // how many neighbours each tie-break separates
	Titles     []Title        // only for a finished tournament
	Input      standing.Input // the input of the ranking
	Cut        *Cut           // next cut by the current standings; nil: none
	CutFinal   bool           // the stage before the cut has had all its games
}

// StandingsRow is a player's row in the standings, with the player's data.
type StandingsRow struct {
	standing.Row
	Name    string
	Country string
	Club    string
	Number  int

	Division string

	FederationNumber string // empty: none
}

// Title holds the winners of a finished tournament or of a division. Several share it if no tie-break separates them.
type Title struct {
	Division  string // empty: the whole tournament
	Champions []StandingsRow
}

// Champions returns the winners of all titles.
func (s Standings) Champions() (all []StandingsRow) {
	for _, t := range s.Titles {
		all = append(all, t.Champions...)
	}
	return all
}

// ByPlayer returns the rows by player.
func (s Standings) ByPlayer() map[int64]StandingsRow {
	return store.MapOf(s.Rows, func(r StandingsRow) (int64, StandingsRow) { return r.Player, r })
}

// Cut is the cut for a stage. With the number of stages as Stage, it holds the winners of the first places at the end.
// The players in Tied compete for Places places. Lot decides among them; it is nil until it is drawn. Until then Ties
// lists all ties across the line: several if each table has its own cut. Decides lists the methods that will separate
// them, in order: format.TiePlayOff, format.TieLot.
type Cut struct {
	Stage  int
	Size   int
	In     []int64
	Tied   []int64
	Places int
	Lot    *Lot

	AtTables []int64 // those in In who are among the best of their tables, if the stage takes these
	Ties     [][]int64
	Decides  []string
	// PlayOff lists the ties to be decided by one more game, each separately, before any other method.
	PlayOff [][]int64
}

// Through returns the players who advance, by standings and then by lot; tied players only after a lot.
func (c Cut) Through() []int64 {
	through := append([]int64(nil), c.In...)
	if c.Lot != nil {
		through = append(through, c.Lot.Drawn[:c.Places]...)
	}
	return through
}

// Lot is a recorded lot among the players tied at the cut for a stage. Drawn is the resulting order, computed from Seed
// (see drawLot).
type Lot struct {
	ID           int64
	TournamentID int64
	Stage        int
	Players      []int64 `gorm:"serializer:json"`
	Drawn        []int64 `gorm:"serializer:json"`
	Seed         int64
	Actor        string
	At           engine.Millis
}

// StandingsOf computes the standings from the current results.
func StandingsOf(ctx context.Context, s *store.DB, tournamentID int64) (Standings, error) {
	return StandingsAt(ctx, s, tournamentID, tournament.Always)
}

// StandingsAt is like StandingsOf but considers only what happened before at: a moment of a Sight, or Always.
func StandingsAt(ctx context.Context, s *store.DB, tournamentID int64, at engine.Millis) (Standings, error) {
	return store.Look(ctx, s, func(db *gorm.DB) (Standings, error) {
		board, err := LoadBoardAt(db, tournamentID, at)
		if err != nil {
			return Standings{}, err
		}
		out := board.standings()
		out.Cut, out.CutFinal, err = board.cutNow(db)
		return out, err
	})
}

func (b *Board) standings() Standings {
	out := Standings{Tournament: b.Tournament, Stages: b.Format.Stages, Stage: max(len(b.Input.Stages)-1, 0),
		Rounds: len(b.rounds), Rows: make([]StandingsRow, len(b.Rows)), Input: b.Input}
	standing.AddMoves(b.Input, b.Rows)
	for i, row := range b.Rows {
		out.Rows[i] = b.Row(row)
	}
	out.Order, out.Used = standing.Order(b.Input, out.Stage), map[string]int{}
	for _, row := range b.stageRows(out.Stage) {
		out.Used[row.Reason.Key]++
	}
	if out.Tournament.Status == tournament.StatusFinished {
		out.Titles = b.titles()
	}
	return out
}

// titles returns the titles of the tournament, or of its divisions if each has its own first places.
func (b *Board) titles() (titles []Title) {
	add := func(division string, rows []standing.Row) {
		title := Title{Division: division}
		for _, r := range rows {
			if r.Place == 1 && r.Games > 0 && !r.Disqualified {
				title.Champions = append(title.Champions, b.Row(r))
			}
		}
		if len(title.Champions) > 0 {
			titles = append(titles, title)
		}
	}
	if !b.Format.Qualification.PerDivision {
		add("", b.Rows)
		return titles
	}
	for _, name := range b.divisionNames() {
		add(name, b.division(name))
	}
	return titles
}

// Board holds the standings and their input.
type Board struct {
	Tournament tournament.Tournament
	Format     format.Format
	Players    map[int64]tournament.Player
	Input      standing.Input
	rounds     []tournament.Round // published
	Rows       []standing.Row     // without moves, see standing.AddMoves
	at         engine.Millis      // only earlier data is included
	Unranked   bool               // no results loaded: rows give the stages, but not the order
}

// Row returns a standings row with the player's data.
func (b *Board) Row(r standing.Row) StandingsRow {
	p := b.Players[r.Player]
	return StandingsRow{Row: r, Name: p.Name, Country: p.Country, Club: p.Club, Number: p.Number,
		Division: p.Division, FederationNumber: p.FederationNumber}
}

// LoadBoard reads the standings as of now.
func LoadBoard(db *gorm.DB, tournamentID int64) (*Board, error) {
	return LoadBoardAt(db, tournamentID, tournament.Always)
}

// LoadBoardAt reads the standings as of a time.
func LoadBoardAt(db *gorm.DB, tournamentID int64, at engine.Millis) (*Board, error) {
	b, err := UnrankedBoard(db, tournamentID, at)
	if err != nil {
		return nil, err
	}
	if err := b.Rank(db); err != nil {
		return nil, err
	}
	return b, b.unfinish(db)
}

// UnrankedBoard returns a board without results, because reading those takes longer than all the rest.
func UnrankedBoard(db *gorm.DB, tournamentID int64, at engine.Millis) (*Board, error) {
	b := &Board{Players: map[int64]tournament.Player{}, at: at, Unranked: true}
	var err error
	if b.Tournament, err = tournament.FindTournament(db, tournamentID); err != nil {
		return nil, err
	}
	var rules ruleset.Ruleset
	if b.Format, rules, err = b.Tournament.Plan(); err != nil {
		return nil, err
	}
	b.Input.Method = rules.Standings
	var players []tournament.Player
	if err := db.Omit("email").Where("tournament_id = ? AND "+tournament.CountedPlayers,
		tournamentID).Order("number").Find(&players).Error; err != nil {
		return nil, err
	}
	out, err := DisqualifiedAt(db, tournamentID, at)
	if err != nil {
		return nil, err
	}
	before, err := tournament.WithdrawnAt(db, b.Tournament, at)
	if err != nil {
		return nil, err
	}
	for _, p := range players {
		b.Players[p.ID] = p
		withdrawn, changed := before[p.Number]
		if !changed {
			withdrawn = p.Withdrawn
		}
		b.Input.Players = append(b.Input.Players, standing.Player{ID: p.ID, Number: p.Number, Withdrawn: withdrawn,
			Disqualified: out[p.ID]})
	}
	if b.Input.Penalties, err = pointsOffTotals(db, tournamentID, at); err != nil {
		return nil, err
	}
	if err := b.loadStages(db, rules); err != nil {
		return nil, err
	}
	b.Rows = standing.RankUnmoved(b.Input)
	return b, nil
}

// Rank reads the results and computes the places.
func (b *Board) Rank(db *gorm.DB) error {
	if err := b.loadLines(db); err != nil {
		return err
	}
	lots, err := LotsOf(db, b.Tournament.ID, b.at)
	if err != nil {
		return err
	}
	for _, lot := range lots {
		b.Input.Lots = append(b.Input.Lots, standing.Lot{Stage: lot.Stage, Drawn: lot.Drawn})
	}
	b.Rows, b.Unranked = standing.RankUnmoved(b.Input), false
	return nil
}

// unfinish marks a finished tournament as running if anything that counts happened after the board's moment, because
// there was no winner then.
func (b *Board) unfinish(db *gorm.DB) error {
	if b.at == tournament.Always || b.Tournament.Status != tournament.StatusFinished {
		return nil
	}
	var later bool
	err := db.Raw(`SELECT EXISTS (SELECT 1 FROM results r JOIN games g ON g.id = r.game_id WHERE g.tournament_id = @event AND r.at >= @at)
		OR EXISTS (SELECT 1 FROM lots WHERE tournament_id = @event AND at >= @at)
		OR EXISTS (SELECT 1 FROM sanctions s LEFT JOIN sanction_decisions d ON d.sanction_id = s.id WHERE s.tournament_id = @event AND (s.at >= @at OR d.at >= @at))`,
		map[string]any{"event": b.Tournament.ID, "at": b.at}).Scan(&later).Error
	if later {
		b.Tournament.Status = tournament.StatusRunning
	}
	return err
}

// loadStages finds the stages that have begun, and their entrants. A draft does not begin a stage.
func (b *Board) loadStages(db *gorm.DB, rules ruleset.Ruleset) error {
	var rounds []tournament.Round
	if err := db.Where("tournament_id = ? AND status <> ? AND published_at < ?", b.Tournament.ID, tournament.RoundDraft,
		b.at).Order("number").Find(&rounds).Error; err != nil {
		return err
	}
	for i, r := range rounds {
		if r.FinishedAt >= b.at {
			rounds[i].Status = tournament.RoundRunning
		}
	}
	b.rounds = rounds
	for stage, plan := range b.Format.Stages {
		entrants, first, err := b.entered(db, stage)
		if err != nil {
			return err
		}
		if stage > 0 && first == 0 {
			break
		}
		rules, err := preset.WithRules(rules, plan.Rules)
		if err != nil {
			return err
		}
		b.Input.Stages = append(b.Input.Stages, standing.Stage{FirstRound: max(first, 1), Entrants: entrants,
			Carry:   plan.CarryOver,
			Scoring: b.Format.ScoringOf(stage), Lowest: rules.Points == ruleset.Penalty})
	}
	return nil
}

// entered returns a stage's players and its first round: all players for the first stage, else those seated in the
// stage's first round. first is 0 before that is published.
func (b *Board) entered(db *gorm.DB, stage int) (entrants []int64, first int, err error) {
	if stage == 0 {
		for _, p := range b.Input.Players {
			entrants = append(entrants, p.ID)
		}
		return entrants, 1, nil
	}
	for _, r := range b.rounds {
		if r.Stage == stage {
			err = db.Model(&tournament.Seat{}).Where("round_id = ?", r.ID).Order("player_id").Pluck("player_id",
				&entrants).Error
			return entrants, r.Number, err
		}
	}
	return nil, 0, nil
}

// loadLines reads the current results. It reads the turn order only if it decides ties.
func (b *Board) loadLines(db *gorm.DB) error {
	var err error
	if b.Input.Lines, err = linesOf(db, b.Tournament.ID, b.at); err != nil ||
		!slices.ContainsFunc(b.Input.Stages,
			func(s standing.Stage) bool { return s.Scoring.Has(format.TieTurnOrder) }) {
		return err
	}
	var started []struct {
		Game    int64
		Starter int
		Seats   int
	}
	starter := "CAST(" + store.JSONField(db, "e.data", "starter") + " AS INTEGER)"
	err = db.Raw(`SELECT e.game_id AS game, `+starter+` AS starter,
			(SELECT count(*) FROM seats s JOIN games g ON g.table_id = s.table_id WHERE g.id = e.game_id) AS seats
		FROM game_events e JOIN games g ON g.id = e.game_id
		WHERE g.tournament_id = ? AND e.kind IN ('game_started', 'starter_chosen') AND `+starter+` >= 0
		ORDER BY e.game_id, e.seq`, b.Tournament.ID).Scan(&started).Error
	first := map[int64][2]int{}
	for _, s := range started {
		first[s.Game] = [2]int{s.Starter, s.Seats}
	}
	for i, l := range b.Input.Lines {
		if s, ok := first[l.Game]; ok && s[1] > 0 {
			b.Input.Lines[i].Turn = (l.Turn - s[0] + s[1]) % s[1]
		}
	}
	return err
}

// whole scans an integer directly; database/sql would convert it to text and parse it.
type whole[T ~int | ~int64] struct{ into *T }

func (w whole[T]) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a number in the standings has the type %T", value)
	}
	*w.into = T(n)
	return nil
}

// linesOf reads the current results. It scans the rows itself, because there are thousands, they are read again and
// again during a tournament, and gorm takes three times as long.
func linesOf(db *gorm.DB, tournamentID int64, at engine.Millis) ([]standing.Line, error) {
	before, args := "", []any{tournamentID}
	if at != tournament.Always {
		before, args = " AND at < ?", []any{at, tournamentID}
	}
	rows, err := db.Raw(`
		SELECT l.player_id, r.number, r.stage, r.play_off, g.id, g.number, t.id, l.seat, l.wins, l.points,
			x.status = 'provisional' OR EXISTS (SELECT 1 FROM damages) AND `+store.CurrentDamage+`
		FROM rounds r JOIN tables t ON t.round_id = r.id JOIN games g ON g.table_id = t.id
		JOIN results x ON x.game_id = g.id AND x.rev = (SELECT max(rev) FROM results WHERE game_id = g.id`+before+`)
		JOIN result_lines l ON l.result_id = x.id
		WHERE r.tournament_id = ? AND x.ending <> 'annulled'`, args...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var lines []standing.Line
	for rows.Next() {
		lines = append(lines, standing.Line{})
		l := &lines[len(lines)-1]
		if err := rows.Scan(whole[int64]{&l.Player}, whole[int]{&l.Round}, whole[int]{&l.Stage}, whole[int]{&l.PlayOff},
			whole[int64]{&l.Game}, whole[int]{&l.Order},
			whole[int64]{&l.Table}, whole[int]{&l.Turn}, whole[score.Twelfth]{&l.Wins},
			whole[score.Twelfth]{&l.Points}, &l.Provisional); err != nil {
			return nil, err
		}
	}
	return lines, rows.Err()
}

// stageRows returns the rows of the players for whom stage is the last one they reached, best first.
func (b *Board) stageRows(stage int) []standing.Row {
	var rows []standing.Row
	for _, row := range b.Rows {
		if row.Stage == stage {
			rows = append(rows, row)
		}
	}
	return rows
}
