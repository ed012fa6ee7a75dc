package desk

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// The default minutes of a round and of the pause after it.
const (
	roundMinutes = 60
	pauseMinutes = 10
)

// emptySlots is how many empty lines for more slots a schedule's form has.
const emptySlots = 3

func (s *Pages) planPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	slots, err := schedule.Slots(c.Request.Context(), s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	var view desk.PlanDayView
	for _, slot := range slots {
		view.Rows = append(view.Rows, planRow(s.Page.Request.Language(c), slot))
	}
	return s.showPlan(c, http.StatusOK, view)
}

func planRow(ctx context.Context, slot schedule.Slot) desk.PlanRow {
	row := desk.PlanRow{What: "break", Name: slot.Name, From: dayTime(ctx, slot.StartsAt),
		Until: dayTime(ctx, slot.EndsAt), Zone: locale.ZoneWords(ctx, slot.StartsAt)}
	if slot.Round != 0 {
		row.What = strconv.Itoa(slot.Round)
	}
	return row
}

// dayTime formats a time for a field of a form.
func dayTime(ctx context.Context, at engine.Millis) string {
	return locale.Moment(ctx, at).Format(view.DayFormat)
}

// showPlan renders the typed lines of a schedule and some empty ones.
func (s *Pages) showPlan(c *gin.Context, status int, v desk.PlanDayView) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayPlanDay); err != nil {
		return err
	}
	t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
	if err != nil {
		return err
	}
	typed := v.Stages
	v.Stages = nil
	for i, stage := range f.Stages {
		v.Rounds += stage.Rounds
		row := desk.PlanStage{Minutes: strconv.Itoa(cmp.Or(stage.RoundMinutes, roundMinutes)),
			Pause: strconv.Itoa(pauseMinutes)}
		if stage.BreakMinutes != nil {
			row.Pause = strconv.Itoa(*stage.BreakMinutes)
		}
		if i < len(typed) {
			row = typed[i]
		}
		if len(f.Stages) > 1 {
			row.Name = view.StageName(ctx, f.Stages, i)
		}
		v.Stages = append(v.Stages, row)
	}
	if v.Starts == "" {
		v.Starts = s.usualStart(ctx, t)
	}
	for range emptySlots {
		v.Rows = append(v.Rows, desk.PlanRow{})
	}
	v.Event = tournamentID
	v.Page = s.Page.NewPage(c, locale.T(ctx, "plan.title"), &t)
	return s.Page.Show(c, status, desk.PlanDayPage(v))
}

// usualStart returns the proposed start of a plan: the morning of the first day or, once that is over, the next hour.
func (s *Pages) usualStart(ctx context.Context, t tournament.Tournament) string {
	next := dayTime(ctx, engine.MillisOf(s.View.Store.Now().Add(time.Hour).Truncate(time.Hour)))
	if morning := t.FirstDay + "T10:00"; t.FirstDay != "" && morning > next {
		return morning
	}
	return next
}

// planDayPost stores the typed schedule, or generates one.
func (s *Pages) planDayPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	slots, view, err := s.typedPlan(c, tournamentID)
	again := func(c *gin.Context, status int, problem string) error {
		if page.PlaceIn(c) != "" {
			page.Saying(c, status, problem)
		} else {
			view.Problem = problem
		}
		return s.showPlan(c, status, view)
	}
	if err != nil {
		return s.Page.Again(c, err, again)
	}
	return s.Page.Post(c, schedule.SetSlots{Tournament: tournamentID, Slots: slots}, again,
		templates.PlanPath(tournamentID),
		"plan.saved")
}

// typedPlan reads the slots of a form, and the view for rendering it again. Lines without a purpose are skipped. A line
// with an invalid time gets none, which the schedule's checks reject.
func (s *Pages) typedPlan(c *gin.Context, tournamentID int64) (slots []schedule.Slot, view desk.PlanDayView,
	err error) {
	form := c.Request.PostForm
	view = desk.PlanDayView{Starts: form.Get("starts")}
	if form.Get("make") != "" {
		_, f, err := s.View.Tournaments.WithFormat(c.Request.Context(), tournamentID)
		if err != nil {
			return nil, view, err
		}
		slots, err = typedDay(s.Page.Request.Language(c), form, &view, f.Stages)
		return slots, view, err
	}
	what, name, from, until := form["what"], form["name"], form["from"], form["until"]
	for i := range min(len(what), len(name), len(from), len(until)) {
		view.Rows = append(view.Rows, desk.PlanRow{What: what[i], Name: name[i], From: from[i], Until: until[i]})
		if what[i] == "" {
			continue
		}
		round := 0
		if what[i] != "break" {
			if round, err = page.WholeNumber("what", what[i]); err != nil {
				return nil, view, err
			}
		}
		slot := schedule.Slot{Round: round, Name: name[i]}
		for _, time := range []struct {
			at          *engine.Millis
			field, text string
		}{{&slot.StartsAt, "from", from[i]}, {&slot.EndsAt, "until", until[i]}} {
			if *time.at, err = moment(s.Page.Request.Language(c), time.field, time.text); err != nil {
				return nil, view, err
			}
		}
		slots = append(slots, slot)
	}
	return slots, view, nil
}

// typedDay generates the slots of all rounds from the minutes typed for each stage; the last values apply to later
// stages too.
func typedDay(ctx context.Context, form url.Values, view *desk.PlanDayView, stages []format.Stage) ([]schedule.Slot,
	error) {
	starts, err := moment(ctx, "starts", view.Starts)
	plan, wrong := schedule.DayPlan{Starts: starts}, []error{err}
	for i, stage := range stages {
		last := func(field string) string {
			values := form[field]
			if len(values) == 0 {
				return ""
			}
			return values[min(i, len(values)-1)]
		}
		view.Stages = append(view.Stages, desk.PlanStage{Minutes: last("minutes"), Pause: last("pause")})
		number := func(field string) int {
			n, isNumber := spelling.Whole(last(field))
			if !isNumber {
				wrong = append(wrong, request.Refused(http.StatusUnprocessableEntity, "err_number", "field", field,
					"value", last(field), "nth", i))
			}
			return n
		}
		minutes, pause := number("minutes"), number("pause")
		plan.Stages = append(plan.Stages, schedule.DayStage{Rounds: stage.Rounds, Minutes: minutes, Pause: pause})
	}
	return plan.Slots(), errors.Join(wrong...)
}

// moment parses a time from a form, in the context's zone. It returns 0 if the text is not a time, and an error for a
// time that the clocks skip on that day.
func moment(ctx context.Context, field, text string) (engine.Millis, error) {
	text = strings.TrimSpace(text)
	text = text[:min(len(text), len(view.DayFormat))]
	at, err := time.ParseInLocation(view.DayFormat, text, locale.ZoneOf(ctx))
	if err != nil {
		return 0, nil
	}
	if at.Format(view.DayFormat) != text {
		return 0, refuse.Invalid("err_time_skipped", "field", field, "value", strings.Replace(text, "T", " ", 1),
			"zone", locale.ZoneOf(ctx).String())
	}
	return engine.MillisOf(at), nil
}
