package solve

// byGiving is a cost by the tiles that one colour gives to groups, byGivings by those of two colours. A pair is the
// colours 0 and 1, or 2 and 3.
//
// Invariant: share neither loses nor adds a way through a number. So equal parts of its results are valid prices.
type (
	byGiving  [mostTaken]int32
	byGivings [mostTaken * mostTaken]int32
)

// share computes the least cost of all four chains at number n for each choice of each chain, and returns the lowest of
// these costs. left is the number of jokers left before n, and used the number that all colours and groups use there.
// share adds up what two chains give and use, derives what the other two must give and use, and splits the result
// again.
func (s *counted) share(n, left, used int) (least int32) {
	var own [colours][mostCounted]*byGiving
	for c := range colours {
		any := false
		for jokers := range used + 1 {
			row := (*byGiving)(s.own[c][useAt[left][used][jokers]*mostTaken:])
			if min(row[0], row[1], row[2]) < far {
				own[c][jokers], any = row, true
			}
		}
		if !any {
			return never
		}
	}
	var two, rest [2][mostCounted]byGivings // by pair and its jokers: cost of the pair, and of the other pair
	for pair := range two {
		for jokers := range used + 1 {
			two[pair][jokers], rest[pair][jokers] = barredTwo, barredTwo
		}
		for first := range used + 1 {
			for second := range used - first + 1 {
				if a, b := own[2*pair][first], own[2*pair+1][second]; a != nil && b != nil {
					together(&two[pair][first+second], a, b)
				}
			}
		}
	}
	list := s.packedAt(n)
	for i := range list {
		groups := &list[i]
		inRuns := used - int(groups.jokers)
		if inRuns < 0 {
			break
		}
		for first := range inRuns + 1 {
			a, b := &rest[0][first][groups.first], &rest[1][inRuns-first][groups.second]
			*a = min(*a, two[1][inRuns-first][groups.second]+groups.broken)
			*b = min(*b, two[0][first][groups.first]+groups.broken)
		}
	}
	least = never
	for pair := range two {
		for first := range used + 1 {
			for second := range used - first + 1 {
				ownA, ownB := own[2*pair][first], own[2*pair+1][second]
				if ownA == nil || ownB == nil {
					continue
				}
				a := (*byGiving)(s.all[2*pair][useAt[left][used][first]*mostTaken:])
				b := (*byGiving)(s.all[2*pair+1][useAt[left][used][second]*mostTaken:])
				least = min(least, apart(a, b, ownA, ownB, &rest[pair][first+second]))
			}
		}
	}
	return least
}

// apart sets, for each choice of two chains, the least cost of all four, and returns the lowest of these costs. rest is
// the least cost of the other two chains.
func apart(a, b, ownA, ownB *byGiving, rest *byGivings) (least int32) {
	b0, b1, b2 := b[0], b[1], b[2]
	least = never
	for given, own := range ownA {
		r := (*byGiving)(rest[given*mostTaken:])
		with0, with1, with2 := own+ownB[0]+r[0], own+ownB[1]+r[1], own+ownB[2]+r[2]
		a[given] = min(a[given], with0, with1, with2)
		b0, b1, b2 = min(b0, with0), min(b1, with1), min(b2, with2)
		least = min(least, a[given])
	}
	b[0], b[1], b[2] = b0, b1, b2
	return least
}

// together adds up the costs of two chains.
func together(sum *byGivings, a, b *byGiving) {
	for given, own := range a {
		s := (*byGiving)(sum[given*mostTaken:])
		s[0], s[1], s[2] = min(s[0], own+b[0]), min(s[1], own+b[1]), min(s[2], own+b[2])
	}
}

var barredTwo = filledGivings(never)

func filledGivings(cost int32) (all byGivings) {
	for i := range all {
		all[i] = cost
	}
	return all
}

// packedGrouping is a grouping with the tiles of the first two colours packed into one number, and those of the second
// two into another.
type packedGrouping struct {
	first, second, jokers uint8
	broken                int32
}

func (s *counted) packGroupings() {
	s.packed = s.packed[:0]
	list := s.prices.groupings.list
	for i := range list {
		groups := &list[i]
		s.packed = append(s.packed, packedGrouping{groups.takes[0]*mostTaken + groups.takes[1],
			groups.takes[2]*mostTaken + groups.takes[3], groups.jokers, int32(groups.broken) * s.chains.kept.broken})
	}
}

// packedAt returns the packed groupings of number n.
func (s *counted) packedAt(n int) []packedGrouping {
	from := &s.prices.groupings.from
	return s.packed[from[n]:from[n+1]]
}

// sell computes what groups earn at the prices.
func (s *counted) sell() {
	s.earned[numbers+1] = byCount{}
	for n := numbers; n >= 1; n-- {
		next, here := &s.earned[n+1], &s.earned[n]
		*here = neverCounted
		for left := range s.chains.jokers + 1 {
			for used := range left + 1 {
				here[left] = min(here[left], s.sold(n, left, used)+next[left-used])
			}
		}
	}
}

// sold returns the least cost of the groups at number n. left is the number of jokers left before n, and used the
// number that all colours and groups use there. Earnings are negative costs. No tile is sold for more than it is worth
// to all together.
func (s *counted) sold(n, left, used int) (least int32) {
	var two [2][mostCounted]byGivings // by pair and its jokers: the most that the pair pays
	for pair := range two {
		for jokers := range used + 1 {
			two[pair][jokers] = dearestTwo
		}
		for first := range used + 1 {
			for second := range used - first + 1 {
				a := (*byGiving)(s.worth[2*pair][n][useAt[left][used][first]*mostTaken:])
				b := (*byGiving)(s.worth[2*pair+1][n][useAt[left][used][second]*mostTaken:])
				for i, own := range a {
					for k, other := range b {
						if sum := &two[pair][first+second][i*mostTaken+k]; own < far && other < far {
							*sum = max(*sum, own+other)
						}
					}
				}
			}
		}
	}
	least = never
	list := s.packedAt(n)
	for i := range list {
		groups := &list[i]
		inRuns := used - int(groups.jokers)
		if inRuns < 0 {
			break
		}
		for first := range inRuns + 1 {
			if a, b := two[0][first][groups.first], two[1][inRuns-first][groups.second]; min(a, b) > -far {
				least = min(least, groups.broken-a-b)
			}
		}
	}
	return least
}

var dearestTwo = filledGivings(-never)
