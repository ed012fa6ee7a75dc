package standing

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
)

// Keys of the reasons that separate two neighbouring rows, besides the tie-breaks of package format. Rows of a stage
// rank above those of an earlier one.
const (
	Shared             = "shared" // nothing: they share the place
	ByStage            = "stage"
	ByDisqualification = "disqualified"
	ByWithdrawal       = "withdrawn"
	ByPlaying          = "played"
	ByMinGames         = "min_games"
	ByReaching         = "reached"
	ByLowest           = "lowest"
)

// Reasons lists everything that can separate two neighbours.
var Reasons = append([]string{Shared, ByStage, ByDisqualification, ByWithdrawal, ByPlaying, ByMinGames, ByReaching,
	ByLowest}, format.TieBreaks...)

// Reason is what separates a row from the one above: a key, its values above and below if it has any, and the number,
// from 1, of the single game or play-off.
type Reason struct {
	Key   string        `json:"key" doc:"shared: no criterion; otherwise one of order, stage, played, withdrawn or disqualified"`
	Above score.Twelfth `json:"above"`
	Below score.Twelfth `json:"below"`
	Nth   int           `json:"nth,omitempty" doc:"the number of the single game or play-off"`
	Only  bool          `json:"only,omitempty" doc:"the player below has no such game or did not play the play-off"`
}

// none is the value of a player with nothing to compare.
const none = score.Twelfth(-1 << 60)

// key separates players who are still tied. values returns a value for each of them, or nil if the key does not apply.
// The highest value ranks first.
type key struct {
	name   string
	nth    int
	hidden bool // its values are not shown
	low    bool // values are shown with the opposite sign
	values func(tied []*tally) []score.Twelfth
}

// Order returns the names of the keys that decide in a stage, in order. It omits ByPlaying and ByWithdrawal.
func Order(in Input, stage int) []string {
	var names []string
	for _, k := range keysOf(in, stage, nil) {
		if k.name != ByPlaying && k.name != ByWithdrawal && !slices.Contains(names, k.name) {
			names = append(names, k.name)
		}
	}
	return names
}

// each builds a values function from one player's value.
func each(value func(*tally) score.Twelfth) func([]*tally) []score.Twelfth {
	return func(tied []*tally) []score.Twelfth {
		values := make([]score.Twelfth, len(tied))
		for i, t := range tied {
			values[i] = value(t)
		}
		return values
	}
}

func truth(b bool) score.Twelfth {
	if b {
		return 1
	}
	return 0
}

// keysOf returns the keys that decide in a stage, in order: having played, having played enough games, the ranking, the
// tie-breaks.
func keysOf(in Input, stage int, all []*tally) []key {
	at := in.stageAt(stage)
	ranking := in.ranking(stage)
	keys := []key{{name: ByPlaying, hidden: true,
		values: each(func(t *tally) score.Twelfth { return truth(t.Games > 0) })}}
	if n := at.Scoring.MinGames; n > 0 {
		keys = append(keys, key{name: ByMinGames, hidden: true,
			values: each(func(t *tally) score.Twelfth { return truth(t.Games >= n) })})
	}
	wins := key{name: format.TieWins, values: each(func(t *tally) score.Twelfth { return t.Wins })}
	points := key{name: format.TiePoints, values: each(func(t *tally) score.Twelfth { return t.Total })}
	lowest := key{name: ByLowest, low: true, values: each(func(t *tally) score.Twelfth { return -t.Total })}
	switch ranking {
	case ruleset.ByPoints:
		keys = append(keys, points)
	case ruleset.LowestPoints: // a player who withdrew would win by not playing
		keys = append(keys, key{name: ByWithdrawal, hidden: true,
			values: each(func(t *tally) score.Twelfth { return truth(!t.Withdrawn) })}, lowest)
	case format.WinsOnly:
		keys = append(keys, wins)
	case format.ByTablePoints:
		keys = append(keys, tablePointsKey())
	case format.FirstTo:
		keys = append(keys, reachedKey(), wins, points)
	default:
		keys = append(keys, wins, points)
	}
	for _, tie := range at.Scoring.TieBreaks {
		switch {
		case slices.ContainsFunc(keys, func(k key) bool { return k.name == tie }):
		case tie == format.TieWins:
			keys = append(keys, wins)
		case tie == format.TiePoints && ranking == ruleset.LowestPoints:
		case tie == format.TiePoints:
			keys = append(keys, points)
		default:
			keys = append(keys, tieKeys(in, stage, tie, ranking == ruleset.LowestPoints, all)...)
		}
	}
	return keys
}

func tablePointsKey() key {
	return key{name: format.TieTablePoints, values: each(func(t *tally) score.Twelfth { return t.TablePoints })}
}

// reachedKey ranks players who reached the required wins first, earlier ones higher.
func reachedKey() key {
	return key{name: ByReaching, hidden: true, values: each(func(t *tally) score.Twelfth {
		if t.reached == 0 {
			return none
		}
		return -score.Twelfth(t.reached)
	})}
}

// tieKeys returns the keys of a tie-break; the single games are one key each.
func tieKeys(in Input, stage int, tie string, lowest bool, all []*tally) []key {
	switch tie {
	case format.TieTablePoints:
		return []key{tablePointsKey()}
	case format.TieBestGame:
		return bestGames(lowest, all)
	case format.TieOpponents:
		return []key{{name: tie, low: lowest, values: each(func(t *tally) score.Twelfth { return t.opponents })}}
	case format.TieTurnOrder:
		return []key{{name: tie, hidden: true,
			values: each(func(t *tally) score.Twelfth { return -score.Twelfth(t.turn) })}}
	case format.TiePlayOff:
		return playOffKeys(lowest)
	case format.TieLot:
		return []key{lotKey(in, stage)}
	}
	return nil
}

func bestGames(lowest bool, all []*tally) []key {
	most := 1
	for _, t := range all {
		most = max(most, len(t.games))
	}
	keys := make([]key, most)
	for i := range keys {
		keys[i] = key{name: format.TieBestGame, nth: i + 1, low: lowest, values: each(func(t *tally) score.Twelfth {
			switch {
			case i >= len(t.games):
				return none
			case lowest:
				return -t.games[i]
			}
			return t.games[i]
		})}
	}
	return keys
}

// playOffKeys returns keys that separate tied players by the wins of a play-off, then by its points. A key applies only
// if all of them played it, except those who withdrew or were disqualified.
func playOffKeys(lowest bool) []key {
	var keys []key
	for n := 1; n <= format.PlayOffsMost; n++ {
		for part := range 2 {
			keys = append(keys, key{name: format.TiePlayOff, nth: n, hidden: true,
				values: func(tied []*tally) []score.Twelfth {
					values := make([]score.Twelfth, len(tied))
					for i, t := range tied {
						played, ok := t.playOffs[n]
						switch {
						case !ok && !t.Withdrawn && !t.Disqualified:
							return nil
						case !ok:
							values[i] = none
						case part == 1 && lowest:
							values[i] = -played[part]
						default:
							values[i] = played[part]
						}
					}
					return values
				}})
		}
	}
	return keys
}

// lotKey separates tied players by the newest lot at the end of the stage that was drawn among exactly these players.
// Players who withdrew or were disqualified do not count, and rank last.
func lotKey(in Input, stage int) key {
	return key{name: format.TieLot, hidden: true, values: func(tied []*tally) []score.Twelfth {
		plays := func(t *tally) bool { return !t.Withdrawn && !t.Disqualified }
		playing := 0
		for _, t := range tied {
			if plays(t) {
				playing++
			}
		}
		for _, lot := range slices.Backward(in.Lots) {
			if lot.Stage != stage+1 || len(lot.Drawn) != playing {
				continue
			}
			values, found := make([]score.Twelfth, len(tied)), 0
			for i, t := range tied {
				at := slices.Index(lot.Drawn, t.Player)
				switch {
				case at < 0:
					at = len(lot.Drawn)
				case plays(t):
					found++
				}
				values[i] = -score.Twelfth(at)
			}
			if found == playing {
				return values
			}
		}
		return nil
	}}
}

// refine separates tied players by the keys in order. It calls give for each group that is still tied, best first, with
// what separates it from the group above.
func refine(tied []*tally, keys []key, why Reason, give func([]*tally, Reason)) {
	var values []score.Twelfth
	for len(keys) > 0 && len(tied) > 1 {
		if values = keys[0].values(tied); values != nil && slices.Min(values) != slices.Max(values) {
			break
		}
		keys, values = keys[1:], nil
	}
	if len(tied) == 0 {
		return
	}
	if values == nil || len(keys) == 0 {
		give(tied, why)
		return
	}
	k := keys[0]
	at := map[score.Twelfth][]*tally{}
	for i, t := range tied {
		at[values[i]] = append(at[values[i]], t)
	}
	ordered := slices.Sorted(slices.Values(values))
	slices.Reverse(ordered)
	ordered = slices.Compact(ordered)
	for i, value := range ordered {
		if i > 0 {
			why = k.reason(ordered[i-1], value)
		}
		refine(at[value], keys[1:], why, give)
	}
}

func (k key) reason(above, below score.Twelfth) Reason {
	r := Reason{Key: k.name, Nth: k.nth, Only: below == none && k.nth > 0}
	switch {
	case k.hidden || r.Only:
	case k.low:
		r.Above, r.Below = -above, -below
	default:
		r.Above, r.Below = above, below
	}
	return r
}
