package pairing

// planRound seats one round, from a given order of places.
func (f *search) planRound(order []int32) []int32 {
	f.load(order)
	if f.right() || len(f.size) == 1 && (f.rank != nil || f.pot != nil) { // a table of the best sits in the order of the standings
		return f.who
	}
	p := phase{hi: 1, steps: f.of / 2, seats: 4, hot: weighRepeat * 2, cold: weighThree, pots: f.pot != nil}
	if f.rank == nil {
		p.done = f.right
	}
	f.anneal(p)
	if f.ahead && !f.ended {
		f.onward = newOnward(f.sheet)
	}
	p.steps, p.hot, p.cold = f.of/2, weighThree, weighRank*64
	f.anneal(p)
	return f.who
}

// right tells that a draw needs no search: nothing that matters between players can be better, and the seats
// neither.
func (f *search) right() bool { return f.clean(f.measure()) && f.seated() }
