// Package solve is the exact search over tiles: the best play on a table with the proof that none is better, the
// proof that nothing can be laid at all, the best initial meld of a rack, and the steps from one table to the next.
// It imports package tile only.
//
// Both searches walk over the numbers 1 to 13. All that the numbers below n leave behind for n is how many runs of
// each colour lie open with one, two, and three or more tiles, and how many jokers are left.
//
// Openings (Meld) keep the best way to every state, number by number. On a full table there are too many states for that,
// so Best goes depth first and cuts what cannot become better than the best way found:
//
//   - Few tiles (few.go): up to 26 the sets that they could make are listed, and tried side by side; the rest is for more.
//   - Four chains (chain.go, arc.go): each colour alone, any group allowed that could be made, gives a lower bound of what it
//     costs from any state on. A long run takes a tile before a new run does; one that cannot go on is forgotten. Where a
//     colour has no tile and no open run it is quiet, and costs nothing to pass.
//   - Thrift with jokers: they are used only where something needs them, and left over ones are laid at the end.
//   - Prices (price.go): a tile given to a group costs its chain what it is worth to the others. With them the four
//     bounds add up to nearly the truth, and the search goes nearly straight to the optimum. Easy positions do without.
//   - Groupings (expand.go): at each number the ways to make groups are few; only ways of the colours that
//     give just what the groups take are put together.
//   - A memo (bound.go) of what is known about a state: what it costs at least from there on. Each direction has its own.
//   - Better states (chain.go, search.go): a long run may do what a shorter one must. What is known of a state holds for worse ones.
//   - Chains that count (counted.go, counted_expand.go): in hard positions each chain counts the jokers that are left for all colours, so that not
//     all of them use the same two.
//   - Soft minima (soft.go): setting prices one number at a time comes to rest too low where runs and groups compete; with minima that let
//     every way near the cheapest count it does not.
//   - Levels (bound.go): tiles left on the rack cost what whole tiles cost. A bound between two such costs is as good as
//     the upper one, so a way need only be refuted down to the level below the best.
//   - Turns (turn.go): upwards and downwards in turn, since what is hard in one direction is seldom hard in the other; first
//     from the end where the table holds less. After 500 states from each it goes on from the end from which it has come further.
//
// The joker rule comes in as cases (case.go): each joker of the table goes on to stand for a face, which makes it a tile,
// or is released, and then a tile may have to be laid in its place. Where released jokers need a tile of the rack beside
// them, runs remember whether they wait for one (host.go). Keeping sets (keep.go) is a second search among
// the plays that are as good: a set that stays is one more thing that a chain can do with its tiles.
// Jokers alone are no set; with more than two, which the game does not have, they are put into another one at the end
// (lay_joker.go).
package solve
