package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
)

// questionMost bounds what is searched for.
const questionMost = 200

// regulationsPage is an event's regulations, for everybody: its own rule set fills the numbers.
func (s *publicPages) regulationsPage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return err
	}
	view := templates.RegulationsView{Event: event, Question: question(c.Query("q"))}
	if view.Chapters, err = s.regulations(ctx, event); err != nil {
		return err
	}
	for _, chapter := range templates.SearchArticles(view.Chapters, view.Question) {
		for _, a := range chapter.Articles {
			view.Found = append(view.Found, a.Number)
		}
	}
	view.Page = s.newPage(c, templates.T(ctx, "regulations.title"), &t)
	return s.show(c, http.StatusOK, templates.RegulationsPage(view))
}

func (s *views) regulations(ctx context.Context, event int64) ([]templates.Chapter, error) {
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return nil, err
	}
	rules, err := t.Rules()
	if err != nil {
		return nil, err
	}
	return templates.Regulations(ctx, rules)
}

func question(text string) string {
	runes := []rune(strings.TrimSpace(text))
	return string(runes[:min(len(runes), questionMost)])
}

// RegulationsQuery asks for an event's regulations.
type RegulationsQuery struct {
	ID       int64  `path:"id"`
	Question string `query:"q" maxLength:"200" doc:"only articles that hold all these words"`
}

// RegulationsView is an event's regulations in the language of Accept-Language.
type RegulationsView struct {
	Chapters []templates.Chapter `json:"chapters"`
}

func (a *api) apiRegulations(ctx context.Context, in *RegulationsQuery) (*with[RegulationsView], error) {
	chapters, err := a.regulations(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	view := RegulationsView{templates.SearchArticles(chapters, question(in.Question))}
	if view.Chapters == nil {
		view.Chapters = []templates.Chapter{}
	}
	return answer(view, nil)
}
