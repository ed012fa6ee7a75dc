package feeds

import (
	"fmt"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/schedule"
	"meldhall/web/page"
)

const calendarKind = "text/calendar; charset=utf-8"

// calendar serves the plan of a tournament's day; without a plan, its days or nothing but a time zone, because a
// calendar must have a component (RFC 5545, 3.6). The UID of a round, or of a pause by its position, never changes, so
// that calendar apps move the entry when the plan changes. DTSTAMP is when the plan last changed.
func (p *Pages) calendar(c *gin.Context) error {
	ctx, tournamentID := p.Page.LanguageAsked(c), page.ID(c, "event")
	t, err := p.shown(ctx, tournamentID)
	if err != nil {
		return err
	}
	slots, err := schedule.Slots(ctx, p.View.Store, tournamentID)
	if err != nil {
		return err
	}
	changed, err := schedule.ChangedAt(ctx, p.View.Store, tournamentID)
	if err != nil {
		return err
	}
	cal := ics.NewCalendarFor("Meldhall")
	cal.SetName(t.Name)
	cal.SetXWRCalName(t.Name)
	if len(slots) == 0 {
		p.addDays(c, cal, t, changed)
	}
	pauses := 0
	for _, slot := range slots {
		name, title := fmt.Sprint("round-", slot.Round), locale.T(ctx, "round.title", "number", slot.Round)
		if slot.Round == 0 {
			pauses++
			if name, title = fmt.Sprint("pause-", pauses), slot.Name; title == "" {
				title = locale.T(ctx, "plan.break")
			}
		}
		e := cal.AddEvent(fmt.Sprintf("%s.%d.%d@meldhall", name, tournamentID, t.CreatedAt))
		e.SetDtStampTime(moment(max(changed, t.CreatedAt)))
		e.SetStartAt(moment(slot.StartsAt))
		e.SetEndAt(moment(slot.EndsAt))
		e.SetSummary(title + " · " + t.Name)
		e.SetURL(p.address(c, string(templates.SchedulePath(tournamentID))))
		place(e, t)
	}
	c.Header("Content-Disposition", fmt.Sprintf(`inline; filename="event-%d.ics"`, tournamentID))
	send(c, calendarKind, []byte(cal.Serialize(ics.WithNewLineWindows)))
	return nil
}

// addDays adds a tournament without a plan as one entry for its days.
func (p *Pages) addDays(c *gin.Context, cal *ics.Calendar, t tournament.Tournament, changed engine.Millis) {
	first, err := time.Parse(time.DateOnly, t.FirstDay)
	last, lastErr := time.Parse(time.DateOnly, t.LastDay)
	if err != nil || lastErr != nil {
		standard := cal.AddTimezone("UTC").AddStandard()
		standard.SetProperty(ics.ComponentPropertyDtStart, "19700101T000000")
		standard.SetProperty("TZOFFSETFROM", "+0000")
		standard.SetProperty("TZOFFSETTO", "+0000")
		return
	}
	e := cal.AddEvent(fmt.Sprintf("days.%d.%d@meldhall", t.ID, t.CreatedAt))
	e.SetDtStampTime(moment(max(changed, t.CreatedAt)))
	e.SetAllDayStartAt(first)
	e.SetAllDayEndAt(last.AddDate(0, 0, 1))
	e.SetSummary(t.Name)
	e.SetURL(p.address(c, string(templates.LeaderboardPath(t.ID))))
	place(e, t)
}

// place adds where an entry takes place, and whether it was cancelled.
func place(e *ics.VEvent, t tournament.Tournament) {
	if t.Place != "" {
		e.SetLocation(t.Place)
	}
	if t.CancelledAt != 0 {
		e.SetStatus(ics.ObjectStatusCancelled)
	}
}

func moment(at engine.Millis) time.Time { return time.UnixMilli(int64(at)).UTC() }
