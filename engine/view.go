package engine

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/shuffle"
	"meldhall/engine/tile"
)

// The viewers other than the seats 0 to 3. A referee and the players of the table see all racks once the game has ended
// and the racks are counted. A spectator never sees a rack.
const (
	Spectator = -1
	Referee   = -2
)

// View is a game as one viewer may see it. It has fields only for what may be shown, so a rack without a field cannot
// leak.
type View struct {
	Seq        int            `json:"seq"`
	Now        Millis         `json:"now" doc:"the server's clock for this view, in milliseconds since the Unix epoch"`
	Phase      Phase          `json:"phase" doc:"empty before the deal; then dealt, playing, over"`
	Seat       int            `json:"seat" doc:"the viewer's seat, 0 to 3; -1 a spectator, -2 a referee"`
	Deal       int            `json:"deal"`
	Starter    int            `json:"starter"`
	Draws      []Drawn        `json:"draws,omitempty"`
	Seats      []SeatView     `json:"seats"`
	Turn       Turn           `json:"turn"`
	Owed       []int          `json:"owed,omitempty" doc:"in the last lap: the seats still to move after the current turn, in order"`
	TurnLimit  int            `json:"turn_seconds" doc:"time limit of the current turn; 0: none"`
	MeldPoints int            `json:"meld_points"`
	Jokers     JokersView     `json:"jokers"`
	Paused     *Pause         `json:"paused,omitempty"`
	TimeOver   bool           `json:"time_called,omitempty"`
	Pool       int            `json:"pool"`
	Table      tile.TableView `json:"table"`
	Last       *LastView      `json:"last,omitempty"`
	Ruling     *Ruling        `json:"ruling,omitempty" doc:"the last ruling, until the end of the turn after the one it was made in"`
	Commitment string         `json:"commitment,omitempty" doc:"SHA-256 of the salt and the shuffled order"`
	Rack       RackView       `json:"rack,omitempty"`
	Drawn      RackView       `json:"drawn,omitempty" doc:"the tiles this seat drew last"`
	MayRedeal  bool           `json:"may_redeal,omitempty"`
	Calls      []CallView     `json:"calls,omitempty" doc:"the seats that call the referee; only for the table and the officials"`
	Rulings    []Ruling       `json:"rulings,omitempty" doc:"all rulings; only for the table and the officials"`
	Proposals  []Proposal     `json:"proposals,omitempty" doc:"proposed penalties awaiting an official's decision; only for the table and the officials"`
	Result     *ResultView    `json:"result,omitempty"`

	Held bool `json:"held_back,omitempty" doc:"all tables of this round have the same tiles, which are held back until the last of these games is over"`

	Physical  bool     `json:"physical,omitempty" doc:"played with real tiles: racks, table and pool are unknown; starter is -1 until it is entered"`
	Exhausted string   `json:"exhausted,omitempty" doc:"physical: last_lap or until_stuck, how a game with an empty pool ends"`
	PoolEmpty bool     `json:"pool_empty,omitempty" doc:"physical: the last tile has been drawn"`
	Counting  string   `json:"counting,omitempty" doc:"physical: why the turns ended; the racks are counted next"`
	Book      []Booked `json:"book,omitempty" doc:"physical: penalty tiles to draw by hand, in the order of the penalties"`
}

// JokersView holds the rules for jokers, named as in the rule set. They are public, and needed to know which plays are
// legal.
type JokersView struct {
	Release string `json:"release" doc:"anywhere, or with_rack_tile"`
	Replace string `json:"replace" doc:"free, table_or_rack, or rack"`
	Points  int    `json:"points" doc:"points charged for a joker on the rack"`
}

// RackView is a rack in face order.
type RackView = tile.FaceList

// SeatView is what all viewers see of a seat.
type SeatView struct {
	Tiles     int  `json:"tiles"`
	Opened    bool `json:"opened"`
	Ready     bool `json:"ready,omitempty"`
	Penalties int  `json:"penalties,omitempty" doc:"tiles drawn as a referee's penalty"`
	Warnings  int  `json:"warnings,omitempty"`
	Out       bool `json:"out,omitempty" doc:"no longer plays"`
	Extra     int  `json:"extra_seconds,omitempty" doc:"extra seconds in each of this seat's turns"`
}

// LastView is the last action, with only the number of drawn tiles. Kept, None and Asked describe a lost turn for its
// message: whether nothing had to be put back, why no tile was drawn, and how many tiles are proposed. Before and After
// are the tables before and after a play.
type LastView struct {
	Kind   string        `json:"kind"`
	Seat   int           `json:"seat"`
	Played tile.FaceList `json:"played,omitempty"`
	Drawn  int           `json:"drawn,omitempty"`
	Code   string        `json:"code,omitempty"`
	Points int           `json:"points,omitempty"`
	Kept   bool          `json:"-"`
	None   string        `json:"-"`
	Asked  int           `json:"-"`
	Before tile.Table    `json:"-"`
	After  tile.Table    `json:"-"`
}

// The reasons why a lost turn has cost no tile.
const (
	NoneDrawn    = "none" // no reason that the viewer may know
	NonePool     = "pool"
	NoneProposed = "proposed" // an official still has to decide
	NoneWaived   = "waived"
	NoneNotice   = "notice"
)

// lastView returns the last action for display, with the tables before and after it if it was a play.
func (s *State) lastView(atTable bool) *LastView {
	l := s.Actions.Last()
	v := newLastView(l, &s.Rulings, atTable)
	if l.Kind == (TilesPlayed{}).Kind() {
		v.Before, v.After = s.Actions.Before, s.Actions.Since[l.Seat].Table
	}
	return &v
}

// newLastView returns an action for display. Only the players at the table and the officials (atTable) see a proposed
// penalty and the decision on it.
func newLastView(l Last, rulings *Rulings, atTable bool) LastView {
	v := LastView{Kind: l.Kind, Seat: l.Seat, Played: inOrder(l.Played), Drawn: len(l.Drawn) + l.Count, Code: l.Code,
		Points: l.Points, Kept: l.Kept}
	if l.Seq == 0 || v.Drawn > 0 {
		return v
	}
	v.None = NoneDrawn
	i := slices.IndexFunc(rulings.Proposed, func(p Proposal) bool { return p.Seq == l.Seq+1 })
	decision := rulings.decision(l.Seq + 1)
	switch {
	case i < 0 && l.Dry:
		v.None = NonePool
	case i < 0 || !atTable:
	case decision == nil:
		v.None, v.Asked = NoneProposed, rulings.Proposed[i].Tiles
	case decision.Kind == PenaltyWaived{}.Kind():
		v.None = NoneWaived
	case decision.Kind == NoticeGiven{}.Kind():
		v.None = NoneNotice
	}
	return v
}

// ResultView is the end of a game. The players of the table, where racks are counted face up, and the referee see the
// racks. All viewers see the salt and the shuffled order, so that anyone can check the commitment.
type ResultView struct {
	Why     string          `json:"why"`
	Points  []score.Twelfth `json:"points"`
	Wins    []score.Twelfth `json:"wins"`
	Charges []score.Charge  `json:"charges"`
	Racks   []tile.FaceList `json:"racks,omitempty" doc:"by seat, in face order; only for the table and the officials"`
	Proven  bool            `json:"proven,omitempty" doc:"stuck: the exact search, which has no limit, proves that no player could lay a tile; only for the table and the officials"`
	Could   []int           `json:"could_lay,omitempty" doc:"stuck, all passed: the seats that could have laid a tile; only for the table and the officials"`
	Salt    string          `json:"salt,omitempty"`
	Order   tile.List       `json:"order,omitempty"`
	Draws   tile.List       `json:"draw_order,omitempty"`
	Joint   *shuffle.Joint  `json:"joint,omitempty" doc:"what the order follows from: the server's secret and the devices' nonces"`
}

// ViewFor returns what a viewer may see: a seat, Referee or Spectator. Two states that differ only in what the viewer
// cannot see have equal views (law 8).
func ViewFor(s *State, viewer int) (v View) {
	v.see(s, viewer, make([]SeatView, s.Seats), s.Table.View(s.Actions.Last().Played))
	return v
}

// see implements ViewFor. The caller passes the table for display and the memory for the seats.
func (v *View) see(s *State, viewer int, seats []SeatView, table tile.TableView) {
	v.common(s, seats, table)
	v.own(s, viewer)
	if s.End != nil {
		v.Result = newResultView(s, viewer)
	}
}

// OwnFor returns a View with only those fields of a running game that differ between viewers: Seat, Rack, Drawn,
// MayRedeal, Calls, Rulings and Proposals. All other fields are zero, because a Spectator's View has them.
func OwnFor(s *State, viewer int) (v View) {
	v.own(s, viewer)
	return v
}

// Sealed returns a view that reveals nothing to another table with the same deal. It omits the shuffled order, what it
// follows from, and the racks of others. It also omits the tiles on the table, unless the parameter there says that the
// viewer is at the table.
func (v View) Sealed(there bool) View {
	v.Held = true
	if v.Result != nil {
		r := *v.Result
		r.Salt, r.Order, r.Draws, r.Joint, r.Could, r.Proven = "", nil, nil, nil, nil, false
		if r.Racks != nil {
			r.Racks = make([]tile.FaceList, len(r.Racks))
			if v.Seat >= 0 && v.Seat < len(r.Racks) {
				r.Racks[v.Seat] = v.Rack
			}
		}
		v.Result = &r
	}
	if there {
		return v
	}
	v.Table = tile.TableView{}
	if v.Last != nil {
		last := *v.Last
		last.Played, last.Before, last.After = nil, nil, nil
		v.Last = &last
	}
	return v
}

// Closed returns a view of a finished game that does not show how it ended, for viewers from whom the result is held
// back.
func (v View) Closed() View {
	return View{Seq: v.Seq, Now: v.Now, Phase: PhaseOver, Seat: v.Seat, Deal: v.Deal,
		Seats: make([]SeatView, len(v.Seats)), TurnLimit: v.TurnLimit,
		MeldPoints: v.MeldPoints, Jokers: v.Jokers, Table: tile.TableView{}, Commitment: v.Commitment, Held: v.Held,
		Physical: v.Physical, Exhausted: v.Exhausted}
}

func (v *View) own(s *State, viewer int) {
	v.Seat = viewer
	if viewer >= 0 && viewer < ruleset.MaxSeats || viewer == Referee {
		v.Calls, v.Proposals = s.Calls.views(), s.Rulings.Undecided()
		if v.Last != nil {
			v.Last = s.lastView(true)
		}
		for _, r := range s.Rulings.All {
			v.Rulings = append(v.Rulings, r.Ruling)
		}
	}
	if viewer < 0 || viewer >= s.Seats {
		return
	}
	v.Rack = inOrder(s.Racks[viewer])
	v.MayRedeal = s.MayRedeal(viewer)
	if last := s.Actions.Last(); last.Seat == viewer && len(last.Drawn) > 0 {
		v.Drawn = inOrder(last.Drawn)
	}
}

func (v *View) common(s *State, seats []SeatView, table tile.TableView) {
	v.Seq, v.Phase, v.Deal, v.Starter, v.Draws, v.Turn = s.Seq, s.Phase, s.Deal, s.Starter, s.Draws, s.Turn
	v.TurnLimit, v.MeldPoints, v.Paused, v.TimeOver = s.turnSeconds(s.Turn.Seat), s.Rules.MeldPoints, s.Paused,
		s.TimeOver
	v.Jokers = JokersView{s.Rules.JokerRelease, s.Rules.JokerReplace, s.Rules.JokerPoints}
	v.Pool, v.Commitment, v.Seats, v.Table = len(s.Pool), s.Commitment, seats, table
	v.Turn.Left = s.TurnsLeft()
	v.Owed, _ = s.Owed()
	v.Turn.Able = false // would reveal what a hidden rack can do
	penalties, warnings := s.Rulings.Penalties(s.Deal), s.Rulings.Warnings()
	for seat := range v.Seats {
		v.Seats[seat] = SeatView{len(s.Racks[seat]), s.Opened[seat], s.Ready[seat], penalties[seat], warnings[seat],
			s.Out[seat], s.Extra[seat]}
	}
	if s.Actions.Newest != nil {
		v.Last = s.lastView(false)
	}
	v.Ruling = s.Rulings.shown()
	if s.Physical {
		v.Physical, v.Exhausted, v.PoolEmpty, v.Book = true, s.Rules.Exhausted, s.PoolEmpty, s.Book
	}
	if s.Phase != PhaseOver {
		v.Counting = s.Ending
	}
}

func newResultView(s *State, viewer int) *ResultView {
	r := &ResultView{
		Why: s.End.Why, Points: s.End.Outcome.Points, Wins: s.End.Outcome.Wins, Charges: s.End.Outcome.Charges,
		Salt: s.Salt, Order: s.Order, Draws: s.DrawOrder, Joint: s.Joint,
	}
	if viewer != Spectator {
		for _, rack := range s.End.Racks {
			r.Racks = append(r.Racks, inOrder(rack))
		}
		if s.End.Why == ruleset.EndedStuck && !s.Physical {
			for seat := range s.Seats {
				if (player{s, seat}).couldLay() {
					r.Could = append(r.Could, seat)
				}
			}
			r.Proven = r.Could == nil
		}
	}
	return r
}

func inOrder(tiles tile.List) tile.FaceList {
	if len(tiles) == 0 {
		return nil
	}
	faces := tile.FacesOf(tiles)
	slices.Sort(faces)
	return faces
}
