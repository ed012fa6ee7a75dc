package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
)

// ruleAllPage shows at which tables of a round a ruling would hold.
func (s *refereePages) ruleAllPage(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error { return s.showRuleAll(c, http.StatusOK, kind, c.Request.URL.Query(), "") }
}

func (s *refereePages) showRuleAll(c *gin.Context, status int, kind engine.RulingKind, form url.Values, problem string) error {
	at := roundOf(c)
	ctx, actor := s.language(c), s.staff(c)
	view := templates.ConfirmView{Event: at.event, Action: kind.Name, Reason: form.Get("reason"), Problem: problem,
		Back: templates.HallPath(at.event), Post: templates.RoundRulePath(at.event, at.round, kind.Name)}
	form.Set("canned", chosenReason(&view, kind, form))
	g := s.given(form, kind, actor, engine.State{})
	view.Fields = g.carried()
	command, err := g.command()
	if err != nil {
		return err
	}
	tables, err := s.games.PreviewAll(ctx, actor, at.round, command)
	if err != nil {
		return err
	}
	seconds, _ := g.number("seconds")
	view.Title = templates.T(ctx, "say.all."+kind.Name, "seconds", seconds)
	view.Tables = s.outcomes(c, tables)
	view.Key = fmt.Sprintf("all-%d-%s-%d-%x", at.round, kind.Name, seconds, s.store.Now().UnixMilli())
	if c.GetHeader(partHeader) != "" {
		return s.show(c, status, templates.Confirm(view))
	}
	return showEvent(s.Server, c, status, view.Title, &view, &view.Page, templates.ConfirmPage)
}

// outcomes says for each table whether a ruling holds there, in the reader's language.
func (s *refereePages) outcomes(c *gin.Context, tables []tournament.TableRuling) []templates.TableOutcome {
	list := make([]templates.TableOutcome, len(tables))
	for i, t := range tables {
		list[i].Number = t.TableNumber
		if t.Err != nil {
			list[i].Why = s.failed(c, t.Err).Message
		}
	}
	return list
}

// ruleAllPost gives a ruling at all tables of a round, and says where it does not hold.
func (s *refereePages) ruleAllPost(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error {
		at := roundOf(c)
		ctx, actor, form := s.language(c), s.staff(c), c.Request.PostForm
		command, err := s.given(form, kind, actor, engine.State{}).command()
		if err != nil {
			return err
		}
		if len(form.Get("key")) < 8 {
			return refuse.Invalid("err_key_length", "least", 8, "most", 64)
		}
		tables, err := s.games.RuleAll(ctx, actor, at.round, form.Get("key"), command)
		if err != nil {
			return err
		}
		held, text := 0, []string{""}
		for _, t := range s.outcomes(c, tables) {
			if t.Why == "" {
				held++
			} else {
				text = append(text, templates.T(ctx, "table.title", "number", t.Number)+": "+t.Why)
			}
		}
		text[0] = templates.T(ctx, "ruled."+kind.Name) + " " + templates.T(ctx, "all.held", "n", held, "of", len(tables))
		if wantsJSON(c) {
			c.JSON(http.StatusOK, Said{Said: strings.Join(text, " ")})
			return nil
		}
		s.flash(c, strings.Join(text, " "))
		return s.seeOther(c, templates.HallPath(at.event), "")
	}
}
