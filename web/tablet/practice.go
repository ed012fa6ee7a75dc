package tablet

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine/bot"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/tablet"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/preset"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// practicePage renders the page on which anyone opens a practice table or returns to the current one.
func (s *Pages) practicePage(c *gin.Context) error {
	return s.showPractice(c, http.StatusOK, tablet.PracticeView{Strength: bot.Club.String(), Rules: preset.Usual})
}

func (s *Pages) showPractice(c *gin.Context, status int, shown tablet.PracticeView) error {
	ctx := s.Page.Request.Language(c)
	shown.Page = s.Page.Awaiting(c, s.Page.NewPage(c, locale.T(ctx, "practice.title"), nil))
	if shown.Role == part.RolePlayer {
		shown.Role = part.RolePublic // a practice seat does not make the visitor a player
	}
	for _, style := range bot.Styles {
		name := style.String()
		shown.Strengths = append(shown.Strengths, play.Choice{Value: name,
			Name: locale.T(ctx, "practice."+name),
			Text: locale.T(ctx, "practice."+name+".text")})
	}
	shown.RuleSets = view.RuleChoices(ctx, s.View.Presets)
	if me, err := s.Page.Request.Seats.Holder(c); err == nil {
		at, err := s.Page.Request.Seats.WhereIs(ctx, me)
		if err != nil {
			return err
		}
		shown.Running = at.Running()
		shown.Learning = shown.Running && at.Snap.Ref.Practice == practice.Lesson
	}
	steps := practice.LessonSteps()
	shown.Lesson = lessonStep(steps[len(steps)-1])
	return s.Page.Show(c, status, tablet.PracticePage(shown))
}

// practicePost opens a practice table with the chosen bots and rules, with those of the last game if the player wants
// to play again, or with a lesson.
func (s *Pages) practicePost(c *gin.Context) error {
	view := tablet.PracticeView{Strength: c.PostForm("strength"), Rules: c.PostForm("rules")}
	last, game, err := s.lastPractice(c)
	if err != nil {
		return err
	}
	var rules ruleset.Ruleset
	switch {
	case c.PostForm("lesson") != "":
		view.Strength = practice.Lesson
		rules, err = s.View.Presets.Ruleset(lessonRules, nil)
	case c.PostForm("again") != "" && last != nil:
		view.Strength = last.Practice
		rules, err = last.Rules()
	default:
		rules, err = s.View.Presets.Ruleset(view.Rules, nil)
	}
	var token string
	if err == nil {
		token, _, err = s.Page.Request.Practice.Open(s.Page.Request.Language(c), c.ClientIP(), view.Strength, rules)
	}
	if err != nil {
		text, status, err := s.Page.Problem(c, err)
		if err != nil {
			return err
		}
		view.Problem = text
		return s.showPractice(c, status, view)
	}
	s.Page.Request.Bots.Leave(game)
	s.Page.Request.Seats.SetCookie(c, token)
	return s.Page.SeeOther(c, templates.PracticeGamePath, "")
}

// lessonRules is the rule set of a lesson, which has no clock and no penalties.
const lessonRules = "casual"

// newLesson returns the panel of a learner's progress.
func newLesson(at practice.Learning) *play.Lesson {
	l := &play.Lesson{LessonStep: lessonStep(at.Step), Mood: at.Mood, Number: at.Number, Of: at.Of, Points: at.Points,
		Moves: at.Moves, Table: practice.Laid(at.Table), Ends: at.Ends()}
	if at.Moves == "" { // the step is about what the learner has laid
		l.Sets = at.Laid
	}
	if at.Mood == practice.LessonDone {
		for _, step := range practice.LessonSteps() {
			l.All = append(l.All, lessonStep(step))
		}
	}
	return l
}

func lessonStep(s practice.Step) play.LessonStep {
	return play.LessonStep{Name: s.Name, Sets: s.Sets, Fresh: s.Taken()}
}

// lastPractice returns the device's current or last practice table with its game, or nil for none.
func (s *Pages) lastPractice(c *gin.Context) (last *tournament.Tournament, gameID int64, err error) {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return nil, 0, nil
	}
	ctx := c.Request.Context()
	t, err := tournament.TournamentByID(ctx, s.View.Store, me.Tournament)
	if err != nil {
		return nil, 0, err
	}
	current, err := game.CurrentAtTable(ctx, s.View.Store, me.Table)
	return &t, current.Game, err
}

// hintReply is a hint for the tablet: a text and, on request, the panel that shows the play.
type hintReply struct {
	Turn    int              `json:"turn"`
	Tiles   int              `json:"tiles"`
	Message string           `json:"message"`
	Played  []string         `json:"played,omitempty"`
	Table   []tile.LaidFaces `json:"table,omitempty"`
	Panel   string           `json:"panel,omitempty"`
}

// hintPage returns how many tiles the player at a practice table can lay, and with ?way=yes how.
func (s *Pages) hintPage(c *gin.Context) error {
	hint, err := s.Page.Request.Commands.Hint(c)
	if err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	reply := hintReply{Turn: hint.Turn, Tiles: hint.Tiles, Message: hint.Words(ctx)}
	if c.Query("way") != "" && hint.Tiles > 0 {
		html, err := page.Render(ctx, tablet.HintPanel(hint))
		if err != nil {
			return err
		}
		reply.Table, reply.Panel = hint.Table, string(html)
		for _, f := range hint.Played {
			reply.Played = append(reply.Played, f.String())
		}
	}
	return request.WriteJSON(c, reply)
}
