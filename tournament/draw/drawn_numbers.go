package draw

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// WriteDrawn stores the numbers that players drew in the hall, by which the number chart seats them; 0 removes a
// number. No two players of a tournament can have the same number. Rounds already drawn do not change.
type WriteDrawn struct {
	Tournament int64         `json:"tournament,omitempty" path:"id" minimum:"1"`
	Numbers    []DrawnNumber `json:"numbers" maxItems:"5000"`
}

// DrawnNumber is a player's number for the number chart; 0 is none.
type DrawnNumber struct {
	Player int64 `json:"player"`
	Number int   `json:"number" doc:"0: none"`
}

var drawnKind = action.NewKind[WriteDrawn](action.Kind{Name: "player.drawn", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicPeople},
	Details: action.Keep[DrawnChange]})

// DrawnChange is the audit record of a changed chart number, 0 for none. Seed is set if the number was drawn by lot.
type DrawnChange struct {
	Was  int   `json:"was,omitempty"`
	Is   int   `json:"is,omitempty"`
	Seed int64 `json:"seed,omitempty"`
}

// Before returns the old number.
func (d DrawnChange) Before() []action.Phrase { return drawnPhrase(d.Was, 0) }

// After returns the new number, with its seed if it was drawn by lot.
func (d DrawnChange) After() []action.Phrase { return drawnPhrase(d.Is, d.Seed) }

func drawnPhrase(number int, seed int64) []action.Phrase {
	switch {
	case number == 0:
		return nil
	case seed == 0:
		return []action.Phrase{action.Tell(number)}
	}
	return []action.Phrase{action.Say("log.is.drawn_lot", "number", number, "seed", seed)}
}

func (w WriteDrawn) Do(tx *action.Tx) (int, error) {
	players, err := numberedPlayers(tx, w.Tournament)
	if err != nil {
		return 0, err
	}
	numbers := make(map[int64]int, len(w.Numbers))
	for _, n := range w.Numbers {
		if _, twice := numbers[n.Player]; twice {
			return 0, refuse.Invalid("err_drawn_twice", "player", n.Player)
		}
		numbers[n.Player] = n.Number
	}
	return len(numbers), writeDrawn(tx, players, numbers, 0)
}

// DrawNumbers draws lots for the number chart: every active player without a number gets one of the lowest free
// numbers. The outcome is the number of players who got one. The seed is in the log; NumberLots reproduces the result
// from it.
type DrawNumbers struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
}

var drawnLotKind = action.NewKind[DrawNumbers](action.Kind{Name: "player.drawn_lot", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicPeople},
	Details: action.Keep[DrawnChange]})

func (d DrawNumbers) Do(tx *action.Tx) (int, error) {
	players, err := numberedPlayers(tx, d.Tournament)
	if err != nil {
		return 0, err
	}
	seed := tx.Desk.Seeds()
	lots := NumberLots(players, seed)
	return len(lots), writeDrawn(tx, players, lots, seed)
}

// NumberLots shuffles the lowest free numbers among the active players without a number, and returns the numbers by
// player. players must be in the order of entry.
func NumberLots(players []tournament.Player, seed int64) map[int64]int {
	left := leftNumbers(players, func(p tournament.Player) bool { return !p.Withdrawn })
	var numbers []int
	for _, p := range players {
		if n, ok := left[p.ID]; ok {
			numbers = append(numbers, n)
		}
	}
	rand.New(rand.NewPCG(uint64(seed), 0)).Shuffle(len(numbers),
		func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	for _, p := range players {
		if _, ok := left[p.ID]; ok {
			left[p.ID], numbers = numbers[0], numbers[1:]
		}
	}
	return left
}

// numberedPlayers returns the players who may have a number. It first removes the numbers of players on the waiting
// list and of substituted players, because they could not be removed later.
func numberedPlayers(tx *action.Tx, tournamentID int64) (players []tournament.Player, err error) {
	if _, err := tournament.FindTournament(tx.DB, tournamentID); err != nil {
		return nil, err
	}
	var all, out []tournament.Player
	if err := tx.Where("tournament_id = ?", tournamentID).Order("number").Find(&all).Error; err != nil {
		return nil, err
	}
	back := map[int64]int{}
	for _, p := range all {
		if p.State != tournament.StateWaiting && p.State != tournament.StateSubstituted {
			players = append(players, p)
		} else if p.Drawn != 0 {
			out, back[p.ID] = append(out, p), 0
		}
	}
	return players, writeDrawn(tx, out, back, 0)
}

// leftNumbers assigns the lowest free numbers, in the order of entry, to the players without a number for whom gets
// returns true.
func leftNumbers(players []tournament.Player, gets func(tournament.Player) bool) map[int64]int {
	taken, numbers, next := map[int]bool{}, map[int64]int{}, 1
	for _, p := range players {
		taken[p.Drawn] = true
	}
	for _, p := range players {
		if p.Drawn != 0 || !gets(p) {
			continue
		}
		for taken[next] {
			next++
		}
		numbers[p.ID] = next
		next++
	}
	return numbers
}

// writeDrawn stores and records the changed numbers. It clears all of them before it sets the new ones, so that players
// can exchange theirs. seed is the seed of the lots, or 0 if the numbers were entered by hand.
func writeDrawn(tx *action.Tx, players []tournament.Player, numbers map[int64]int, seed int64) error {
	var changed []tournament.Player
	holder := map[int]tournament.Player{}
	known := 0
	for _, p := range players {
		number, given := numbers[p.ID]
		if given {
			known++
		}
		if given && number != p.Drawn {
			if number < 0 || number > rosterfile.Rows {
				return refuse.Invalid("err_drawn_range", "id", p.ID, "player", p.Name, "number", number, "most",
					rosterfile.Rows)
			}
			changed = append(changed, p)
			continue
		}
		if p.Drawn != 0 {
			holder[p.Drawn] = p
		}
	}
	if known != len(numbers) {
		return refuse.Invalid("err_drawn_player")
	}
	ids := make([]int64, len(changed))
	for i, p := range changed {
		ids[i] = p.ID
		number := numbers[p.ID]
		if other, taken := holder[number]; taken {
			return refuse.Conflict("err_drawn_taken", "id", p.ID, "number", number, "player", p.Name, "holder",
				other.Name)
		}
		if number != 0 {
			holder[number] = p
		}
	}
	if err := tx.Model(&tournament.Player{}).Where("id IN ?", ids).Update("drawn", 0).Error; err != nil {
		return err
	}
	for _, p := range changed {
		number := numbers[p.ID]
		if err := tx.Model(&tournament.Player{}).Where("id = ?", p.ID).Update("drawn", number).Error; err != nil {
			return err
		}
		e := action.Entry{Kind: drawnKind, Event: p.TournamentID, On: p.About(), Is: DrawnChange{p.Drawn, number, seed}}
		if seed != 0 {
			e.Kind = drawnLotKind
		}
		tx.Record(e)
	}
	return nil
}

// chartNumbers returns the number that the number chart uses for each player: the drawn one, or the lowest free one in
// the order of entry.
func (d *NextRound) chartNumbers() map[int64]int {
	players := make([]tournament.Player, len(d.Players))
	for i, id := range d.Players {
		players[i] = d.Board.Players[id]
	}
	slices.SortFunc(players, func(a, b tournament.Player) int { return cmp.Compare(a.Number, b.Number) })
	numbers := leftNumbers(players, func(tournament.Player) bool { return true })
	for _, p := range players {
		if p.Drawn != 0 {
			numbers[p.ID] = p.Drawn
		}
	}
	return numbers
}
