package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// SwapAnswer is the effect of swapping two players, or of moving one.
type SwapAnswer struct {
	Cost    pairing.Cost `json:"cost" doc:"the extra cost of the draft, by field; below 0 is better"`
	Repeats int          `json:"repeats" doc:"number of repeated meetings"`
	Tables  [2]int       `json:"tables"`
}

// WithdrawnAnswer counts the tables and players affected by withdrawing a round.
type WithdrawnAnswer struct {
	Tables  int `json:"tables"`
	Players int `json:"players"`
	Joined  int `json:"joined" doc:"players whose devices must wait for new seats"`
}

func withdrawnAnswer(out draw.Withdrawn) WithdrawnAnswer {
	return WithdrawnAnswer{out.Tables, out.Players, out.Joined}
}

// ApartView lists the pairs of players who should not meet.
type ApartView struct {
	Pairs []pairing.Pair `json:"pairs"`
}

// DrawAnswer describes how a round was seated. The seed and salt of a promise are revealed when the round, and all
// rounds planned with the same seed, are published.
type DrawAnswer struct {
	Report    pairing.Report          `json:"report"`
	Note      string                  `json:"note,omitempty"`
	Draws     int                     `json:"draws"`
	Changes   int                     `json:"changes" doc:"number of manual exchanges"`
	Replanned int                     `json:"replanned,omitempty" doc:"the round with manual exchanges after which this round and the rest were planned again"`
	CheckedBy string                  `json:"checked_by,omitempty"`
	Duplicate bool                    `json:"duplicate"`
	Promise   *tournament.ToldPromise `json:"promise,omitempty"`
}

// ScriptInput is a seating file.
type ScriptInput struct {
	IDPath
	Note    string `query:"note" maxLength:"500" doc:"the reason, if the seats replace a draft"`
	RawBody []byte `contentType:"text/csv"`
}

func (a *api) drawOperations() {
	operation(a, forOrganizer, "POST /tournaments/{id}/script", "Draft the next round from a seating file",
		a.apiScript,
		func(op *huma.Operation) { op.MaxBodyBytes = request.ImportMost + 1 },
		describe("The first line names the columns: table, seat, player (start number or name) or number, and "+
			"round if the file covers more than one. Later rounds are stored until they are drafted. "+
			"An exported seating file works unchanged."))
	acts[draw.WriteDrawn](a, forOrganizer, "POST /tournaments/{id}/drawn",
		"Enter the numbers that players drew in the hall, for the number chart")
	acts[draw.DrawNumbers](a, forOrganizer, "POST /tournaments/{id}/drawn/lots",
		"Draw numbers for players without one")
	operation(a, forAll, "GET /tournaments/{id}/promises",
		"Hashes that commit to the seeds of draws and lots; a seed is revealed after its draw, once no later round "+
			"is planned with it", a.apiPromises)
	does[draw.PromiseSeed](a, forOrganizer, "POST /tournaments/{id}/promise",
		"Commit to the seed of the next draw by its hash",
		func(p tournament.SeedPromise) tournament.ToldPromise { return p.Told(tournament.Round{}) })
	operation(a, forOrganizer, "GET /tournaments/{id}/apart", "Players who should not meet", a.apiApart)
	acts[draw.KeepApart](a, forOrganizer, "POST /tournaments/{id}/apart",
		"Keep two players apart as far as possible, or stop doing so")
	operation(a, forOrganizer, "GET /rounds/{id}/draw", "Report of a round's draw, table by table", a.apiDraw)
	operation(a, forOrganizer, "POST /rounds/{id}/swap-preview", "Preview swapping two players of a round",
		a.apiSwapPreview)
	does[people.SwapSeats](a, forOrganizer, "POST /rounds/{id}/swap",
		"Swap two players of a draft, or of a published round before its first table starts", swapAnswer)
	does[people.MoveSeat](a, forOrganizer, "POST /rounds/{id}/move",
		"Move a player to a free chair at another table, under the conditions of swap", moveAnswer)
	acts[draw.CheckRound](a, forOrganizer, "POST /rounds/{id}/check", "Mark a draft as checked")
	acts[draw.SetDuplicate](a, forOrganizer, "POST /rounds/{id}/duplicate",
		"Use the same deal at all tables of a round, or a different one at each")
}

func (a *api) apiScript(ctx context.Context, in *ScriptInput) (*with[RoundDetail], error) {
	file := string(in.RawBody)
	round, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		draw.PairRound{Tournament: in.ID, File: &file, PairingOptions: draw.PairingOptions{Note: in.Note}})
	if err != nil {
		return nil, err
	}
	return answer(a.roundDetail(ctx, round))
}

func (a *api) apiPromises(ctx context.Context, in *IDPath) (*listOf[tournament.ToldPromise], error) {
	if _, err := tournament.TournamentByID(ctx, a.View.Store, in.ID); err != nil {
		return nil, err
	}
	sight, err := a.View.Sights.Of(ctx, a.Request.Staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	return listed(same[tournament.ToldPromise])(draw.Promises(ctx, a.View.Store, in.ID, sight))
}

func (a *api) apiApart(ctx context.Context, in *IDPath) (*with[ApartView], error) {
	if err := rights.Authorize(a.Request.Staff(requestOf(ctx)), rights.Place{Tournament: in.ID},
		rights.MaySeatRound); err != nil {
		return nil, err
	}
	pairs, err := draw.KeptApart(ctx, a.View.Store, in.ID)
	return answer(ApartView{pairs}, err)
}

func (a *api) apiDraw(ctx context.Context, in *IDPath) (*with[DrawAnswer], error) {
	round, err := draw.RoundByID(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(a.Request.Staff(requestOf(ctx)), rights.Place{Tournament: round.TournamentID},
		rights.MaySeatRound); err != nil {
		return nil, err
	}
	view := DrawAnswer{Report: round.PairingReport(), Note: round.Note, Draws: round.Draws, Changes: round.Changes,
		Replanned: round.Replanned, CheckedBy: round.CheckedBy, Duplicate: round.Duplicate}
	view.Report.Seed = round.ToldSeed()
	promise, err := draw.PromiseOf(ctx, a.View.Store, round.TournamentID, round.Number)
	if promise != nil {
		told := promise.Told(round)
		view.Promise = &told
	}
	return answer(view, err)
}

func swapAnswer(swap draw.SeatSwap) SwapAnswer {
	return SwapAnswer{Cost: swap.Cost, Repeats: swap.After.Extra - swap.Before.Extra, Tables: swap.Tables}
}

func moveAnswer(move draw.SeatMove) SwapAnswer {
	return SwapAnswer{Cost: move.Cost, Repeats: move.After.Extra - move.Before.Extra, Tables: move.Tables}
}

func (a *api) apiSwapPreview(ctx context.Context, in *idWith[people.SwapSeats]) (*with[SwapAnswer], error) {
	swap, err := action.Preview(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), in.action())
	return answer(swapAnswer(swap), err)
}
