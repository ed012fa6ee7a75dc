// Package solve is the exact search over tiles: the best initial meld of a rack, and the proof that
// nobody can lay a tile any more. It imports package tile only.
//
// Everything here is one walk over the numbers 1 to 13. All that the numbers below n leave behind for n
// is how many runs of each colour are open with one, two, or three and more tiles, and how many jokers
// are left; two ways that leave the same behind are one state, of which the better is kept. At each
// number the walk chooses where jokers stand, which runs go on, which begin, and makes as many groups as it can
// of what remains. Every choice that could matter is tried, so the answers are optima, not estimates.
//
// The search for the best play over a whole table, under every joker rule, will be built on the same
// walk and belongs in this package.
package solve
