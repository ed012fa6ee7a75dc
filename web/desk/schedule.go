package desk

import (
	"cmp"
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
	"meldhall/tournament/format"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
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
		view.Rows = append(view.Rows, planRow(slot))
	}
	return s.showPlan(c, http.StatusOK, view)
}

func planRow(slot schedule.Slot) desk.PlanRow {
	row := desk.PlanRow{What: "break", Name: slot.Name, From: dayTime(slot.StartsAt), Until: dayTime(slot.EndsAt)}
	if slot.Round != 0 {
		row.What = strconv.Itoa(slot.Round)
	}
	return row
}

func dayTime(at engine.Millis) string { return time.UnixMilli(int64(at)).Format(view.DayFormat) }

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
		v.Starts = s.View.Store.Now().Add(time.Hour).Truncate(time.Hour).Format(view.DayFormat)
	}
	for range emptySlots {
		v.Rows = append(v.Rows, desk.PlanRow{})
	}
	v.Event = tournamentID
	v.Page = s.Page.NewPage(c, locale.T(ctx, "plan.title"), &t)
	return s.Page.Show(c, status, desk.PlanDayPage(v))
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
		slots, err = typedDay(form, &view, f.Stages)
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
			var err error
			if round, err = page.WholeNumber("what", what[i]); err != nil {
				return nil, view, err
			}
		}
		slots = append(slots, schedule.Slot{Round: round, Name: name[i], StartsAt: moment(from[i]),
			EndsAt: moment(until[i])})
	}
	return slots, view, nil
}

// typedDay generates the slots of all rounds from the minutes typed for each stage; the last values apply to later
// stages too.
func typedDay(form url.Values, view *desk.PlanDayView, stages []format.Stage) ([]schedule.Slot, error) {
	plan, wrong := schedule.DayPlan{Starts: moment(view.Starts)}, []error(nil)
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
			n, err := strconv.Atoi(strings.TrimSpace(last(field)))
			if err != nil {
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

// moment parses a time from a form. It returns 0 if the text is not a time.
func moment(text string) engine.Millis {
	at, err := time.ParseInLocation(view.DayFormat, strings.TrimSpace(text)[:min(len(strings.TrimSpace(text)),
		len(view.DayFormat))], time.Local)
	if err != nil {
		return 0
	}
	return engine.MillisOf(at)
}
