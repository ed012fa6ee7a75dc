package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/export"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// TournamentView is a tournament in a list.
type TournamentView struct {
	ID      int64         `json:"id"`
	Name    string        `json:"name"`
	Place   string        `json:"place,omitempty"`
	Status  string        `json:"status" enum:"draft,running,finished"`
	Created engine.Millis `json:"created_at"`
	tournament.Details
	Cancelled bool `json:"cancelled,omitempty"`

	Organization *HostView `json:"organization,omitempty" doc:"the organization that runs the event; none: the server's owner"`
}

// TournamentDetail is a tournament with its format and its rounds.
type TournamentDetail struct {
	TournamentView
	Players int             `json:"players"`
	Tiles   string          `json:"tiles" enum:"digital,real" doc:"the kind of tiles at its tables"`
	Format  format.Format   `json:"format"`
	Rules   ruleset.Ruleset `json:"rules"`
	Changes []RuleChange    `json:"rule_changes,omitempty" doc:"rulings that change its rules from a round on"`
	Rounds  []RoundView     `json:"rounds"`

	Publishing tournament.Publishing `json:"publishing" doc:"how each part is published; officials see all parts"`
}

// RoundView is a round in a list. Drafts are shown only to officials.
type RoundView struct {
	ID         int64         `json:"id"`
	Number     int           `json:"number"`
	Stage      int           `json:"stage" doc:"index in the format's stages"`
	StageRound int           `json:"stage_round"`
	Games      int           `json:"games" doc:"number of games at each table"`
	Status     string        `json:"status" enum:"draft,published,running,finished"`
	Method     string        `json:"method"`
	Seed       int64         `json:"seed" doc:"the seed of its draw; 0 while seats of later rounds are planned with it"`
	Started    engine.Millis `json:"started_at,omitempty" doc:"when all tables had been started; missing from a running round with unstarted tables"`
	Finished   engine.Millis `json:"finished_at,omitempty"`
}

// RoundDetail is a round with its tables.
type RoundDetail struct {
	RoundView
	Tournament    int64       `json:"tournament_id"`
	TablesStarted int         `json:"tables_started" doc:"started singly or with the round"`
	Tables        []TableView `json:"tables"`
}

// TableView is a table. Codes are for officials.
type TableView struct {
	ID     int64      `json:"id"`
	Number int        `json:"number"`
	Code   string     `json:"code,omitempty" doc:"the code for POST /join while a seat is free"`
	Tiles  string     `json:"tiles" enum:"digital,real" doc:"the kind of tiles at the table"`
	Seats  []SeatPart `json:"seats"`
	Games  []GamePart `json:"games"`
}

// SeatPart is a seat of a table.
type SeatPart struct {
	Seat       int        `json:"seat"`
	Player     PlayerView `json:"player"`
	Joined     bool       `json:"joined" doc:"a device plays for the player"`
	Code       string     `json:"code,omitempty" doc:"the code for POST /join; works once"`
	CodeReused int        `json:"code_reused,omitempty" doc:"attempts to reuse the code"`
}

// PlayerView is a player's public data.
type PlayerView struct {
	ID      int64  `json:"id"`
	Number  int    `json:"number"`
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Club    string `json:"club,omitempty"`

	FederationNumber string `json:"federation_number,omitempty" doc:"the player's number in a federation's register"`
	Withdrawn        bool   `json:"withdrawn,omitempty"`
}

// GamePart is a game of a table, with its result once it has ended.
type GamePart struct {
	ID     int64       `json:"id"`
	Number int         `json:"number"`
	Status string      `json:"status" enum:"waiting,running,finished"`
	Result *ResultPart `json:"result,omitempty"`
}

// ResultPart is the newest revision of a game's result.
type ResultPart struct {
	Rev    int          `json:"rev"`
	Status string       `json:"status" enum:"provisional,confirmed"`
	Ending string       `json:"ending"`
	Lines  []ResultSeat `json:"lines"`
	By     string       `json:"by,omitempty"`
	Why    string       `json:"why,omitempty"`
}

// ResultSeat is a seat's part of a result. Tiles is the counted rack, shown only to officials.
type ResultSeat struct {
	Seat   int           `json:"seat"`
	Player int64         `json:"player_id"`
	Points score.Twelfth `json:"points"`
	Wins   score.Twelfth `json:"wins"`
	Charge int           `json:"charge"`
	Reason string        `json:"reason,omitempty"`
	Opened bool          `json:"opened"`
	Tiles  string        `json:"tiles,omitempty"`
}

// PresetsView contains the rule sets and formats for new tournaments.
type PresetsView struct {
	Rules   map[string]ruleset.Ruleset `json:"rules"`
	Formats map[string]format.Format   `json:"formats"`
}

func (a *api) publicOperations() {
	operation(a, forAll, "GET /presets", "Rule sets and formats for new tournaments", a.apiPresets)
	operation(a, forAll, "GET /tournaments", "All tournaments, newest first", a.apiTournaments,
		describe("Only its officials see a tournament with status draft. For others it is unlisted, "+
			"and its URLs return 404."))
	operation(a, forAll, "GET /tournaments/{id}", "A tournament with its plan and its rounds", a.apiTournament)
	operation(a, forAll, "GET /tournaments/{id}/players", "The players by start number", a.apiPlayers)
	operation(a, forAll, "GET /tournaments/{id}/standings", "The standings", a.apiStandings)
	operation(a, forAll, "GET /tournaments/{id}/regulations",
		"The regulations' articles, with the event's own values filled in", a.apiRegulations)
	operation(a, forAll, "GET /rounds/{id}", "A round with its tables, seats, games and results", a.apiRound,
		describe("Officials see the codes that let players join, and drafts."))
	a.plain(forAll, "GET /games/{id}", "A game, as visible to the caller", nil, view.LiveState{}, request.JSONKind,
		a.gameShow,
		describe("The public gets a spectator's view, a player at the table their own, an official the referee's."))
	a.plain(forAll, "GET /games/{id}/live", "Stream of a game", nil, view.LiveState{}, live.StreamKind, a.gameLive,
		describeStream())
	operation(a, forAll, "GET /games/{id}/turns/{turn}", "A completed turn, as the whole table saw it",
		a.apiTurn,
		describe("Also available while the game runs: the table before and after the turn, but no racks and no "+
			"drawn tiles. Turn 0 is the last one."))
	a.plain(forAll, "GET /games/{id}/export", "A complete finished game: log, deal, salt and results", nil,
		export.Game{}, request.JSONKind, a.gameExport,
		describe("For `meldhall verify`. 409 while the game goes on."))
	operation(a, forAll, "GET /games/{id}/replay", "A finished game, turn by turn, with the best possible plays",
		a.apiReplay,
		describe("For officials and the game's players as soon as it is over, for the public once its count is "+
			"confirmed. It shows all racks."),
		func(op *huma.Operation) { op.Errors = append(op.Errors, http.StatusForbidden, http.StatusConflict) })
}

func (a *api) apiPresets(context.Context, *nothing) (*with[PresetsView], error) {
	return &with[PresetsView]{PresetsView{a.View.Presets.Rules, a.View.Presets.Formats}}, nil
}

func (a *api) apiTournaments(ctx context.Context, _ *nothing) (*listOf[TournamentView], error) {
	all, err := tournament.Tournaments(ctx, a.View.Store)
	if err != nil {
		return nil, err
	}
	return listed(same[TournamentView])(a.tournamentViews(ctx, view.VisibleTo(a.Request.Staff(requestOf(ctx)), all)))
}

func (a *api) apiTournament(ctx context.Context, in *IDPath) (*with[TournamentDetail], error) {
	t, err := tournament.TournamentByID(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(a.tournamentDetail(ctx, t))
}

func (a *api) tournamentDetail(ctx context.Context, t tournament.Tournament) (detail TournamentDetail, err error) {
	if detail.TournamentView, err = a.tournamentView(ctx, t); err != nil {
		return detail, err
	}
	detail.Tiles = t.Tiles
	if detail.Format, err = t.Format(); err != nil {
		return detail, err
	}
	if detail.Rules, err = t.Rules(); err != nil {
		return detail, err
	}
	changes, err := t.RuleChanges()
	if err != nil {
		return detail, err
	}
	for i, r := range changes {
		if r.Cancelled == 0 {
			detail.Changes = append(detail.Changes, RuleChange{i + 1, r.From, r.Rules, r.Why})
		}
	}
	players, err := tournament.Players(ctx, a.View.Store, t.ID)
	if err != nil {
		return detail, err
	}
	detail.Players = len(players)
	rounds, err := draw.Rounds(ctx, a.View.Store, t.ID)
	if err != nil {
		return detail, err
	}
	if detail.Publishing, _, err = tournament.PublishingOf(ctx, a.View.Store, t.ID); err != nil {
		return detail, err
	}
	actor := a.Request.Staff(requestOf(ctx))
	sight, err := a.View.Sights.Of(ctx, actor, t.ID)
	if err != nil {
		return detail, err
	}
	detail.Rounds = []RoundView{}
	for _, r := range sight.Rounds(rounds) {
		if maySee(actor, r) == nil {
			detail.Rounds = append(detail.Rounds, roundView(r))
		}
	}
	return detail, nil
}

// maySee hides drafts from actors without the right to see them.
func maySee(actor rights.Actor, r tournament.Round) error {
	if r.Status != tournament.RoundDraft {
		return nil
	}
	return rights.Authorize(actor, rights.Place{Tournament: r.TournamentID}, rights.MaySeeDraft)
}

func roundView(r tournament.Round) RoundView {
	return RoundView{r.ID, r.Number, r.Stage, r.StageRound, r.Games, r.Status, r.Method, r.ToldSeed(), r.StartedAt,
		r.FinishedAt}
}

func (a *api) apiPlayers(ctx context.Context, in *IDPath) (*listOf[PlayerView], error) {
	if _, err := tournament.TournamentByID(ctx, a.View.Store, in.ID); err != nil {
		return nil, err
	}
	return listed(playerView)(tournament.Players(ctx, a.View.Store, in.ID))
}

func playerView(p tournament.Player) PlayerView {
	return PlayerView{p.ID, p.Number, p.Name, p.Country, p.Club, p.FederationNumber, p.Withdrawn}
}

func (a *api) apiRound(ctx context.Context, in *IDPath) (*with[RoundDetail], error) {
	round, err := draw.RoundByID(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(a.roundDetail(ctx, round))
}

// roundDetail returns a round as the caller may see it: drafts, codes and counted racks are for officials.
func (s *api) roundDetail(ctx context.Context, round tournament.Round) (RoundDetail, error) {
	actor := s.Request.Staff(requestOf(ctx))
	sight, err := s.View.Sights.Of(ctx, actor, round.TournamentID)
	if err != nil {
		return RoundDetail{}, err
	}
	err = s.View.Sights.AuthorizeEvent(ctx, actor, round.TournamentID)
	if errors.Is(err, refuse.ErrNotFound) || maySee(actor, round) != nil || !sight.Round(round) {
		return RoundDetail{}, refuse.NotFound("err_round_not_found", "id", round.ID)
	}
	if err != nil {
		return RoundDetail{}, err
	}
	place := rights.Place{Tournament: round.TournamentID}
	tables, err := tournament.Tables(ctx, s.View.Store, round.ID)
	if rights.Authorize(actor, place, rights.MaySeeCodes) == nil {
		tables, err = tournament.TableCodes(ctx, s.View.Store, actor, round.ID)
	}
	if err != nil {
		return RoundDetail{}, err
	}
	results, err := result.RoundResultsAt(ctx, s.View.Store, round.ID, sight.Results)
	if err != nil {
		return RoundDetail{}, err
	}
	official := rights.Authorize(actor, place, rights.MaySeeAllRacks) == nil
	t, err := tournament.TournamentByID(ctx, s.View.Store, round.TournamentID)
	if err != nil {
		return RoundDetail{}, err
	}
	status, err := s.gameStatus(ctx, round.ID, sight.Tables)
	if err != nil {
		return RoundDetail{}, err
	}
	detail := RoundDetail{RoundView: roundView(round), Tournament: round.TournamentID,
		TablesStarted: view.StartedTables(round, tables), Tables: make([]TableView, len(tables))}
	for i, table := range tables {
		detail.Tables[i] = tableView(table, results, status, official)
		detail.Tables[i].Tiles = tournament.DigitalTiles
		if t.Physical(table) {
			detail.Tables[i].Tiles = tournament.RealTiles
		}
	}
	return detail, nil
}

// gameStatus returns a function that returns the status of a round's games at the given time.
func (s *api) gameStatus(ctx context.Context, round int64, at engine.Millis) (func(tournament.Game) string, error) {
	if at == tournament.Always {
		return func(g tournament.Game) string { return g.Status }, nil
	}
	ended, err := result.RoundResultsAt(ctx, s.View.Store, round, at)
	return func(g tournament.Game) string {
		if _, ok := ended[g.ID]; ok {
			return game.Finished
		}
		if snap, err := s.View.Games.LookBack(ctx, g.ID, at); err == nil && snap.State.Phase != engine.PhaseNew {
			return game.Running
		}
		return game.Waiting
	}, err
}

func tableView(t tournament.Table, results map[int64]game.Result, status func(tournament.Game) string,
	official bool) TableView {
	if t.Full() {
		t.Code = ""
	}
	view := TableView{ID: t.ID, Number: t.Number, Code: t.Code, Seats: make([]SeatPart, len(t.Seats)),
		Games: make([]GamePart, len(t.Games))}
	for i, seat := range t.Seats {
		view.Seats[i] = SeatPart{Seat: seat.Seat, Player: playerView(seat.Player), Joined: seat.Player.Joined(),
			Code: seat.Code}
		if official {
			view.Seats[i].CodeReused = seat.CodeReused
		}
	}
	for i, g := range t.Games {
		view.Games[i] = GamePart{ID: g.ID, Number: g.Number, Status: status(g)}
		if r, ok := results[g.ID]; ok {
			view.Games[i].Result = resultPart(r, official)
		}
	}
	return view
}

// resultPart returns a result. Only officials get the counted racks and a ruling's author and reason.
func resultPart(r game.Result, official bool) *ResultPart {
	part := &ResultPart{Rev: r.Rev, Status: r.Status, Ending: r.Ending, Lines: make([]ResultSeat, len(r.Lines))}
	if official {
		part.By, part.Why = r.Actor, r.Why
	}
	for i, l := range r.Lines {
		part.Lines[i] = ResultSeat{Seat: l.Seat, Player: l.PlayerID, Points: l.Points, Wins: l.Wins, Charge: l.Charge,
			Reason: l.Reason, Opened: l.Opened}
		if official && !r.Sealed {
			part.Lines[i].Tiles = l.Tiles
		}
	}
	return part
}

func (s *api) gameShow(c *gin.Context) error {
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	snap, err := s.View.Games.Look(ctx, game)
	if err != nil {
		return err
	}
	who := s.Request.Player(c)
	if request.ViewerOf(who, snap.Ref) == engine.Spectator {
		who = s.Request.Staff(c)
	}
	seen, err := s.View.Sights.Seen(ctx, who, game)
	if err != nil {
		return err
	}
	state, err := s.View.LiveState(ctx, seen, request.ViewerOf(who, snap.Ref))
	if err != nil {
		return err
	}
	return request.WriteJSON(c, state)
}

// gameExport responds with a whole game once it is over. Until then, its log would reveal the pool.
func (s *api) gameExport(c *gin.Context) error {
	id, err := request.GameParam(c)
	if err != nil {
		return err
	}
	whole, err := export.OfGame(c.Request.Context(), s.View.Store, id)
	if err != nil {
		return err
	}
	if _, err := tournament.TournamentByID(c.Request.Context(), s.View.Store, whole.TournamentID); err != nil {
		return err
	}
	if !whole.Over() {
		return request.Refused(http.StatusConflict, "err_game_running", "game", id)
	}
	if err := s.View.Games.Seals.AuthorizeTiles(c.Request.Context(),
		game.Ref{ID: id, RoundID: whole.RoundID}); err != nil {
		return err
	}
	results, err := s.View.Sights.AuthorizeEnded(c.Request.Context(), s.Request.Staff(c), id)
	if err != nil {
		return err
	}
	whole.Results = slices.DeleteFunc(whole.Results, func(r export.Result) bool { return r.At >= results })
	return sendOnce(c, request.JSONKind, func(out io.Writer) error {
		to := json.NewEncoder(out)
		to.SetEscapeHTML(false) // the hashes cover the stored data, which has no HTML escapes
		return to.Encode(whole)
	})
}
