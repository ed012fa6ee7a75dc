package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/web/page"
	"meldhall/web/request"
)

// practicePage is where anyone opens a practice table or returns to the current one.
func (s *tabletPages) practicePage(c *gin.Context) error {
	return s.showPractice(c, http.StatusOK, templates.PracticeView{Strength: bot.Club.String(), Rules: preset.Usual})
}

func (s *tabletPages) showPractice(c *gin.Context, status int, view templates.PracticeView) error {
	ctx := s.server.Request.Language(c)
	view.Page = s.server.awaiting(c, s.server.Page.NewPage(c, templates.T(ctx, "practice.title"), nil))
	if view.Role == templates.RolePlayer {
		view.Role = templates.RolePublic // a practice seat does not make the visitor a player
	}
	for _, style := range bot.Styles {
		name := style.String()
		view.Strengths = append(view.Strengths, templates.Choice{Value: name, Name: templates.T(ctx, "practice."+name),
			Text: templates.T(ctx, "practice."+name+".text")})
	}
	view.RuleSets = ruleChoices(ctx, s.server.View.Presets)
	if me, err := s.server.Request.SeatHolder(c); err == nil {
		at, err := s.server.Views.whereIs(ctx, me)
		if err != nil {
			return err
		}
		view.Running = at.Running()
	}
	return s.server.Page.Show(c, status, templates.PracticePage(view))
}

// practicePost deals a game with the chosen bots and rules, or to play again with those of the last game.
func (s *tabletPages) practicePost(c *gin.Context) error {
	view := templates.PracticeView{Strength: c.PostForm("strength"), Rules: c.PostForm("rules")}
	last, game, err := s.lastPractice(c)
	if err != nil {
		return err
	}
	var rules engine.Ruleset
	if c.PostForm("again") != "" && last != nil {
		view.Strength = last.Practice
		rules, err = last.Rules()
	} else {
		rules, err = s.server.View.Presets.Ruleset(view.Rules, nil)
	}
	var token string
	if err == nil {
		token, _, err = s.server.Request.OpenPractice(s.server.Request.Language(c), c.ClientIP(), view.Strength, rules)
	}
	if err != nil {
		text, status, err := s.server.Page.Problem(c, err)
		if err != nil {
			return err
		}
		view.Problem = text
		return s.showPractice(c, status, view)
	}
	s.server.Request.Practice.Leave(game)
	s.server.Request.SetSeatCookie(c, token)
	return s.server.Page.SeeOther(c, templates.PracticeGamePath, "")
}

// lastPractice returns the device's current or last practice table with its game, or nil for none.
func (s *tabletPages) lastPractice(c *gin.Context) (last *tournament.Tournament, gameID int64, err error) {
	me, err := s.server.Request.SeatHolder(c)
	if err != nil {
		return nil, 0, nil
	}
	ctx := c.Request.Context()
	t, err := tournament.TournamentByID(ctx, s.server.View.Store, me.Tournament)
	if err != nil {
		return nil, 0, err
	}
	current, err := game.CurrentAtTable(ctx, s.server.View.Store, me.Table)
	return &t, current.Game, err
}

// hintReply is a hint for the tablet in words, and on request with the panel that shows how.
type hintReply struct {
	Turn    int                `json:"turn"`
	Tiles   int                `json:"tiles"`
	Message string             `json:"message"`
	Played  []string           `json:"played,omitempty"`
	Table   []engine.LaidFaces `json:"table,omitempty"`
	Panel   string             `json:"panel,omitempty"`
}

// hintPage returns how many tiles the player at a practice table can lay, and with ?way=yes how.
func (s *tabletPages) hintPage(c *gin.Context) error {
	hint, err := s.server.Request.Hint(c)
	if err != nil {
		return err
	}
	ctx := s.server.Request.Language(c)
	reply := hintReply{Turn: hint.Turn, Tiles: hint.Tiles, Message: hint.Words(ctx)}
	if c.Query("way") != "" && hint.Tiles > 0 {
		html, err := page.Render(ctx, templates.HintPanel(hint))
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
