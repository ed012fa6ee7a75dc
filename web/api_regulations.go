package web

import (
	"context"

	"meldhall/templates"
)

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
