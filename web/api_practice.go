package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/solve"
)

// PracticeBody opens a practice table.
type PracticeBody struct {
	Strength string `json:"strength" doc:"how well the three bots play: novice, club, …; the answer to a wrong one names all"`
	Rules    string `json:"rules" doc:"the name of a rule set of GET /presets"`
}

// HintView is what could be laid in the running turn.
type HintView struct {
	Turn    int                `json:"turn" doc:"the turn that it is for"`
	Tiles   int                `json:"tiles" doc:"how many rack tiles can go down; 0: draw or pass"`
	Opens   bool               `json:"opens" doc:"it would be the initial meld"`
	Points  int                `json:"points,omitempty" doc:"of an initial meld"`
	Proven  bool               `json:"proven" doc:"nothing better can be laid; false where the search was stopped"`
	Played  engine.RackView    `json:"played,omitempty" doc:"the tiles that would leave the rack"`
	Table   []engine.LaidFaces `json:"table,omitempty" doc:"the whole table after it, to be sent to /play"`
	Steps   []solve.Step       `json:"steps,omitempty" doc:"the steps of hands from the table as it is"`
	Message string             `json:"message" doc:"in the language of Accept-Language"`
}

func (a *api) practiceOperations() {
	operation(a, forAll, "POST /practice", "Open a practice table against three bots", a.apiPractice,
		describe("The token plays seat 0 of a game that is counted nowhere; GET /seat says which. At most 50 tables are open at once, "+
			"and an address may open ten a minute: 429 otherwise. After 30 minutes without a move the bots end the game."))
	a.plain(forPlayer, "GET /games/{id}/hint", "What could be laid now, at a practice table", nil, HintView{}, jsonKind, a.apiHint,
		describe("For the player to move, at a practice table only: 403 everywhere else."))
}

func (a *api) apiPractice(ctx context.Context, in *with[PracticeBody]) (*with[JoinedView], error) {
	rules, err := a.presets.Ruleset(in.Body.Rules, nil)
	if err != nil {
		return nil, err
	}
	token, me, err := a.openPractice(ctx, requestOf(ctx).ClientIP(), in.Body.Strength, rules)
	if err != nil {
		return nil, err
	}
	place, err := a.place(ctx, me)
	if err != nil {
		return nil, err
	}
	return answer(JoinedView{token, *place.Player, place.Tournament}, nil)
}

func (a *api) apiHint(c *gin.Context) error {
	hint, err := a.hint(c)
	if err != nil {
		return err
	}
	return writeJSON(c, HintView{hint.Turn, hint.Tiles, hint.Opens, hint.Points, hint.Proven, hint.Played, hint.Table, hint.Steps,
		hint.Words(a.language(c))})
}
