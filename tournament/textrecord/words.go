package textrecord

import (
	"slices"
	"strconv"

	"meldhall/engine"
	"meldhall/engine/tile"
)

func itoa(n int) string { return strconv.Itoa(n) }

// wording returns the word for the first of the events with what belongs to it, or "" for an event without a word. next
// are the events after it.
func (r *replay) wording(e engine.Event, next []engine.Event) string {
	switch e := e.(type) {
	case engine.GameStarted:
		return startText(r, e, next)
	case engine.RedealAsked:
		return "redeal " + seatText(e.Seat) + dealText(next)
	case engine.SeatReady:
		return r.readyText(e, next)
	case engine.PlayBegan:
		return "begin"
	case engine.TilesPlayed:
		return "play" + playText(r.state.Table, e)
	case engine.TileDrawn:
		return "draw" + drawnText(e.Tile)
	case engine.TurnPassed:
		return "pass"
	case engine.KeyPressed:
		return "press"
	case engine.TurnExpired:
		if e.Disturbed {
			return "timeout disturbed" + drawnText(e.Tiles)
		}
		return "timeout" + drawnText(e.Tiles)
	case engine.IllegalPlayed:
		return "illegal " + e.Code + facesText(e.Table)
	case engine.RefereeCalled:
		return "call " + seatText(e.Seat)
	case engine.CallWithdrawn:
		return "uncall " + seatText(e.Seat)
	case engine.CallAcknowledged:
		return "coming " + seatText(e.Seat) + groundsText(engine.Said{By: e.By})
	case engine.CallAnswered:
		return "came " + seatText(e.Seat) + groundsText(engine.Said{By: e.By})
	case engine.StarterChosen:
		return "starter " + seatText(e.Seat)
	case engine.TurnEnded:
		return endText(e)
	case engine.PoolRanOut:
		return "empty " + seatText(e.Seat)
	case engine.RacksCounted:
		return countText(e)
	}
	return r.rulingText(e, next)
}

// readyText writes that a seat is ready or, with real tiles, that all are.
func (r *replay) readyText(e engine.SeatReady, next []engine.Event) string {
	if r.state.Physical && len(next) > 0 {
		switch after := next[0].(type) {
		case engine.SeatReady:
			if after.At == e.At {
				return "ready all"
			}
		}
	}
	return "ready " + seatText(e.Seat)
}

func drawnText(list tile.List) string {
	if len(list) == 0 {
		return ""
	}
	return " " + tilesText(list)
}

// rulingText is wording for the events of rulings and pauses.
func (r *replay) rulingText(e engine.Event, next []engine.Event) string {
	switch e := e.(type) {
	case engine.GamePaused:
		if e.Pause.Why == engine.PausedByOutage {
			return "outage " + secondsText(e.Pause.Left)
		}
		return "pause" + groundsText(engine.Said{Reason: e.Pause.Reason, Rule: e.Rule, By: e.By})
	case engine.ResumeSet:
		return "resume" + groundsText(e.Said)
	case engine.GameResumed:
		return "running"
	case engine.TimeGiven:
		return "time " + itoa(e.Seconds) + groundsText(e.Said)
	case engine.TimeCalled:
		return "call-time" + groundsText(e.Said)
	case engine.PenaltyGiven:
		asked := e.Asked
		if asked == 0 { // older games do not store it
			asked = max(len(e.Tiles)+e.Count, 1)
		}
		return "penalty " + seatText(e.Seat) + " " + itoa(asked) + proposalText(e.Proposal) + groundsText(e.Said)
	case engine.NoticeGiven:
		return "notice " + seatText(e.Seat) + proposalText(e.Proposal) + groundsText(e.Said)
	case engine.PenaltyWaived:
		return "waive" + proposalText(e.Proposal) + groundsText(e.Said)
	case engine.WarningGiven:
		return "warn " + seatText(e.Seat) + groundsText(e.Said)
	case engine.TurnSkipped:
		return "skip" + groundsText(e.Said)
	case engine.IllegalRuled:
		return "ruled-illegal " + itoa(e.Asked) + groundsText(e.Said)
	case engine.RedealGranted:
		return "grant-redeal " + seatText(e.Seat) + groundsText(e.Said) + dealText(next)
	case engine.RedealRefused:
		return "refuse-redeal " + seatText(e.Seat) + groundsText(e.Said)
	case engine.RulingCancelled:
		return "cancel " + itoa(e.Of) + groundsText(e.Said)
	case engine.Rewound:
		return "rewind " + itoa(e.To) + groundsText(e.Said)
	}
	return r.boardText(e)
}

// boardText is wording for rulings that take a seat or tiles off.
func (r *replay) boardText(e engine.Event) string {
	switch e := e.(type) {
	case engine.SeatForfeited:
		if e.Disqualified {
			return "forfeit " + seatText(e.Seat) + " disqualified" + groundsText(e.Said)
		}
		return "forfeit " + seatText(e.Seat) + groundsText(e.Said)
	case engine.LeftoversRuled:
		return "leftovers " + seatText(e.Seat) + facesList(tile.FacesOf(e.Tiles)) + stays(e.Table) + groundsText(e.Said)
	case engine.PositionSet:
		text := "position " + seatText(e.Turn.Seat) + stays(e.Table)
		for seat, rack := range e.Racks {
			if seat < len(r.state.Racks) && !slices.Equal(rack, r.state.Racks[seat]) {
				text += " rack " + seatText(seat) + facesList(tile.FacesOf(rack))
			}
		}
		return text + groundsText(e.Said)
	}
	return ""
}

// stays writes the sets on the table, after a bar.
func stays(table tile.Table) string {
	if len(table) == 0 {
		return ""
	}
	return " |" + facesText(table.Laid())
}

func proposalText(seq int) string {
	if seq == 0 {
		return ""
	}
	return " proposal=" + itoa(seq)
}
