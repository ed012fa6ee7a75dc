package desk

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// eventState contains a tournament and the data that its desk page needs.
type eventState struct {
	tournament.Tournament
	stages    []format.Stage
	rounds    []tournament.Round
	players   []tournament.Player // without withdrawn players
	absent    map[int64]bool
	standings ranking.Standings
	cut       *ranking.Cut // before the next round, or nil
	counts    map[int64]tournament.RoundCount
	missing   int // players of the current round not at their tables
	seated    int // players at their tables
}

func (s *Pages) deskPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	view, t, err := s.views.deskView(s.Page.Request.Language(c), s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	view.Page = page.Streamed(s.Page.NewPage(c, t.Name, &t), templates.DeskPath(tournamentID)+"/live")
	return s.Page.Show(c, http.StatusOK, desk.DeskPage(view))
}

func (s *Pages) deskLive(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	return s.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, _, err := s.views.deskView(ctx, actor, tournamentID)
		return desk.DeskRegion(view), err
	}, live.TournamentTopic(tournamentID))
}

// drawPost drafts a round and redirects to it, or re-renders the page it was requested from if the draw is rejected.
func (s *Pages) drawPost(c *gin.Context, drawn draw.PairRound, from templ.SafeURL) error {
	round, err := action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c), drawn)
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(from))
	}
	return s.drafted(c, round)
}

// drafted redirects to a drafted round.
func (s *Pages) drafted(c *gin.Context, round tournament.Round) error {
	return s.Page.SeeOther(c, templates.RoundPath(round.TournamentID, round.ID), "round.drawn")
}

func (s *views) deskView(ctx context.Context, actor rights.Actor, tournamentID int64) (desk.DeskView,
	tournament.Tournament, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeatRound); err != nil {
		return desk.DeskView{}, tournament.Tournament{}, err
	}
	state, err := s.eventState(ctx, tournamentID)
	if err != nil {
		return desk.DeskView{}, tournament.Tournament{}, err
	}
	shown := newDeskView(ctx, state)
	rules, err := state.Rules()
	if err != nil {
		return shown, state.Tournament, err
	}
	if len(state.rounds) == 0 && len(state.players) > 0 {
		if f, err := state.Format(); err == nil {
			if err := f.For(len(state.players), rules.SeatsMin, rules.SeatsMax); err != nil {
				shown.Misfit = request.FailureOf(ctx, "", err).Message
			}
		}
	}
	shown.Rules, shown.Searching = s.View.RulesName(ctx, rules), s.searching(ctx, tournamentID)
	if shown.Late, err = s.View.Schedule.LateLine(ctx, tournamentID); err != nil {
		return shown, state.Tournament, err
	}
	if shown.Seconds, err = s.View.Seconds(ctx, actor, tournamentID); err != nil {
		return shown, state.Tournament, err
	}
	if round, ok := view.CurrentRound(state.rounds); ok {
		held, err := s.heldTables(ctx, round)
		if err != nil {
			return shown, state.Tournament, err
		}
		if len(held) > 0 {
			shown.Seconds = append([]part.Alert{{Kind: "held", Text: locale.T(ctx, "next.held", "n", len(held)),
				URL: templates.RoundPath(tournamentID, round.ID)}}, shown.Seconds...)
		}
	}
	if shown.Note, err = s.View.Sights.ShownNote(ctx, actor, tournamentID, tournament.Parts...); err != nil {
		return shown, state.Tournament, err
	}
	shown.Seating, err = s.seatingView(ctx, state)
	return shown, state.Tournament, err
}

// heldTables returns the tables of a running round whose game waits for a player without a tablet.
func (s *views) heldTables(ctx context.Context, round tournament.Round) (map[int64]bool, error) {
	if round.Status != tournament.RoundRunning {
		return nil, nil
	}
	held := map[int64]bool{}
	current, err := game.CurrentInRound(ctx, s.View.Store, round.ID)
	for _, at := range current {
		if at.Unlinked == 0 || at.Rev > 0 {
			continue
		}
		snap, err := s.View.Games.Look(ctx, at.Game)
		if err == nil && snap.State.Paused.Held() {
			held[at.Table] = true
		}
		if err != nil && !errors.Is(err, game.ErrBroken) {
			return held, err
		}
	}
	return held, err
}

func (s *views) eventState(ctx context.Context, tournamentID int64) (e eventState, err error) {
	if e.standings, err = ranking.StandingsOf(ctx, s.View.Store, tournamentID); err != nil {
		return e, err
	}
	e.Tournament, e.stages = e.standings.Tournament, e.standings.Stages
	if e.rounds, err = draw.Rounds(ctx, s.View.Store, tournamentID); err != nil {
		return e, err
	}
	if e.players, err = tournament.Players(ctx, s.View.Store, tournamentID); err != nil {
		return e, err
	}
	e.players = slices.DeleteFunc(e.players, func(p tournament.Player) bool { return p.Withdrawn })
	if e.absent, err = tournament.Absent(ctx, s.View.Store, tournamentID); err != nil {
		return e, err
	}
	cut, err := ranking.NextCut(ctx, s.View.Store, tournamentID)
	if err == nil {
		e.cut = &cut
	} else if !errors.Is(err, refuse.ErrNotFound) {
		return e, err
	}
	if e.counts, err = tournament.RoundCounts(ctx, s.View.Store, tournamentID); err != nil {
		return e, err
	}
	round, missing, err := people.MissingSeats(ctx, s.View.Store, tournamentID)
	// such tables play without devices
	if err != nil || round == nil || e.Tiles == tournament.RealTiles && e.joined() == 0 {
		return e, err
	}
	e.missing, e.seated = len(missing), e.counts[round.ID].Seats-len(missing)
	return e, nil
}

func progressOf(n tournament.RoundCount) desk.Progress {
	return desk.Progress{Waiting: n.Waiting, Running: n.Running, Finished: n.Finished, Confirmed: n.Confirmed}
}

// gameStatus returns "waiting", "running", "finished" or "confirmed".
func gameStatus(g tournament.Game, results map[int64]game.Result) string {
	if r, ok := results[g.ID]; ok && r.Confirmed() {
		return game.ResultConfirmed
	}
	return g.Status
}

func newDeskView(ctx context.Context, e eventState) desk.DeskView {
	v := desk.DeskView{ID: e.ID, Tiles: e.Tiles, Name: e.Name, About: aboutLine(ctx, e.Tournament),
		Status: e.Status, Players: len(e.players), Here: e.here(), Joined: e.joined(), Next: e.nextStep(ctx)}
	if f, err := e.Format(); err == nil {
		v.Format = view.TextOr(ctx, "format."+f.Name, f.Name)
	}
	if round, ok := view.CurrentRound(e.rounds); ok && round.Status == tournament.RoundRunning {
		v.Tables = progressOf(e.counts[round.ID])
	}
	for i := range e.stages {
		v.Stages = append(v.Stages, e.stageRow(ctx, i))
	}
	return v
}

func (e eventState) stageRow(ctx context.Context, stage int) desk.StageRow {
	plan := e.stages[stage]
	row := desk.StageRow{Name: view.StageName(ctx, e.stages, stage), Planned: plan.Rounds, Status: "planned",
		Stage: stage}
	row.MayChange = e.Status != tournament.StatusFinished &&
		(len(e.rounds) == 0 || stage >= e.rounds[len(e.rounds)-1].Stage)
	row.Note = view.StageNote(ctx, plan)
	done := 0
	for _, r := range e.rounds {
		if r.Stage != stage {
			continue
		}
		at := e.counts[r.ID]
		round := desk.RoundRow{ID: r.ID, Number: r.Number, Status: r.Status, PlayOff: r.PlayOff > 0,
			Tables: at.Tables, Progress: progressOf(at)}
		if view.PartlyStarted(r) {
			round.Started = view.StartedText(ctx, at.Started, at.Tables)
		}
		row.Rounds = append(row.Rounds, round)
		if r.Status != tournament.RoundDraft {
			row.Status = "running"
		}
		if r.Status == tournament.RoundFinished {
			done++
		}
	}
	if n := len(e.rounds); n > 0 && e.rounds[n-1].Stage > stage || e.cut != nil && e.cut.Stage > stage &&
		len(e.cut.PlayOff) == 0 || done > 0 && e.Status == tournament.StatusFinished {
		row.Status = "finished"
	}
	return row
}

// nextStep returns the organizer's next step.
func (e eventState) nextStep(ctx context.Context) desk.NextStep {
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	if e.Status == tournament.StatusFinished {
		return e.overStep(ctx)
	}
	if len(e.players) == 0 {
		return desk.NextStep{Text: t("next.roster"), Why: t("next.roster_why"),
			URL: string(templates.RosterPath(e.ID))}
	}
	if len(e.rounds) == 0 {
		step := desk.NextStep{Text: t("next.seat", "number", 1), Why: t("next.seat_first_why"),
			URL: string(templates.RoundsPath(e.ID)), Post: true}
		if here := e.here(); here < len(e.players) {
			step.More = append(step.More, desk.NextLink{Text: t("next.check_in", "here", here, "of",
				len(e.players)), URL: string(templates.CheckInPath(e.ID))})
		}
		return step
	}
	last := e.rounds[len(e.rounds)-1]
	switch last.Status {
	case tournament.RoundDraft:
		return desk.NextStep{Text: t("next.publish", "number", last.Number), Why: t("next.publish_why"),
			URL: string(templates.RoundPath(e.ID, last.ID))}
	case tournament.RoundPublished:
		return e.startStep(ctx, last, t("next.start", "number", last.Number), t("next.start_published"),
			desk.NextLink{Text: t("ready.title"), URL: string(templates.ReadyPath(e.ID))},
			desk.NextLink{Text: t("round.cards"), URL: string(templates.PaperRoundPath(e.ID, last.ID))})
	case tournament.RoundRunning:
		at := e.counts[last.ID]
		if view.PartlyStarted(last) {
			return e.startStep(ctx, last, t("next.start_rest", "number", last.Number),
				view.StartedText(ctx, at.Started, at.Tables),
				desk.NextLink{Text: t("next.play"), URL: string(templates.HallPath(e.ID))})
		}
		if n := at.Finished; n > 0 {
			return desk.NextStep{Text: t("next.confirm"), Why: t("next.confirm_why", "n", n),
				URL: string(templates.HallPath(e.ID))}
		}
		if e.Tiles == tournament.RealTiles {
			return desk.NextStep{Text: t("real.hall"), Why: t("real.hall_why"),
				URL: string(templates.RealHallPath(e.ID)),
				More: append([]desk.NextLink{{Text: t("next.play"), URL: string(templates.HallPath(e.ID))}},
					e.missingLink(ctx)...)}
		}
		return desk.NextStep{Text: t("next.play"), Why: t("next.play_why"), URL: string(templates.HallPath(e.ID)),
			More: e.missingLink(ctx)}
	}
	return e.afterRound(ctx, last.Number+1)
}

// overStep names the champions of a finished event and leads to what is done with its end.
func (e eventState) overStep(ctx context.Context) desk.NextStep {
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	var why []string
	for _, title := range e.standings.Titles {
		key, names := "next.champion", strings.Join(view.RowNames(title.Champions), ", ")
		if title.Division != "" {
			key = "next.champion_of"
		}
		if why = append(why, t(key, "names", names, "division", title.Division)); len(title.Champions) > 1 {
			why = append(why, t("next.over_shared", "names", names))
		}
	}
	return desk.NextStep{Text: t("next.over"), Why: strings.Join(append(why, t("next.over_why")), " "),
		URL: string(templates.LeaderboardPath(e.ID)),
		More: []desk.NextLink{{Text: t("crown.title"), URL: string(templates.CrownPath(e.ID))},
			{Text: t("paper.certificates"), URL: string(templates.PaperPath(e.ID)) + "#paper-certificates"},
			{Text: t("export.archive"), URL: string(templates.EventExportPath(e.ID, "archive", "zip"))},
			{Text: t("again.link"), URL: string(templates.AgainPath(e.ID))},
			{Text: t("next.correct"), URL: string(templates.ResultsPath(e.ID))},
			{Text: t("reopen.title"), URL: string(templates.ReopenPath(e.ID))}}}
}

// through lists who advances at the cut, with the reason.
func (e eventState) through(ctx context.Context) (rows []desk.ThroughRow) {
	by := e.standings.ByPlayer()
	for _, player := range e.cut.Through() {
		r, key := by[player], "next.through"
		switch {
		case slices.Contains(e.cut.AtTables, player):
			key = "next.through_table"
		case e.cut.Lot != nil && slices.Contains(e.cut.Lot.Drawn, player):
			key = "next.through_lot"
		}
		rows = append(rows, desk.ThroughRow{Name: r.Name, Why: locale.T(ctx, key, "place", r.Place, "wins",
			locale.WinsText(ctx, r.Wins), "total", locale.AmountText(ctx, r.Total))})
	}
	return rows
}

// startStep returns the step that starts a round, or that leads to the list of who is at which table if players are
// missing.
func (e eventState) startStep(ctx context.Context, r tournament.Round, text, why string,
	more ...desk.NextLink) desk.NextStep {
	if e.missing > 0 {
		return desk.NextStep{Text: text, Why: why + " " + locale.T(ctx, "next.start_some", "n", e.missing),
			URL: string(templates.RoundPath(e.ID, r.ID)), More: append(more, e.missingLink(ctx)...)}
	}
	return desk.NextStep{Text: text, Why: why, Post: true, URL: string(templates.ActionPath("round.start")),
		Hidden: part.Sends(templates.DeskPath(e.ID), "round", r.ID), More: more}
}

// afterRound returns the step after a finished round: the next round, or first a play-off or a lot among players who
// tie at the cut.
func (e eventState) afterRound(ctx context.Context, number int) desk.NextStep {
	lots := desk.NextStep{Text: locale.T(ctx, "next.lot"), Post: true,
		URL:    string(templates.ActionPath("cut.lot")),
		Hidden: part.Sends(templates.DeskPath(e.ID), "tournament", e.ID)}
	if e.cut != nil && len(e.cut.PlayOff) > 0 {
		n, names := len(slices.Concat(e.cut.PlayOff...)), e.namesOf(e.cut.PlayOff)
		return desk.NextStep{Text: locale.T(ctx, "next.play_off"),
			Why: locale.T(ctx, "next.play_off_why", "n", n, "names", names), URL: string(templates.RoundsPath(e.ID)),
			Post: true}
	}
	if e.cut != nil && e.cut.Stage == len(e.stages) {
		lots.Why = locale.T(ctx, "next.lot_first_why", "n", len(e.cut.Tied))
		return lots
	}
	if e.cut != nil && len(e.cut.Tied) > 0 && e.cut.Lot == nil {
		lots.Why = locale.T(ctx, "next.lot_why", "n", len(e.cut.Tied), "places", e.cut.Places, "stage",
			view.StageName(ctx, e.stages, e.cut.Stage))
		return lots
	}
	seat, why := locale.T(ctx, "next.seat", "number", number), locale.T(ctx, "next.seat_why")
	var through []desk.ThroughRow
	if e.cut != nil {
		through = e.through(ctx)
		stage := view.StageName(ctx, e.stages, e.cut.Stage)
		seat, why = locale.T(ctx, "next.seat_stage", "number", number, "stage", stage),
			locale.T(ctx, "next.seat_cut_why", "n", e.cut.Size, "stage", stage)
	}
	return desk.NextStep{Text: seat, Why: why, URL: string(templates.RoundsPath(e.ID)), Post: true, Through: through,
		More: []desk.NextLink{{Text: locale.T(ctx, "people.link"), URL: string(templates.PeoplePath(e.ID))},
			{Text: locale.T(ctx, "next.correct"), URL: string(templates.ResultsPath(e.ID))}}}
}

// namesOf returns the names of the players in groups, with semicolons between groups.
func (e eventState) namesOf(groups [][]int64) string {
	names := make(map[int64]string, len(e.players))
	for _, p := range e.players {
		names[p.ID] = "\u2068" + p.Name + "\u2069"
	}
	texts := make([]string, len(groups))
	for i, group := range groups {
		members := make([]string, len(group))
		for k, id := range group {
			members[k] = names[id]
		}
		texts[i] = strings.Join(members, ", ")
	}
	return strings.Join(texts, "; ")
}

// misses reports whether players are missing while others are at their tables or the round is running.
func (e eventState) misses() bool {
	return e.missing > 0 && (e.seated > 0 || e.rounds[len(e.rounds)-1].Status == tournament.RoundRunning)
}

// missingLink returns a link to the missing players, or nil if misses is false.
func (e eventState) missingLink(ctx context.Context) []desk.NextLink {
	if !e.misses() {
		return nil
	}
	return []desk.NextLink{{Text: locale.T(ctx, "next.missing", "n", e.missing),
		URL: string(templates.PeoplePath(e.ID))}}
}

func (e eventState) here() int {
	n := 0
	for _, p := range e.players {
		if p.Plays() && !e.absent[p.ID] {
			n++
		}
	}
	return n
}

func (e eventState) joined() int {
	n := 0
	for _, p := range e.players {
		if p.Joined() {
			n++
		}
	}
	return n
}
