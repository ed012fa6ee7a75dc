package engine

import "meldhall/engine/tile"

// Said is what an official's event says of itself: why, by which article of the regulations, and who.
type Said struct {
	Reason string `json:"reason"`
	Rule   string `json:"rule,omitempty"`
	By     string `json:"by,omitempty"`
}

// Position is where all tiles are, and who has opened, by seat.
type Position struct {
	Table  Table     `json:"table"`
	Racks  tileLists `json:"racks"`
	Pool   tile.List `json:"pool"`
	Opened []bool    `json:"opened"`
	Able   []bool    `json:"able"`
	// PoolEmpty is for physical games: the pool has run out.
	PoolEmpty bool `json:"pool_empty,omitempty"`
}

// Redrawn is the tiles of a penalty, by the seq of its event, drawn again after a rewind.
type Redrawn struct {
	Of    int       `json:"of"`
	Tiles tile.List `json:"tiles"`
}

// The events that officials and the clock bring about.
type (
	// GamePaused is a stopped clock.
	GamePaused struct {
		Stamp
		Pause Pause `json:"pause"`
		Said
	}
	// ResumeSet is a referee's word that the clock runs again after a countdown: the pause says when.
	ResumeSet struct {
		Stamp
		Pause Pause `json:"pause"`
		Said
	}
	// GameResumed is a clock that runs again, with the turn's new deadline.
	GameResumed struct {
		Stamp
		Turn Turn `json:"turn"`
	}
	// TimeGiven is a moved deadline.
	TimeGiven struct {
		Stamp
		Seconds int `json:"seconds"`
		Said
		Turn  Turn   `json:"turn"`
		Pause *Pause `json:"pause,omitempty"`
	}
	// PenaltyGiven is a referee's penalty in tiles. Asked is how many, where the pool had fewer.
	PenaltyGiven struct {
		Stamp
		Seat  int       `json:"seat"`
		Tiles tile.List `json:"tiles"`
		Count int       `json:"count,omitempty"` // physical: tiles drawn by hand
		Said
		Turn     Turn `json:"turn"`
		Asked    int  `json:"asked,omitempty"`
		Proposal int  `json:"proposal,omitempty"`
	}
	// PenaltyProposed follows a time-out or an illegal play under penalties: proposed; an official decides.
	PenaltyProposed struct {
		Stamp
		Seat  int    `json:"seat"`
		Tiles int    `json:"tiles"`
		Cause string `json:"cause"` // timeout | idle | illegal
	}
	// PenaltyWaived is a proposed penalty that is not given.
	PenaltyWaived struct {
		Stamp
		Seat     int `json:"seat"`
		Proposal int `json:"proposal"`
		Said
	}
	// NoticeGiven is a penalty of no tiles.
	NoticeGiven struct {
		Stamp
		Seat int `json:"seat"`
		Said
		Proposal int `json:"proposal,omitempty"`
	}
	// WarningGiven is a warning that is kept with the seat.
	WarningGiven struct {
		Stamp
		Seat int `json:"seat"`
		Said
	}
	// TimeCalled makes the running lap the last one.
	TimeCalled struct {
		Stamp
		Said
		Turn Turn `json:"turn"`
	}
	// TurnSkipped is a turn that an official ended with nothing.
	TurnSkipped struct {
		Stamp
		Seat int `json:"seat"`
		Said
		Turn  Turn   `json:"turn"`
		Pause *Pause `json:"pause,omitempty"`
	}
	// IllegalRuled is a turn that an official ended as an illegal play.
	IllegalRuled struct {
		Stamp
		Seat  int       `json:"seat"`
		Asked int       `json:"asked"`
		Tiles tile.List `json:"tiles"`
		Count int       `json:"count,omitempty"` // physical: tiles drawn by hand
		Said
		Turn  Turn   `json:"turn"`
		Pause *Pause `json:"pause,omitempty"`
	}
	// LeftoversRuled takes tiles that nobody can place off the table. Rack and Pool are where they
	// and the tiles drawn in their stead went.
	LeftoversRuled struct {
		Stamp
		Seat  int       `json:"seat"`
		Tiles tile.List `json:"tiles"`
		Table Table     `json:"table"`
		Rack  tile.List `json:"rack"`
		Pool  tile.List `json:"pool"`
		Said
		Turn Turn `json:"turn"`
	}
	// RedealGranted is an official's redeal; TilesDealt follows. RedealRefused takes a seat's right to one.
	RedealGranted struct {
		Stamp
		Seat int `json:"seat"`
		Said
		Pause *Pause `json:"pause,omitempty"`
	}
	RedealRefused struct {
		Stamp
		Seat int `json:"seat"`
		Said
	}
	// SeatForfeited is a seat that plays no more.
	SeatForfeited struct {
		Stamp
		Seat         int  `json:"seat"`
		Disqualified bool `json:"disqualified,omitempty"`
		Said
		Turn  Turn   `json:"turn"`
		Pause *Pause `json:"pause,omitempty"`
	}
	// RulingCancelled takes back the ruling with seq Of: Tiles went from the seat's rack to the bottom of the pool.
	RulingCancelled struct {
		Stamp
		Of    int       `json:"of"`
		Seat  int       `json:"seat"`
		Tiles tile.List `json:"tiles,omitempty"`
		Said
		Turn      Turn   `json:"turn"`
		Pause     *Pause `json:"pause,omitempty"`
		MayRedeal bool   `json:"may_redeal,omitempty"`
	}
	// Rewound is the game again as it was at the start of turn To, with the penalty tiles that were ruled since drawn
	// anew; Undone are the seqs of rulings that belong to the turns taken back.
	Rewound struct {
		Stamp
		To int `json:"to"`
		Position
		Redrawn []Redrawn `json:"redrawn,omitempty"`
		Undone  []int     `json:"undone,omitempty"`
		Said
		Turn  Turn   `json:"turn"`
		Pause *Pause `json:"pause,omitempty"`
	}
	// PositionSet is the game as an official found it on a real table.
	PositionSet struct {
		Stamp
		Position
		Said
		Turn  Turn   `json:"turn"`
		Pause *Pause `json:"pause,omitempty"`
	}
)

// Kind names, as the log keeps them.
func (GamePaused) Kind() string      { return "game_paused" }
func (GameResumed) Kind() string     { return "game_resumed" }
func (TimeGiven) Kind() string       { return "time_given" }
func (PenaltyGiven) Kind() string    { return "penalty_given" }
func (TimeCalled) Kind() string      { return "time_called" }
func (ResumeSet) Kind() string       { return "resume_set" }
func (PenaltyProposed) Kind() string { return "penalty_proposed" }
func (PenaltyWaived) Kind() string   { return "penalty_waived" }
func (NoticeGiven) Kind() string     { return "notice_given" }
func (WarningGiven) Kind() string    { return "warning_given" }
func (TurnSkipped) Kind() string     { return "turn_skipped" }
func (IllegalRuled) Kind() string    { return "illegal_ruled" }
func (RedealGranted) Kind() string   { return "redeal_granted" }
func (RedealRefused) Kind() string   { return "redeal_refused" }
func (SeatForfeited) Kind() string   { return "seat_forfeited" }
func (RulingCancelled) Kind() string { return "ruling_cancelled" }
func (Rewound) Kind() string         { return "rewound" }
func (PositionSet) Kind() string     { return "position_set" }
func (LeftoversRuled) Kind() string  { return "leftovers_ruled" }
