package api

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/embedding"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/web/request"
)

// TournamentBody is the request to create a tournament. Rules is a preset's name with any fields changed:
// {"preset":"wrc","turn_seconds":90}.
type TournamentBody struct {
	Name   string         `json:"name" maxLength:"500"`
	Place  string         `json:"place,omitempty" maxLength:"500"`
	Format any            `json:"format" doc:"the name of a format of GET /presets, or a whole format"`
	Rules  map[string]any `json:"rules" doc:"the name of a rule set of GET /presets as preset, and the fields that differ from it"`
	Tiles  string         `json:"tiles,omitempty" enum:"digital,real" doc:"digital if left out"`
	Roster string         `json:"roster,omitempty" doc:"a roster file; the event and its players are created together or not at all"`
	Seed   int64          `json:"seed,omitempty" deprecated:"true" doc:"ignored: each draw has its own random seed"`
	tournament.Details
}

// RosterInput is a roster file.
type RosterInput struct {
	IDPath
	Preview bool   `query:"preview" doc:"return the effects without changing anything"`
	RawBody []byte `contentType:"text/csv"`
}

// RosterView is a roster as it was parsed. If there are problems, nothing was entered.
type RosterView struct {
	Preview bool `json:"preview"`
	Entered int  `json:"entered" doc:"number of players entered; 0 in a preview"`

	Already int `json:"already" doc:"number of players of the file who are entered already and stay as they are"`

	Rows     []rosterfile.Row `json:"rows"`
	Problems []RosterProblem  `json:"problems"`
}

// RosterProblem is the reason why a line was rejected; line 0 is the whole file.
type RosterProblem struct {
	Line    int    `json:"line"`
	Field   string `json:"field,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (a *api) organizerOperations() {
	operation(a, forOrganizer, "POST /tournaments", "Create a tournament", a.apiTournamentCreate)
	operation(a, forOrganizer, "POST /tournaments/{id}/roster", "Enter the players of a CSV or XLSX file, all or none",
		a.apiRoster,
		func(op *huma.Operation) {
			op.MaxBodyBytes = request.ImportMost + 1
			op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{xlsxKind: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}
		},
		describe("The first line names the columns: name, country, club, rating, email, division, family, drawn, "+
			"mark, federation_number; only name is required. "+
			"A workbook must have exactly one sheet with content. Formulas, dates, merged cells and numbers as "+
			"names are refused, by cell. "+
			"With ?preview=true nothing changes. Problems name the line; a file with problems gets 422 and enters "+
			"no players."))
	operation(a, forOrganizer, "POST /tournaments/{id}/rounds",
		"Draft the next round, after the cut if a stage begins", a.apiRoundDraft)
	operation(a, forAll, "GET /tournaments/{id}/cut", "The cut before the next round", a.apiCut)
	does[ranking.DrawLot](a, forOrganizer, "POST /tournaments/{id}/lot",
		"Draw lots among the players who tie at the cut", cutView)
	acts[tournament.SetFamily](a, forOrganizer, "POST /players/{id}/family",
		"Set or clear a player's family; later draws keep a family apart")
	does[tournament.SetExtraTime](a, forOrganizer, "POST /players/{id}/time",
		"Give a player more time per turn in later games", playerView)
	acts[draw.DiscardRound](a, forOrganizer, "POST /rounds/{id}/discard", "Discard a drafted round")
	does[tournament.SetShown](a, forOrganizer, "POST /tournaments/{id}/publishing",
		"Set how the pairing, the tables, the standings or the results are published",
		func(s tournament.ShownSet) tournament.Publishing { return s.Is })
	does[embedding.SetSites](a, forOrganizer, "POST /tournaments/{id}/embedding",
		"Set which sites may embed the standings and the tables: any, those that are listed, or none", same,
		describe("Sites are addresses, with *. for all subdomains, separated by spaces or line breaks."))
	shows[draw.PublishRound](a, forOrganizer, "POST /rounds/{id}/publish",
		"Publish a drafted round and create its codes", a.roundDetail)
	does[draw.WithdrawRound](a, forOrganizer, "POST /rounds/{id}/withdraw",
		"Withdraw a published round before its first table starts; it becomes a draft again", withdrawnAnswer)
	shows[draw.StartRound](a, forOrganizer, "POST /rounds/{id}/start",
		"Start a published round: the first game at every table not started yet", a.roundDetail)
	operation(a, forReferee, "POST /tables/{id}/start",
		"Start one table of a published round early; this fixes the round's seating", a.apiTableStart)
}

func (a *api) apiTournamentCreate(ctx context.Context, in *with[TournamentBody]) (*with[TournamentDetail], error) {
	actor := a.Request.Staff(requestOf(ctx))
	if err := rights.Authorize(actor, rights.Place{}, rights.MayCreateTournament); err != nil {
		return nil, err
	}
	n := people.CreateTournament{Name: in.Body.Name, Place: in.Body.Place, Tiles: in.Body.Tiles,
		Roster: in.Body.Roster, Details: in.Body.Details}
	var err error
	if n.Format, err = a.format(ctx, actor, in.Body.Format); err != nil {
		return nil, err
	}
	preset, _ := in.Body.Rules["preset"].(string)
	delete(in.Body.Rules, "preset")
	changes, err := json.Marshal(in.Body.Rules)
	if err != nil {
		return nil, err
	}
	if n.Rules, err = a.View.RulesNamed(ctx, actor, n.Format, preset, changes); err != nil {
		return nil, err
	}
	t, err := action.Do(ctx, a.Request.Desk, actor, n)
	if err != nil {
		return nil, err
	}
	return answer(a.tournamentDetail(ctx, t))
}

// format parses a format: a preset's name, own-ID for an organizer's own format, or a whole format.
func (a *api) format(ctx context.Context, actor rights.Actor, v any) (format.Format, error) {
	if name, ok := v.(string); ok {
		return a.View.FormatNamed(ctx, actor, name)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return format.Format{}, err
	}
	return preset.ParseFormat(data)
}

func (a *api) apiRoster(ctx context.Context, in *RosterInput) (*with[RosterView], error) {
	actor := a.Request.Staff(requestOf(ctx))
	if in.Preview {
		roster, err := action.Preview(ctx, a.Request.Desk, actor, people.ImportRoster{Tournament: in.ID,
			File: string(in.RawBody)})
		view := rosterView(ctx, roster)
		view.Preview = true
		return answer(view, err)
	}
	roster, err := action.Do(ctx, a.Request.Desk, actor, people.ImportRoster{Tournament: in.ID,
		File: string(in.RawBody)})
	view := rosterView(ctx, roster)
	if err != nil {
		f := a.Request.Failed(requestOf(ctx), err)
		if len(view.Problems) > 0 {
			f.Args["problems"] = view.Problems
		}
		return nil, f
	}
	view.Entered = len(roster.Rows)
	return answer(view, nil)
}

func rosterView(ctx context.Context, roster rosterfile.Roster) RosterView {
	view := RosterView{Already: len(roster.Entered), Rows: viewsOf(roster.Rows, same),
		Problems: make([]RosterProblem, len(roster.Problems))}
	for i, p := range roster.Problems {
		f := request.FailureOf(ctx, "", p.Err)
		view.Problems[i] = RosterProblem{p.Line, p.Field, f.Code, f.Message}
	}
	return view
}

func (a *api) apiRoundDraft(ctx context.Context, in *idWith[draw.PairingOptions]) (*with[RoundDetail], error) {
	round, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		draw.PairRound{Tournament: in.ID, PairingOptions: in.Body})
	if err != nil {
		return nil, err
	}
	return answer(a.roundDetail(ctx, round))
}

func (a *api) apiTableStart(ctx context.Context, in *draw.StartTable) (*with[RoundDetail], error) {
	if _, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), *in); err != nil {
		return nil, err
	}
	table, err := tournament.TableByID(ctx, a.View.Store, in.Table)
	if err != nil {
		return nil, err
	}
	return answer(a.tableRound(ctx, table))
}

// tableRound returns the round to which a table belongs.
func (a *api) tableRound(ctx context.Context, table tournament.Table) (RoundDetail, error) {
	round, err := draw.RoundByID(ctx, a.View.Store, table.RoundID)
	if err != nil {
		return RoundDetail{}, err
	}
	return a.roundDetail(ctx, round)
}

// CutView describes the cut before the next round: who advances, and who is tied.
type CutView struct {
	Stage  int     `json:"stage"`
	Size   int     `json:"size" doc:"number of players who advance"`
	In     []int64 `json:"in" doc:"players who advance by their standing"`
	Tied   []int64 `json:"tied,omitempty" doc:"players tied at the cut"`
	Places int     `json:"places,omitempty" doc:"number of places for the tied players"`
	Drawn  []int64 `json:"drawn,omitempty" doc:"the tied players in drawn order"`

	PlayOff [][]int64 `json:"play_off,omitempty" doc:"ties that are broken by a play-off game first"`
	Decides []string  `json:"decides,omitempty" doc:"how the tie is broken, in order: play_off, lot"`
}

func cutView(c ranking.Cut) CutView {
	view := CutView{Stage: c.Stage, Size: c.Size, In: append([]int64{}, c.In...), Tied: c.Tied, Places: c.Places,
		PlayOff: c.PlayOff, Decides: c.Decides}
	if c.Lot != nil {
		view.Drawn = c.Lot.Drawn
	}
	return view
}

func (a *api) apiCut(ctx context.Context, in *IDPath) (*with[CutView], error) {
	sight, err := a.View.Sights.Of(ctx, a.Request.Staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	cut, err := ranking.NextCutAt(ctx, a.View.Store, in.ID, sight.Standings)
	return answer(cutView(cut), err)
}

// ReopenAnswer describes how a reopened tournament continues.
type ReopenAnswer struct {
	Stage  int `json:"stage,omitempty" doc:"from 1: the stage that gets one more round; left out if rounds are left"`
	Rounds int `json:"rounds,omitempty" doc:"its new number of rounds"`
}

// ReopenBody is the request to reopen a tournament that is over.
type ReopenBody struct {
	Why     string `json:"why,omitempty" maxLength:"500"`
	Preview bool   `json:"preview,omitempty" doc:"return the effects without changing anything"`
}

func (a *api) apiReopen(ctx context.Context, in *idWith[ReopenBody]) (*with[ReopenAnswer], error) {
	made, err := request.DoOr(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), in.Body.Preview,
		draw.Reopen{Tournament: in.ID, Why: in.Body.Why})
	view := ReopenAnswer{}
	if made.Rounds > 0 {
		view = ReopenAnswer{made.Stage + 1, made.Rounds}
	}
	return answer(view, err)
}

// StageRoundsBody is the request to change the number of rounds of a stage.
type StageRoundsBody struct {
	Rounds  int    `json:"rounds" minimum:"1"`
	Why     string `json:"why,omitempty" maxLength:"500"`
	Preview bool   `json:"preview,omitempty" doc:"return the effects without changing anything"`
}

// StageRoundsIn names a stage.
type StageRoundsIn struct {
	ID    int64 `path:"id" minimum:"1"`
	Stage int   `path:"stage" minimum:"1" doc:"from 1"`
	Body  StageRoundsBody
}

func (a *api) apiStageRounds(ctx context.Context, in *StageRoundsIn) (*with[draw.StageRounds], error) {
	return answer(request.DoOr(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), in.Body.Preview,
		draw.SetStageRounds{Tournament: in.ID, Stage: in.Stage - 1, Rounds: in.Body.Rounds, Why: in.Body.Why}))
}
