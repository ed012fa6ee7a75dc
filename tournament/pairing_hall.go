package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
)

// closedNumbers are the tables of the hall that nobody may be seated at.
func closedNumbers(db *gorm.DB, tournamentID int64) (numbers []int, err error) {
	err = db.Model(&ClosedTable{}).Where("tournament_id = ?", tournamentID).Pluck("number", &numbers).Error
	return numbers, err
}

// fixedTables are the players who always sit at one table.
func fixedTables(db *gorm.DB, tournamentID int64) (map[int64]int, error) {
	var players []Player
	err := db.Select("id", "fixed_table").Where("tournament_id = ? AND fixed_table > 0", tournamentID).Find(&players).Error
	fixed := make(map[int64]int, len(players))
	for _, p := range players {
		fixed[p.ID] = p.FixedTable
	}
	return fixed, err
}

// inHall gives a drawn round its tables of the hall: without those out of service, and with those who have a fixed table at
// it. When that takes an exchange, the round's report says so.
func (d roundPairing) inHall(db *gorm.DB, plan [][]int64) ([]int, error) {
	closed, err := closedNumbers(db, d.tournament.ID)
	if err != nil {
		return nil, err
	}
	fixed, err := fixedTables(db, d.tournament.ID)
	if err != nil {
		return nil, err
	}
	numbers := hallNumbers(plan, closed, fixed)
	if len(fixed) == 0 {
		return numbers, nil
	}
	met, err := metBefore(db, d.tournament.ID, d.round.Number)
	if err != nil {
		return nil, err
	}
	settle(plan, numbers, fixed, met.cost)
	rep, err := pairing.Assess(d.q, []pairing.Round{plan})
	if err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	left := d.round.Plan
	err = d.round.judged(rep, nil)
	d.round.Plan = left
	return numbers, err
}

// meetings count how often two players have met; in the round before it counts twice.
type meetings map[pairing.Pair]int

// metBefore are the meetings in the rounds before one.
func metBefore(db *gorm.DB, tournamentID int64, number int) (meetings, error) {
	met := meetings{}
	var rounds []Round
	if err := db.Where("tournament_id = ? AND number < ?", tournamentID, number).Find(&rounds).Error; err != nil {
		return nil, err
	}
	for _, r := range rounds {
		tables, err := tablesOf(db, r.ID)
		if err != nil {
			return nil, err
		}
		for _, table := range tables {
			for i, a := range table {
				for _, b := range table[i+1:] {
					met[pairing.PairOf(a, b)]++
					if r.Number == number-1 {
						met[pairing.PairOf(a, b)]++
					}
				}
			}
		}
	}
	return met, nil
}

// cost of a table is the sum of the squares of its pairs' meetings.
func (m meetings) cost(table []int64) int {
	cost := 0
	for i, a := range table {
		for _, b := range table[i+1:] {
			n := m[pairing.PairOf(a, b)]
			cost += n * n
		}
	}
	return cost
}
