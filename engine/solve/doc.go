// Package solve is the exact search over tiles. It finds the best play on a table with the proof that none is better,
// proves that nothing can be laid, and finds the best initial meld of a rack. Package tile is its only import from this
// module.
//
// The searches for plays (Best) and for openings (Meld) both go through the numbers 1 to 13. At a number n, the lower
// numbers matter only by how many runs of each colour are open with one, two, and three or more tiles, and by how many
// jokers are left.
//
// Meld keeps the best way to every state, number by number. A full table has too many states for that. So Best searches
// depth first and cuts every branch that cannot beat the best way found:
//
//   - Few tiles (few.go): for up to 26 tiles, the sets that they could make are listed and tried in combination. All
//     other items are for more tiles.
//   - Four chains (chain.go, arc.go): each colour alone, with any group allowed that could be made, gives a lower bound
//     on the remaining cost of any state. A long run takes a tile before a new run does. A long run that cannot
//     continue is dropped. A place where a colour has no tile and no open run is quiet, and costs nothing to pass.
//   - Thrift with jokers: jokers are used only where a set needs them, and the others are laid at the end.
//   - Prices (price.go, price_bound.go): a tile given to a group costs its chain what it is worth to the others. With
//     prices the four bounds add up to nearly the true cost, and the search goes nearly straight to the optimum. Easy
//     positions do without.
//   - Groupings (groupings.go, expand.go): each number has few ways to make groups. Only ways of the colours that give
//     exactly what the groups take are combined.
//   - A memo (bound.go) stores a lower bound on the remaining cost of each state. Each direction has its own memo.
//   - Better states (chain.go, search.go): a long run may do what a shorter one must do. A bound of a state also holds
//     for worse states.
//   - Chains that count (counted.go, counted_share.go, counted_expand.go): in hard positions each chain counts the
//     jokers that are left for all colours, so that not all chains use the same two.
//   - Soft minima (soft.go): setting prices one number at a time stops too low where runs and groups compete. Minima in
//     which every way near the cheapest counts avoid that.
//   - Levels (bound.go): the tiles left on the rack can have only certain costs, the levels. A bound between two levels
//     is as good as the upper one, so the search need only look for ways that cost at most the level below the best.
//   - Turns (turn.go, legs.go): the search goes upwards and downwards in turn, because a position that is hard in one
//     direction is seldom hard in the other. It begins at the end where the table holds less. After 500 states from
//     each end, it continues from the end from which it has come further.
//
// A position that exceeds a limit of the chains goes to a slow search that has none (slow.go). Only counted racks with
// more tiles than the game has do.
//
// The joker rule is split into cases (case.go): each joker of the table continues to stand for a face, which makes it a
// tile, or is released, and then a tile may have to be laid in its place. If released jokers need a rack tile in their
// set, runs record whether they wait for one (host.go). Keeping sets (keep.go) is a second search among the equally
// good plays: leaving a set as it lies is one more use that a chain has for its tiles. Jokers alone are not a set. With
// more than two jokers, which the game does not have, they are put into another set at the end (lay_joker.go).
package solve
