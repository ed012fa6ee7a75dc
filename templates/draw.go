package templates

// DrawView is what an organizer is told of a round's draw, and may do with a draft.
type DrawView struct {
	Facts     []DrawFact
	GivenUp   []string // empty: nothing
	Forced    string   // why nothing could be drawn otherwise; empty: it could
	Notes     []string // how it came about: seed, drawn again, promise
	Checked   string   // by whom; empty: nobody
	Starts    string   // when the round begins by the plan of the day, as a form writes it; empty: there is none, or it has begun
	Duplicate bool
	Hash      string // of the promised seed
	Chosen    int64  // the player to be exchanged with the next one that is chosen; 0: nobody
	ChosenAs  string
	Searching string   // how far a search that runs now is
	Methods   []string // none for a play-off, whose seats are those of the tied players
	File      bool     // a file has seats for this round
	FileAfter int      // rounds after it that the file has seats for
	FileLost  int      // of these, whose seats go with the draft when it is thrown away
	Free      []int    // tables with a free chair that the chosen player may move to
}

// DrawFact is a number of the report with its name; Bad ones catch the eye.
type DrawFact struct {
	Name, Value, More string
	Bad               bool
}

// SwapView is what an exchange of two players would change, before it is made; with B 0, that A moves to a free chair, SeatB, of TableB.
type SwapView struct {
	Page
	Event, Round   int64
	Number         int
	A, B           int64
	NameA, NameB   string
	TableA, TableB int
	SeatB          int        // from 1
	Changes        []DrawFact // what gets worse is bad; empty: nothing changes
	WhyA, WhyB     []string   // the tables afterwards
	NeedsWhy       bool
	Problem        string
}
