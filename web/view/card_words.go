package view

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/templates/regulations"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
)

// cardWords builds the timeline and the stops of a card, moment by moment.
type cardWords struct {
	ctx          context.Context
	view         *referee.CardView
	base, before []tile.LaidFaces // the table at the start, and the last draft
	ended        int              // index of the stop of the last event that changed the table; -1: none
}

func (w *cardWords) tell(m record.Moment) {
	line := referee.CardLine{At: m.At, Kind: "mute", Stop: -1}
	if m.Timed {
		line.Left, line.Late = referee.LeftText(m.Left), m.Left < 0
	}
	switch {
	case m.Event != nil:
		w.event(&line, m)
	case m.Tried != nil:
		w.tried(&line, m)
	case m.Kind == game.EvidenceDraft:
		w.draft(&line, m)
	default:
		w.device(&line, m)
	}
	w.view.Lines = append(w.view.Lines, line)
}

// T returns a text of the card.
func (w *cardWords) T(key string, nameValues ...any) string {
	return locale.T(w.ctx, key, nameValues...)
}

func (w *cardWords) event(line *referee.CardLine, m record.Moment) {
	line.Text = cmp.Or(EventWords(w.ctx, w.view.Game, m.Event), m.Kind)
	switch e := m.Event.(type) {
	case engine.RefereeCalled, engine.CallWithdrawn, engine.CallAcknowledged, engine.CallAnswered:
		line.Kind = "hand"
	case engine.TilesPlayed:
		line.Kind = "good"
		if last := w.view.Game.View.Last; last != nil && last.Kind == e.Kind() && last.Seat == e.Seat {
			line.Text = w.view.Game.ChangeSentence(w.ctx, e.Seat,
				play.ChangeWords(w.ctx, last.Before.Faces(), last.After.Faces(), 0), line.Text)
		}
	case engine.TurnExpired, engine.IllegalPlayed:
		line.Kind = "bad"
	case engine.GamePaused:
		line.Kind = "pause"
	default:
		line.Kind = "now"
	}
	if _, drew := m.Event.(engine.TileDrawn); drew {
		line.Kind = "mute"
	}
	if m.Table != nil {
		w.stop(line, m, laidSince(w.base, m.Table), -1, "")
		w.ended, w.before = line.Stop, m.Table
	}
}

func (w *cardWords) draft(line *referee.CardLine, m record.Moment) {
	line.Text = w.T("card.movement")
	line.Laid, line.Back, line.Over = moved(w.before, m.Table)
	if len(m.Table) == len(w.base) && tableSame(m.Table, w.base) {
		line.Text = w.T("card.reset")
	}
	w.before = m.Table
	w.stop(line, m, laidSince(w.base, m.Table), -1, "")
}

func tableSame(a, b []tile.LaidFaces) bool {
	return slices.EqualFunc(a, b, func(x, y tile.LaidFaces) bool {
		return x.At == y.At &&
			slices.Equal(x.Faces, y.Faces)
	})
}

func (w *cardWords) tried(line *referee.CardLine, m record.Moment) {
	tried := m.Tried
	line.Kind = "bad"
	if m.Kind == game.EvidenceLate {
		line.Kind, line.Text = "wait", w.T("card.late."+tried.Command)
	} else {
		line.Text = w.T("card.refused."+tried.Command) + " " + w.refusal(tried)
	}
	if number := regulations.CodeArticles[tried.Code]; number != "" && !slices.Contains(w.view.Cited, number) {
		w.view.Cited = append(w.view.Cited, number)
	}
	if m.Table == nil {
		return
	}
	why := ""
	if tried.Set >= 0 && tried.Set < len(m.Table) {
		why = w.T("card.set_at_fault", "n", tried.Set+1)
		if fault := tile.Fault(m.Table[tried.Set].Faces); fault != "" {
			why = w.T("card.set_fault", "set", tried.Set+1, "why", w.T("fault."+fault))
		}
	}
	w.stop(line, m, laidSince(w.base, m.Table), tried.Set, why)
	w.view.Shown = line.Stop
}

func (w *cardWords) refusal(tried *game.Submission) string {
	if key := "refused." + tried.Code; locale.HasText(key) {
		return w.T(key, "points", tried.Points, "need", tried.Need)
	}
	return tried.Code
}

func (w *cardWords) device(line *referee.CardLine, m record.Moment) {
	line.Kind, line.Text = "now", w.T("card.device."+m.Kind)
	if m.Battery != nil {
		line.Text = w.T("card.device.battery", "percent", m.Battery.Charge)
	}
}

func (w *cardWords) stop(line *referee.CardLine, m record.Moment, table []tile.LaidView, fault int, why string) {
	line.Stop = len(w.view.Stops)
	w.view.Stops = append(w.view.Stops, referee.CardStop{Text: line.Text, Left: line.Left, Table: table, Fault: fault,
		Why: why})
	if m.Kind == game.EvidenceDraft {
		w.view.Shown = line.Stop
	}
}

// withGaps returns the lines with one more for each silent period of the device, sorted by time.
func withGaps(ctx context.Context, lines []referee.CardLine, card record.TurnCard) []referee.CardLine {
	for _, gap := range card.Gaps {
		key, seconds := "card.silent", (gap.Until-gap.Since+500)/1000
		if gap.Until == 0 {
			key, seconds = "card.silent_still", (cmp.Or(card.Ended, card.Now)-gap.Since+500)/1000
		}
		line := referee.CardLine{At: gap.Since, Kind: "wait", Text: locale.T(ctx, key, "n", int(seconds)),
			Stop: -1}
		if card.Before.Turn.Due != 0 {
			line.Left = referee.LeftText(card.Before.Turn.Due - gap.Since)
		}
		lines = append(lines, line)
	}
	slices.SortStableFunc(lines, func(a, b referee.CardLine) int { return cmp.Compare(a.At, b.At) })
	return lines
}

// newStrip returns the timeline graphic of a turn, with positions from 0 to 1000.
func newStrip(card record.TurnCard) referee.CardStrip {
	from, end := card.Started, cmp.Or(card.Ended, card.Now)
	to, due := max(end, from+1), card.After.Turn.Due
	if !card.Running {
		due = card.Before.Turn.Due
		for _, m := range card.Moments {
			if m.Timed && m.Event != nil && m.At <= end {
				due = m.At + m.Left
			}
		}
	}
	to = max(to, due)
	for _, m := range card.Moments {
		to = max(to, m.At)
	}
	x := func(at engine.Millis) int { return int((min(max(at, from), to) - from) * 1000 / (to - from)) }
	bar := func(a, b engine.Millis) referee.StripBar {
		return referee.StripBar{From: x(a), Width: max(x(b)-x(a), 3)}
	}
	strip := referee.CardStrip{Deadline: -1, End: x(end)}
	if due != 0 {
		strip.Deadline = min(x(due), 996)
	}
	stopped := engine.Millis(0)
	for _, m := range card.Moments {
		switch {
		case m.Kind == game.EvidenceDraft:
			strip.Moves = append(strip.Moves, x(m.At))
		case m.Tried != nil:
			strip.Refused = append(strip.Refused, min(x(m.At), 995))
		case m.Kind == (engine.GamePaused{}).Kind():
			stopped = m.At
		case m.Kind == (engine.GameResumed{}).Kind() && stopped != 0:
			strip.Pauses, stopped = append(strip.Pauses, bar(stopped, m.At)), 0
		}
	}
	if stopped != 0 {
		strip.Pauses = append(strip.Pauses, bar(stopped, end))
	}
	for _, gap := range card.Gaps {
		strip.Gaps = append(strip.Gaps, bar(gap.Since, cmp.Or(gap.Until, end)))
	}
	return strip
}
