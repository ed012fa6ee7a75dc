package feeds

import (
	"fmt"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament/schedule"
	"meldhall/web/page"
)

const calendarKind = "text/calendar; charset=utf-8"

// calendar serves the plan of a tournament's day. The UID of a round, or of a pause by its position, never changes, so
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
		if t.Place != "" {
			e.SetLocation(t.Place)
		}
		if t.CancelledAt != 0 {
			e.SetStatus(ics.ObjectStatusCancelled)
		}
		e.SetURL(p.address(c, string(templates.SchedulePath(tournamentID))))
	}
	c.Header("Content-Disposition", fmt.Sprintf(`inline; filename="event-%d.ics"`, tournamentID))
	send(c, calendarKind, []byte(cal.Serialize(ics.WithNewLineWindows)))
	return nil
}

func moment(at engine.Millis) time.Time { return time.UnixMilli(int64(at)).UTC() }
