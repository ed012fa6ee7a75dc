package pairing

// Cost is what is wrong with a draw, the worst first. Each field weighs more than all that a search could
// win in the fields after it; all but RankGap are counts, so that their differences can be said in words.
type Cost struct {
	Consecutive int64 `json:"consecutive"` // pairs who meet in two rounds that follow each other
	Repeats     int64 `json:"repeats"`     // n² − n for a pair that meets n times: 2 for a second meeting, 6 for a third
	Wishes      int64 `json:"wishes"`      // wishes to be kept apart that are not met, by their weight
	Threes      int64 `json:"threes"`      // how unevenly places at tables of three are spread, after every round
	Starts      int64 `json:"starts"`      // how unevenly the first seat, who starts, is spread
	Seats       int64 `json:"seats"`       // how unevenly the four seats are spread
	Neighbours  int64 `json:"neighbours"`  // n² − n for a player who plays n times directly after the same one
	RankGap     int64 `json:"rank_gap"`    // squared differences of standing at a table, in 64ths of the field
}

// The weights of a search. A unit of a field outweighs what one exchange of two players can change in the later ones.
const (
	weighRank        = 1
	weighNeighbour   = 1 << 13
	weighSeat        = 1 << 15
	weighStart       = 1 << 16
	weighThree       = 1 << 21
	weighWish        = 1 << 24
	weighRepeat      = 1 << 30
	weighConsecutive = 1 << 34
)

// Minus is what c has more than d, field by field.
func (c Cost) Minus(d Cost) Cost {
	return Cost{c.Consecutive - d.Consecutive, c.Repeats - d.Repeats, c.Wishes - d.Wishes, c.Threes - d.Threes,
		c.Starts - d.Starts, c.Seats - d.Seats, c.Neighbours - d.Neighbours, c.RankGap - d.RankGap}
}

// Less tells whether c is the better draw: the first field that differs decides.
func (c Cost) Less(d Cost) bool {
	for _, f := range [...][2]int64{{c.Consecutive, d.Consecutive}, {c.Repeats, d.Repeats}, {c.Wishes, d.Wishes}, {c.Threes, d.Threes},
		{c.Starts, d.Starts}, {c.Seats, d.Seats}, {c.Neighbours, d.Neighbours}} {
		if f[0] != f[1] {
			return f[0] < f[1]
		}
	}
	return c.RankGap < d.RankGap
}
