package desk

import "meldhall/templates/part"

// DrawView shows an organizer the result of a round's draw and what can be changed in a draft.
type DrawView struct {
	Facts     []DrawFact
	GivenUp   []string // aims not met; empty if all were
	Forced    string   // why no other draw was possible; empty if others were
	Notes     []string // how it was made: seed, repeated draws, promise
	Checked   string   // who has checked it; empty if unchecked
	Starts    string   // scheduled start as form value; empty if none or already begun
	Duplicate bool
	Hash      string // hash of the promised seed
	Chosen    int64  // player to swap with the next one chosen; 0: none
	ChosenAs  string
	Searching string   // progress of a running search
	Methods   []string // empty for a play-off, which seats only the tied players
	File      bool     // a seating file covers this round
	FileAfter int      // later rounds covered by the seating file
	FileLost  int      // of these, rounds lost when the draft is discarded
	Free      []int    // tables with a free seat for the chosen player
}

// DrawFact is a figure of the report with its name; Bad highlights it.
type DrawFact struct {
	Name, Value, More string
	Bad               bool
}

// SwapView previews an exchange of two players. If B is 0, A moves to the free seat SeatB of TableB instead.
type SwapView struct {
	part.Page
	Event, Round   int64
	Number         int
	A, B           int64
	NameA, NameB   string
	TableA, TableB int
	SeatB          int        // from 1
	Changes        []DrawFact // Bad marks what gets worse; empty: nothing changes
	WhyA, WhyB     []string   // notes on both tables after the exchange
	NeedsWhy       bool
}
