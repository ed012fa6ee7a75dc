package solve

// This file makes the ways through one number. Invariant: a way is left out only if it uses more jokers than are left,
// if its least cost is above expansion.most, or if too many of its sets wait for a rack tile. expansion.over is at most
// the least cost of those above most.

// entry is one way of one colour through a number: an arc, with a number of tiles given to groups.
type entry struct {
	arc    int32
	cost   int32 // cost of idle tiles and of old runs that do not stay
	bound  int32 // cost plus the least cost of the colour from the next number on
	to     uint16
	jokers int8
}

// child is one way through one number for all four colours, with the state to which it leads.
type child struct {
	to       [colours]uint16
	arcs     [colours]int32
	grouping int32 // index in groupings.list of what the groups take
	left     int8  // jokers left
	room     int8  // jokers that new sets could still take, at most the value of left; see expansion.roomy
	waits    int8  // sets so far that hold a joker and no rack tile
	rank     int8  // of children with the same sum, the one with the lower rank is tried first
	cost     int32 // cost at this number
	sum      int32 // cost so far plus the least cost of the rest
}

// expansion makes the children of one state: for each way to make groups at its number, the ways of the four colours
// that give exactly what the groups take. Its memory is reused.
type expansion struct {
	chains   *chains
	prices   *prices
	counted  *counted
	roomy    bool                             // whether children count the room for jokers
	children []child                          // those of all states on the current path
	entries  [colours][mostCopies + 1][]entry // by the number of tiles given to groups
	least    [colours]byGiven                 // least bound of these entries
	at       *child                           // the state
	groups   *grouping                        // the way to make groups
	number   int
	cost     int32
	most     int32 // the highest least cost that a child may have
	over     int32
}

// expand appends the children of a state at number n, which is reached at the given cost.
func (x *expansion) expand(at *child, n int, cost, most int32) {
	x.at, x.number, x.cost, x.most, x.over = at, n, cost, most, most+1
	prices, broken := x.prices, x.chains.kept.broken
	ahead := cost + prices.earn[n][at.left]
	for c := range colours {
		ahead += x.chains.toGo[at.to[c]].at(int(at.left))
	}
	for c := range colours {
		x.enter(c, most-ahead+x.chains.toGo[at.to[c]].at(int(at.left)))
	}
	list := &prices.groupings
	for i := list.from[n]; i < list.from[n+1]; i++ {
		groups := &list.list[i]
		left := at.left - int8(groups.jokers)
		if left < 0 {
			break
		}
		takes := &groups.takes
		sum := cost + int32(groups.broken)*broken + prices.earn[n+1][left] +
			x.least[0][takes[0]] + x.least[1][takes[1]] + x.least[2][takes[2]] + x.least[3][takes[3]]
		if sum <= most {
			x.groups = groups
			x.choose(child{grouping: i, left: left, cost: int32(groups.broken) * broken}, most-sum)
		}
	}
}

// enter lists the ways of colour c whose cost, including the prices for groups, does not exceed most.
func (x *expansion) enter(c int, most int32) {
	n, left, chains := x.number, int(x.at.left), x.chains
	entries, least := &x.entries[c], &x.least[c]
	for given := range x.prices.groupings.most[c][n] + 1 {
		entries[given], least[given] = entries[given][:0], never
	}
	if chains.places[c][n].quiet {
		to := x.at.to[c]
		least[0] = chains.toGo[to].at(left)
		entries[0] = append(entries[0], entry{to: to, bound: least[0]})
		return
	}
	link := &chains.links[x.at.to[c]]
	price := &x.prices.price[c][n]
	tile, broken := chains.cost[n], chains.kept.broken
	arcs := chains.arcs[link.first:link.last]
	for i := range arcs {
		a := &arcs[i]
		toGo := chains.toGo[a.to].at(left - int(a.jokers))
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			given := a.spare - idle
			cost := int32(idle)*tile + int32(a.broken)*broken
			if cost+toGo+price[given] > most {
				continue
			}
			entries[given] = append(entries[given],
				entry{link.first + int32(i), cost, cost + toGo, a.to, int8(a.jokers)})
			least[given] = min(least[given], cost+toGo)
		}
	}
}

// choose combines ways of the four colours that give what the groups take. room is how much their total cost may exceed
// the sum of each colour's least cost. In choose and add, a, b, c and d are ways of the colours 0 to 3.
func (x *expansion) choose(base child, room int32) {
	takes := &x.groups.takes
	a, b, c, d := x.entries[0][takes[0]], x.entries[1][takes[1]], x.entries[2][takes[2]], x.entries[3][takes[3]]
	leastA, leastB, leastC, leastD := x.least[0][takes[0]], x.least[1][takes[1]], x.least[2][takes[2]],
		x.least[3][takes[3]]
	for i := range a {
		roomA, leftA := room-a[i].bound+leastA, base.left-a[i].jokers
		if roomA < 0 || leftA < 0 {
			continue
		}
		for j := range b {
			roomB, leftB := roomA-b[j].bound+leastB, leftA-b[j].jokers
			if roomB < 0 || leftB < 0 {
				continue
			}
			for k := range c {
				roomC, leftC := roomB-c[k].bound+leastC, leftB-c[k].jokers
				if roomC < 0 || leftC < 0 {
					continue
				}
				for l := range d {
					if roomC >= d[l].bound-leastD && leftC >= d[l].jokers {
						x.add(base, &a[i], &b[j], &c[k], &d[l])
					}
				}
			}
		}
	}
}

// add adds the child of four ways if its least cost is low enough.
func (x *expansion) add(next child, a, b, c, d *entry) {
	next.join(a, b, c, d)
	next.left -= a.jokers + b.jokers + c.jokers + d.jokers
	if next.sum = x.cost + next.cost + x.prices.least(&next, x.number+1); next.sum <= x.most {
		x.append(&next)
	}
}

// join sets what a child has from the ways of the four colours.
func (next *child) join(a, b, c, d *entry) {
	next.arcs = [colours]int32{a.arc, b.arc, c.arc, d.arc}
	next.to = [colours]uint16{a.to, b.to, c.to, d.to}
	next.cost += a.cost + b.cost + c.cost + d.cost
}

// append appends a child, unless too many of its sets wait for a rack tile.
func (x *expansion) append(next *child) {
	if x.roomy {
		x.countRoom(next)
	}
	if x.chains.host && !x.hosted(next) {
		return
	}
	links, to := x.chains.links, &next.to
	next.rank = links[to[0]].rank + links[to[1]].rank + links[to[2]].rank + links[to[3]].rank - 4*next.left
	x.children = append(x.children, *next)
}

// countRoom counts the jokers that could be added to the sets made here: any number to a run, one to a group of three.
func (x *expansion) countRoom(next *child) {
	room := int(x.at.room) + int(x.groups.room)
	for c := range colours {
		if x.chains.arcs[next.arcs[c]].begun > 0 {
			room += mostJokers
		}
	}
	next.room = int8(min(room, int(next.left)))
}

// hosted counts the sets of the way so far that have ended with a joker and without a rack tile, and reports whether
// that number is allowed.
func (x *expansion) hosted(next *child) bool {
	groups := x.groups
	next.waits = x.at.waits
	var claims [colours]uint8
	for c := range colours {
		a := &x.chains.arcs[next.arcs[c]]
		next.waits += int8(a.waits)
		claims[c] = min(a.claims, groups.new[c])
	}
	if groups.used > 0 {
		seats, ok := seatGroups(int(groups.groups), int(groups.used), groups.new, claims)
		if !ok {
			return false
		}
		next.waits += int8(seats.waits)
	}
	return int(next.waits) <= x.chains.rack
}
