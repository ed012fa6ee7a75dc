package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/pairing"
	"meldhall/tournament/rights"
	"meldhall/web/shell"
)

// SwapBody names two players of a draft.
type SwapBody struct {
	A   int64  `json:"a"`
	B   int64  `json:"b"`
	Why string `json:"why,omitempty" maxLength:"500" doc:"for the log; not asked of a preview, nor of a draft that is seated by hand"`
}

// SwapAnswer is what an exchange changes.
type SwapAnswer struct {
	Cost    pairing.Cost `json:"cost" doc:"what the draft costs more, field by field; below 0 is better"`
	Repeats int          `json:"repeats" doc:"how many more meetings beyond the first"`
	Tables  [2]int       `json:"tables"`
}

// DuplicateBody says whether all tables get the same deal.
type DuplicateBody struct {
	Duplicate bool `json:"duplicate"`
}

// ApartBody is two players who are not to meet, or may again.
type ApartBody struct {
	A     int64 `json:"a"`
	B     int64 `json:"b"`
	Apart bool  `json:"apart"`
}

// ApartView is the pairs who are not to meet.
type ApartView struct {
	Pairs []pairing.Pair `json:"pairs"`
}

// DrawAnswer is how a round's seats came about. Seed and salt of a promise are told when the round is published.
type DrawAnswer struct {
	Report    pairing.Report `json:"report"`
	Note      string         `json:"note,omitempty"`
	Draws     int            `json:"draws"`
	Changes   int            `json:"changes" doc:"exchanges by hand"`
	Replanned int            `json:"replanned,omitempty" doc:"the round after whose exchanges by hand this one and the rest were planned anew"`
	CheckedBy string         `json:"checked_by,omitempty"`
	Duplicate bool           `json:"duplicate"`
	Promise   *PromiseView   `json:"promise,omitempty"`
}

// PromiseView is the hash that binds a seed, and the text it is of once that may be known.
type PromiseView struct {
	Round  int    `json:"round"`
	Method string `json:"method,omitempty" doc:"how it is to be drawn, where that is promised too"`
	Hash   string `json:"hash" doc:"SHA-256 of the text, in hexadecimal"`
	Text   string `json:"text,omitempty"`
	Seed   int64  `json:"seed,omitempty"`
	Kept   string `json:"kept,omitempty" enum:"kept,changed,broken" doc:"changed: drawn with this seed, then changed by hand; broken: drawn with another one"`
}

// PromiseInput asks for a promise.
type PromiseInput struct {
	IDPath
	Method string `query:"method" doc:"how the round is to be drawn: plan, standings, random, chart, snake, interval or winners; left out: as it would be anyway"`
}

// ScriptInput is a seating file.
type ScriptInput struct {
	IDPath
	RawBody []byte `contentType:"text/csv"`
}

func (a *api) drawOperations() {
	operation(a, forOrganizer, "POST /tournaments/{id}/script", "Draft the next round as a seating file says", a.apiScript,
		func(op *huma.Operation) { op.MaxBodyBytes = shell.ImportMost + 1 },
		describe("Columns by name in the first line: table, seat, player (start number or name) or number, and round where the file holds more than one, which are kept for their turn. "+
			"An exported seating file fits as it is."))
	acts(a, forOrganizer, "POST /tournaments/{id}/drawn", "Write down the numbers that players drew in the hall, for the number chart", drawnNumbers)
	acts(a, forOrganizer, "POST /tournaments/{id}/drawn/lots", "Draw the numbers of those who have none",
		func(in *IDPath) door.Action { return tournament.DrawNumbers{Tournament: in.ID} })
	operation(a, forAll, "GET /tournaments/{id}/promises", "The hashes that bind the seeds of draws, and what they are of once the round is published", a.apiPromises)
	gives(a, forOrganizer, "POST /tournaments/{id}/promise", "Bind the seed of the next draw by a hash", func(in *PromiseInput) door.ActionOf[tournament.SeedPromise] {
		return tournament.PromiseSeed{Tournament: in.ID, Method: in.Method}
	}, func(p tournament.SeedPromise) PromiseView { return promiseView(p.Told(tournament.Round{})) })
	operation(a, forOrganizer, "GET /tournaments/{id}/apart", "Players who are not to meet", a.apiApart)
	acts(a, forOrganizer, "POST /tournaments/{id}/apart", "Keep two players apart, as far as it can be, or no more", func(in *idWith[ApartBody]) door.Action {
		return tournament.KeepApart{Tournament: in.ID, A: in.Body.A, B: in.Body.B, Apart: in.Body.Apart}
	})
	operation(a, forOrganizer, "GET /rounds/{id}/draw", "How a round's seats came about, table by table", a.apiDraw)
	operation(a, forOrganizer, "POST /rounds/{id}/swap-preview", "What exchanging two players of a draft would change", a.apiSwapPreview)
	gives(a, forOrganizer, "POST /rounds/{id}/swap", "Exchange two players of a draft", func(in *idWith[SwapBody]) door.ActionOf[tournament.SeatSwap] {
		return tournament.SwapSeats{Round: in.ID, A: in.Body.A, B: in.Body.B, Why: in.Body.Why}
	}, swapAnswer)
	acts(a, forOrganizer, "POST /rounds/{id}/check", "Say that a draft is checked",
		func(in *IDPath) door.Action { return tournament.CheckRound{Round: in.ID} })
	acts(a, forOrganizer, "POST /rounds/{id}/duplicate", "Give all tables of a round the same deal, or each its own", func(in *idWith[DuplicateBody]) door.Action {
		return tournament.SetDuplicate{Round: in.ID, Duplicate: in.Body.Duplicate}
	})
}

// DrawnBody is numbers that players drew in the hall.
type DrawnBody struct {
	Numbers []DrawnNumber `json:"numbers" maxItems:"5000"`
}

// DrawnNumber is a player's number for the number chart.
type DrawnNumber struct {
	Player int64 `json:"player"`
	Number int   `json:"number" doc:"0: none"`
}

func drawnNumbers(in *idWith[DrawnBody]) door.Action {
	numbers := make([]tournament.DrawnNumber, len(in.Body.Numbers))
	for i, n := range in.Body.Numbers {
		numbers[i] = tournament.DrawnNumber(n)
	}
	return tournament.WriteDrawn{Tournament: in.ID, Numbers: numbers}
}

func (a *api) apiScript(ctx context.Context, in *ScriptInput) (*with[RoundDetail], error) {
	actor := a.Staff(requestOf(ctx))
	file := string(in.RawBody)
	round, err := door.Do(ctx, a.Desk, actor, tournament.PairRound{Tournament: in.ID, PairingOptions: tournament.PairingOptions{File: &file}})
	return a.roundAfter(ctx, actor, round.ID, err)
}

func promiseView(p tournament.ToldPromise) PromiseView {
	return PromiseView{Round: p.Round, Method: p.Method, Hash: p.Hash, Text: p.Text, Seed: p.Seed, Kept: p.Kept}
}

func (a *api) apiPromises(ctx context.Context, in *IDPath) (*listOf[PromiseView], error) {
	if _, err := tournament.TournamentByID(ctx, a.Store, in.ID); err != nil {
		return nil, err
	}
	return listed(promiseView)(tournament.Promises(ctx, a.Store, in.ID))
}

func (a *api) apiApart(ctx context.Context, in *IDPath) (*with[ApartView], error) {
	if err := rights.Authorize(a.Staff(requestOf(ctx)), rights.Place{Tournament: in.ID}, rights.MaySeatRound); err != nil {
		return nil, err
	}
	pairs, err := tournament.KeptApart(ctx, a.Store, in.ID)
	return answer(ApartView{pairs}, err)
}

func (a *api) apiDraw(ctx context.Context, in *IDPath) (*with[DrawAnswer], error) {
	round, err := tournament.RoundByID(ctx, a.Store, in.ID)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(a.Staff(requestOf(ctx)), rights.Place{Tournament: round.TournamentID}, rights.MaySeatRound); err != nil {
		return nil, err
	}
	view := DrawAnswer{Report: round.PairingReport(), Note: round.Note, Draws: round.Draws, Changes: round.Changes, Replanned: round.Replanned, CheckedBy: round.CheckedBy, Duplicate: round.Duplicate}
	promise, err := tournament.PromiseOf(ctx, a.Store, round.TournamentID, round.Number)
	if promise != nil {
		told := promiseView(promise.Told(round))
		view.Promise = &told
	}
	return answer(view, err)
}

func swapAnswer(swap tournament.SeatSwap) SwapAnswer {
	return SwapAnswer{Cost: swap.Cost, Repeats: swap.After.Extra - swap.Before.Extra, Tables: swap.Tables}
}

func (a *api) apiSwapPreview(ctx context.Context, in *idWith[SwapBody]) (*with[SwapAnswer], error) {
	swap, err := door.Preview(ctx, a.Desk, a.Staff(requestOf(ctx)), tournament.SwapSeats{Round: in.ID, A: in.Body.A, B: in.Body.B})
	return answer(swapAnswer(swap), err)
}
