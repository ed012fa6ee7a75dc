package ranking

import (
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// A Waiver is the reason why a player does not take a place the tournament gives: standing.QualifiedAlready,
// NotEligible or Declined.
type Waiver struct {
	TournamentID int64
	PlayerID     int64
	State        string
	Why          string
	Actor        string
	At           engine.Millis
}

// TableName returns "qualifications".
func (Waiver) TableName() string { return "qualifications" }

// Qualification holds the players who qualify through a tournament. It is separate from the ranking, because players
// with a waiver are passed over.
type Qualification struct {
	Standings Standings
	Plan      format.Qualification
	Players   int // players counted for the number of places, see berths
	Places    int // total
	Waivers   map[int64]Waiver
	Entries   []standing.Entry // by standings; by division if the plan is per division
	Divisions []Division
}

// Division is a group of players with its own ranking, and its qualifiers if the format gives each division its places.
// The unnamed division holds the players without a division. It exists only if places are given by division, and then
// gets none.
type Division struct {
	Name    string
	Rows    []StandingsRow
	Players int
	Places  int
	Entries []standing.Entry
}

// QualificationOf determines who qualifies by the current standings.
func QualificationOf(ctx context.Context, s *store.DB, tournamentID int64) (Qualification, error) {
	return QualificationAt(ctx, s, tournamentID, tournament.Always)
}

// QualificationAt is like QualificationOf but considers only what happened before at.
func QualificationAt(ctx context.Context, s *store.DB, tournamentID int64, at engine.Millis) (Qualification, error) {
	return store.Look(ctx, s, func(db *gorm.DB) (Qualification, error) {
		b, err := LoadBoardAt(db, tournamentID, at)
		if err != nil {
			return Qualification{}, err
		}
		waivers, err := WaiversOf(db.Where("at < ?", at), tournamentID)
		return b.qualification(waivers), err
	})
}

func (b *Board) qualification(waivers map[int64]Waiver) Qualification {
	plan, states := b.Format.Qualification, statesOf(waivers)
	q := Qualification{Standings: b.standings(), Plan: plan, Waivers: waivers}
	if !plan.PerDivision {
		q.Players, q.Places = b.berths(b.Rows)
		q.Entries = standing.Qualify(b.Rows, q.Places, plan.Reserves, states)
	}
	names := b.divisionNames()
	if none := slices.ContainsFunc(b.Rows,
		func(r standing.Row) bool { return b.Players[r.Player].Division == "" }); none && plan.PerDivision {
		names = append(names, "")
	}
	for _, name := range names {
		rows := b.division(name)
		d := Division{Name: name}
		for _, r := range rows {
			d.Rows = append(d.Rows, b.Row(r))
		}
		switch {
		case plan.PerDivision && name == "":
			d.Entries = standing.Qualify(rows, 0, 0, states)
		case plan.PerDivision:
			d.Players, d.Places = b.berths(rows)
			d.Entries = standing.Qualify(rows, d.Places, plan.Reserves, states)
		}
		q.Players, q.Places = q.Players+d.Players, q.Places+d.Places
		q.Entries, q.Divisions = append(q.Entries, d.Entries...), append(q.Divisions, d)
	}
	return q
}

// berths returns how many players count for places, and how many of them qualify. Players who left without a game, or
// with fewer games than the format requires, do not count. Once the tournament is finished, nor do others with too few
// games.
func (b *Board) berths(rows []standing.Row) (players, places int) {
	for _, r := range rows {
		least := max(1, b.Format.ScoringOf(r.Stage).MinGames)
		if r.Games >= least || !r.Withdrawn && (least == 1 || b.Tournament.Status != tournament.StatusFinished) {
			players++
		}
	}
	return players, b.Format.Qualification.Places(players)
}

// divisionNames returns the format's divisions, then any others that players are in.
func (b *Board) divisionNames() []string {
	have := map[string]bool{}
	for _, p := range b.Players {
		if p.Division != "" && !slices.Contains(b.Format.Divisions, p.Division) {
			have[p.Division] = true
		}
	}
	return slices.AppendSeq(slices.Clone(b.Format.Divisions), slices.Values(slices.Sorted(maps.Keys(have))))
}

// division returns the ranking within a division.
func (b *Board) division(name string) []standing.Row {
	return b.Input.Among(func(player int64) bool { return b.Players[player].Division == name })
}

// WaiversOf returns a tournament's waivers by player.
func WaiversOf(db *gorm.DB, tournamentID int64) (map[int64]Waiver, error) {
	waivers, err := store.All[Waiver](db.Where("tournament_id = ?", tournamentID))
	return store.MapOf(waivers, func(w Waiver) (int64, Waiver) { return w.PlayerID, w }), err
}

func statesOf(waivers map[int64]Waiver) map[int64]string {
	states := make(map[int64]string, len(waivers))
	for player, w := range waivers {
		states[player] = w.State
	}
	return states
}

// SetWaiver sets why a player does not take a place the tournament gives; an empty state removes the waiver. The
// ranking does not change: the next player moves up.
type SetWaiver struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	State  string `json:"state" doc:"qualified_already, not_eligible, declined or empty"`
	Why    string `json:"why,omitempty" maxLength:"500"`
}

var _ = action.NewKind[SetWaiver](action.Kind{Name: "qualification.set", Right: rights.MayQualify,
	Changes: []action.What{action.TopicStandings}, Details: action.Steps("qualify.is.")})

func (s SetWaiver) Do(tx *action.Tx) (w Waiver, err error) {
	why := spelling.Clean(s.Why)
	if s.State != "" && !slices.Contains(standing.Waivers, s.State) {
		return w, refuse.Invalid("err_waiver_state", "state", s.State)
	}
	if utf8.RuneCountInString(why) > action.ReasonMost {
		return w, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	p, err := tournament.FindPlayer(tx.DB, s.Player)
	if err != nil {
		return w, err
	}
	if err := tx.Where("tournament_id = ? AND player_id = ?", p.TournamentID,
		p.ID).Limit(1).Find(&w).Error; err != nil || w.State == s.State && w.Why == why {
		return w, err
	}
	tx.Record(action.Entry{Event: p.TournamentID, On: p.About(), Is: action.Step{Was: w.State, Is: s.State}, Why: why})
	if s.State == "" {
		return Waiver{}, tx.Where("tournament_id = ? AND player_id = ?", p.TournamentID, p.ID).Delete(&Waiver{}).Error
	}
	w = Waiver{p.TournamentID, p.ID, s.State, why, tx.Actor.String(), tx.Now()}
	return w, tx.Clauses(clause.OnConflict{UpdateAll: true, Columns: []clause.Column{{Name: "tournament_id"},
		{Name: "player_id"}}}).Create(&w).Error
}
