package pairing

// starters are resolvable designs in which nobody meets twice: the players of 4m seats are three columns of q numbers and
// f more who stay where they are; the first round is given, and every next one adds 1 to the numbers, modulo q. With
// f + 3q = 4m that is as many rounds as anybody can play without meeting again. Found by our own search, see the
// test that checks each.
var starters = map[int][]int{ // by the number of tables
	4: {6, 2, 1, 9, 0, 10, 11, 3, 4, 15, 5, 13, 12, 14, 7, 8},
	6: {9, 7, 18, 10, 1, 22, 17, 12, 11, 23, 14, 4, 19, 21, 0, 13, 8, 6, 3, 5, 2, 16, 20, 15},
	7: {0, 24, 1, 26, 12, 11, 18, 23, 22, 14, 9, 19, 10, 13, 6, 4, 2, 20, 21, 8, 16, 25, 27, 5, 3, 7, 17, 15},
	9: {26, 23, 1, 6, 35, 10, 18, 31, 11, 29, 14, 0, 5, 20, 3, 2, 32, 28, 22, 9, 4, 13, 30, 34, 33, 24, 8, 21, 7, 17, 19, 12, 25, 15, 16, 27},
}

// fields are the multiplication tables of which the squares for 4m players are made: 8 by the polynomial x³ + x + 1.
// The lines y = kx + c of a finite plane, cut at four columns, are tables; those of one slope k are a round.
func times(m, a, b int) int {
	if m != 8 {
		return a * b % m
	}
	product := 0
	for bit := range 3 {
		if b>>bit&1 == 1 {
			product ^= a << bit
		}
	}
	for bit := 4; bit >= 3; bit-- {
		if product>>bit&1 == 1 {
			product ^= 0b1011 << (bit - 3)
		}
	}
	return product
}

func plus(m, a, b int) int {
	if m != 8 {
		return (a + b) % m
	}
	return a ^ b
}

// design gives a plan for 4m players, by round, table and seat, in which nobody meets twice: the first of as many rounds as are
// asked for that it has; none for sizes that need no design, or have none. At 8 tables a tenth round repeats 16 of its meetings.
// Where everybody has met everybody, as 16 players have in 5 rounds and 28 in 9, the design is laid again.
func design(m, rounds int) [][][]int {
	if first, ok := starters[m]; ok {
		return develop(first, m, rounds)
	}
	switch m {
	case 5, 8, 11, 13, 17, 19, 23: // without divisors 2 and 3, or a field: the slopes differ at all four columns
		return square(m, rounds)
	}
	return nil
}

func develop(first []int, m, rounds int) [][][]int {
	q := (4*m - 1) / 3
	if 3*q+1 < 4*m {
		rounds = min(rounds, q)
	}
	var plan [][][]int
	for r := range rounds {
		var round [][]int
		for t := range m {
			table := make([]int, seats)
			for i, p := range first[t*seats : (t+1)*seats] {
				if p < 3*q {
					p = p/q*q + (p%q+r)%q
				}
				table[i] = p
			}
			round = append(round, table)
		}
		plan = append(plan, round)
	}
	return plan
}

func square(m, rounds int) [][][]int {
	var plan [][][]int
	for slope := range min(rounds, m) {
		var round [][]int
		for c := range m {
			table := make([]int, seats)
			for x := range table {
				table[x] = x*m + plus(m, c, times(m, slope, x))
			}
			round = append(round, table)
		}
		plan = append(plan, round)
	}
	if m != 8 || rounds <= m {
		return plan
	}
	var columns, halves [][]int // the columns themselves make two tables each; once more they can do so with two repeats a table
	for c := 0; c < seats*m; c += m {
		columns = append(columns, []int{c, c + 1, c + 2, c + 3}, []int{c + 4, c + 5, c + 6, c + 7})
		halves = append(halves, []int{c, c + 1, c + 4, c + 5}, []int{c + 2, c + 3, c + 6, c + 7})
	}
	plan = append([][][]int{columns}, plan...)
	if rounds > m+1 {
		plan = append(plan, halves)
	}
	return plan
}
