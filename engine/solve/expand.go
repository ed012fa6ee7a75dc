package solve

// expansion makes the kids of one state, colour by colour.
type expansion struct {
	*search
	at    *kid
	n     int
	cost  int32
	roomy bool                               // room is counted
	most  int32                              // what a kid may promise
	ahead [colours + 1][mostJokers + 1]int32 // least cost of this colour and the later ones, and of the groups, from this number on, by jokers
	kid   kid                                // colours chosen so far
	links [colours][]link                    // at the next number
	arcs  [colours]*arc
	spare [colours]uint8
}

func (s *search) expand(at *kid, n int, cost int32) {
	e := expansion{search: s, at: at, n: n, cost: cost, most: s.best - unit, roomy: s.thrift && s.jokers > 0 && s.kept.broken > 0}
	e.ahead[colours] = s.earn[n]
	for c := colours - 1; c >= 0; c-- {
		toGo := &s.chains.links[c][n][at.to[c]].toGo
		for left := range at.left + 1 {
			e.ahead[c][left] = e.ahead[c+1][left] + toGo[left]
		}
		e.links[c] = s.chains.links[c][n+1]
	}
	e.colour(0, cost, at.left)
}

func (e *expansion) colour(c int, sum int32, left int8) {
	link := &e.chains.links[c][e.n][e.at.to[c]]
	most := e.most - sum
	for i := link.first; i < link.last; i++ {
		a := &e.chains.arcs[i]
		rest := left - int8(a.jokers)
		if rest < 0 {
			continue
		}
		least := a.own + e.links[c][a.to].toGo[rest]
		if least+e.ahead[c+1][rest] > most {
			continue
		}
		e.arcs[c], e.spare[c] = a, a.spare
		e.kid.arcs[c], e.kid.to[c] = i, a.to
		if c < colours-1 {
			e.colour(c+1, sum+least, rest)
		} else {
			e.group(rest)
		}
	}
}

// group keeps groups of the old table in every way, and makes new ones of what is spare.
func (e *expansion) group(left int8) {
	old := e.kept.at[e.n]
	if len(old) == 0 {
		e.new(e.spare, 0, 0, left)
		return
	}
choices:
	for chosen := 1<<len(old) - 1; chosen >= 0; chosen-- {
		takes, jokers, broken := e.kept.choose(e.n, uint8(chosen))
		rest := e.spare
		for c := range colours {
			if takes[c] > rest[c] {
				continue choices
			}
			rest[c] -= takes[c]
		}
		if left >= int8(jokers) {
			e.new(rest, uint8(chosen), broken, left-int8(jokers))
		}
	}
}

// new makes new groups: as many as the spare tiles allow, and more of them with jokers. More groups never leave more
// tiles of any colour idle.
func (e *expansion) new(spare [colours]uint8, chosen, broken uint8, left int8) {
	all := int(spare[0]) + int(spare[1]) + int(spare[2]) + int(spare[3])
	if all == 0 {
		e.keep(&spare, 0, 0, chosen, broken, left)
		return
	}
	for k := 0; ; k++ {
		total, next := 0, 0
		for _, t := range spare {
			total += min(int(t), k)
			next += min(int(t), k+1)
		}
		need := max(0, 3*k-total)
		if need > int(left) || total < k {
			return
		}
		if need > 0 || next < 3*(k+1) || next == total {
			e.keep(&spare, k, need, chosen, broken, left)
			if !e.thrift {
				for more := need + 1; more <= int(left) && total+more <= 4*k; more++ {
					e.keep(&spare, k, more, chosen, broken, left)
				}
			}
		}
		if total == all && e.thrift {
			return
		}
	}
}

// keep makes a kid of the arcs chosen, with k new groups that hold so many jokers.
func (e *expansion) keep(spare *[colours]uint8, groups, jokers int, chosen, broken uint8, left int8) {
	cost := int32(0)
	for c := range colours {
		a := e.arcs[c]
		broken += a.broken
		idle := uint8(max(0, int(spare[c])-groups))
		if idle > a.idle || idle < a.leastIdle {
			return
		}
		cost += int32(idle) * e.chains.cost[e.n]
	}
	k := &e.kid
	k.cost = cost + int32(broken)*e.kept.broken
	k.left = left - int8(jokers)
	if k.sum = e.cost + k.cost; k.sum > e.most {
		return
	}
	if k.sum += e.least(k, e.n+1); k.sum > e.most {
		return
	}
	if e.roomy {
		e.addRoom(k, spare, groups, jokers)
	}
	k.groups, k.used, k.chosen = uint8(groups), uint8(jokers), chosen
	if e.host && !e.hosted(k, spare) {
		return
	}
	k.rank = -4 * k.left
	for c := range colours {
		k.rank += e.links[c][k.to[c]].rank
	}
	e.kids = append(e.kids, *k)
}

// addRoom counts the jokers that could be put into the sets made here: a run takes any number, a group of three one.
func (e *expansion) addRoom(k *kid, spare *[colours]uint8, groups, jokers int) {
	room := int(e.at.room) + 4*groups - jokers
	for c := range colours {
		room -= min(int(spare[c]), groups)
		if e.arcs[c].begun > 0 {
			room += mostJokers
		}
	}
	k.room = int8(min(room, int(k.left)))
}

// hosted counts the sets that end here with a joker and without a tile of the rack, and tells whether there can be so many.
func (e *expansion) hosted(k *kid, spare *[colours]uint8) bool {
	k.waits = e.at.waits
	var takes, claims [colours]uint8
	for c := range colours {
		a := e.arcs[c]
		k.waits += int8(a.waits)
		takes[c] = min(spare[c], k.groups)
		claims[c] = min(a.claims, takes[c])
	}
	if k.used > 0 {
		seats, ok := seatGroups(int(k.groups), int(k.used), takes, claims)
		if !ok {
			return false
		}
		k.waits += int8(seats.waits)
	}
	return int(k.waits) <= e.rack
}
