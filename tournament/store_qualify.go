package tournament

import (
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/standing"
)

// divisionMost is how long a division's name may be, in characters.
const divisionMost = 60

// Waiver is why a player takes no place of those that the event gives: standing.QualifiedAlready, NotEligible or Declined.
type Waiver struct {
	TournamentID int64
	PlayerID     int64
	State        string
	Why          string
	Actor        string
	At           engine.Millis
}

// TableName is qualifications.
func (Waiver) TableName() string { return "qualifications" }

// Qualification is who qualifies by an event, apart from its ranking.
type Qualification struct {
	Standings Standings
	Places    int
	Reserves  int
	Waivers   map[int64]Waiver
	Entries   []standing.Entry // by standing
	Divisions []Division
}

// Division is a part of the players ranked among themselves, and who of them qualifies when the format gives each
// division its places.
type Division struct {
	Name string
	Rows []StandingsRow
}

// Qualification works out who qualifies by the standings as they are now.
func (s *Store) Qualification(ctx context.Context, tournamentID int64) (Qualification, error) {
	var q Qualification
	standings, err := s.Standings(ctx, tournamentID)
	if err != nil {
		return q, err
	}
	f, err := standings.Tournament.Format()
	if err != nil {
		return q, err
	}
	q.Standings = standings
	if q.Waivers, err = waiversOf(s.Read.WithContext(ctx), tournamentID); err != nil {
		return q, err
	}
	rows := make([]standing.Row, len(standings.Rows))
	for i, r := range standings.Rows {
		rows[i] = r.Row
	}
	q.Places, q.Reserves = f.Qualification.Places(len(rows)), f.Qualification.Reserves
	q.Entries = standing.Qualify(rows, q.Places, q.Reserves, statesOf(q.Waivers))
	q.Divisions = divisions(standings, f.Divisions)
	return q, nil
}

func waiversOf(db *gorm.DB, tournamentID int64) (map[int64]Waiver, error) {
	var waivers []Waiver
	err := db.Where("tournament_id = ?", tournamentID).Find(&waivers).Error
	by := make(map[int64]Waiver, len(waivers))
	for _, w := range waivers {
		by[w.PlayerID] = w
	}
	return by, err
}

func statesOf(waivers map[int64]Waiver) map[int64]string {
	states := make(map[int64]string, len(waivers))
	for player, w := range waivers {
		states[player] = w.State
	}
	return states
}

// divisions ranks each division among itself: those that the format names, then any other that players are in.
func divisions(standings Standings, named []string) (all []Division) {
	have := map[string]bool{}
	byPlayer := make(map[int64]StandingsRow, len(standings.Rows))
	rows := make([]standing.Row, len(standings.Rows))
	for i, r := range standings.Rows {
		have[r.Division] = true
		byPlayer[r.Player], rows[i] = r, r.Row
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if name != "" && !slices.Contains(named, name) {
			named = append(slices.Clone(named), name)
		}
	}
	for _, name := range named {
		division := Division{Name: name}
		for _, r := range standing.Among(rows, standings.Order, func(r standing.Row) bool { return byPlayer[r.Player].Division == name }) {
			row := byPlayer[r.Player]
			row.Row = r
			division.Rows = append(division.Rows, row)
		}
		all = append(all, division)
	}
	return all
}

// SetWaiver says why a player takes no place of those that the event gives; an empty state takes that back. The ranking
// does not change: the next one moves up.
func (s *Store) SetWaiver(ctx context.Context, actor Actor, playerID int64, state, why string) error {
	if err := Authorize(actor, Place{}, ActQualify); err != nil {
		return err
	}
	why = cleanText(why)
	if state != "" && !slices.Contains(standing.Waivers, state) {
		return Refuse(Invalid, "err_waiver_state", "state", state)
	}
	if utf8.RuneCountInString(why) > whyMost {
		return Refuse(Invalid, "err_why_missing", "most", whyMost)
	}
	return s.Tx(ctx, func(tx *gorm.DB) error {
		p, err := findPlayer(tx, playerID)
		if err != nil {
			return err
		}
		var before Waiver
		if err := tx.Where("tournament_id = ? AND player_id = ?", p.TournamentID, p.ID).Limit(1).Find(&before).Error; err != nil {
			return err
		}
		if before.State == state && before.Why == why {
			return nil
		}
		if state == "" {
			err = tx.Where("tournament_id = ? AND player_id = ?", p.TournamentID, p.ID).Delete(&Waiver{}).Error
		} else {
			w := Waiver{p.TournamentID, p.ID, state, why, actor.String(), s.now()}
			err = tx.Clauses(clause.OnConflict{UpdateAll: true, Columns: []clause.Column{{Name: "tournament_id"}, {Name: "player_id"}}}).Create(&w).Error
		}
		if err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: p.TournamentID, action: "qualification.set", subject: p.subject(), before: before.State, after: state, because: why})
	})
}

// SetDivision puts a player into a division, or with an empty name into none.
func (s *Store) SetDivision(ctx context.Context, actor Actor, playerID int64, division string) error {
	if err := Authorize(actor, Place{}, ActEditRoster); err != nil {
		return err
	}
	division = cleanText(division)
	if utf8.RuneCountInString(division) > divisionMost {
		return Refuse(Invalid, "err_player_field_long", "field", "division", "have", utf8.RuneCountInString(division), "most", divisionMost)
	}
	return s.Tx(ctx, func(tx *gorm.DB) error {
		p, err := findPlayer(tx, playerID)
		if err != nil || p.Division == division {
			return err
		}
		if err := tx.Model(&Player{}).Where("id = ?", p.ID).Update("division", division).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: p.TournamentID, action: "player.division", subject: p.subject(), before: p.Division, after: division})
	})
}

func findPlayer(tx *gorm.DB, id int64) (Player, error) {
	var p Player
	if err := tx.Omit("email").Take(&p, id).Error; err != nil {
		return p, missing(err, "player", id)
	}
	return p, nil
}
