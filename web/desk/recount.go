package desk

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/countform"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// recountPage lets an official correct a result by its racks: by their tiles, or by the sums that a table wrote down
// instead. A query with racks (?rev=1&by=racks&rack-0=…) restores a previewed correction.
func (s *Pages) recountPage(c *gin.Context) error { return s.showRecount(c, http.StatusOK) }

func (s *Pages) showRecount(c *gin.Context, status int) error {
	tournamentID, id := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayCorrectResult); err != nil {
		return err
	}
	at, snap, err := s.View.WatchedGame(ctx, id, engine.Spectator)
	if err != nil {
		return err
	}
	if snap.Ref.TournamentID != tournamentID || snap.State.End == nil {
		return refuse.NotFound("err_game_not_found", "id", id)
	}
	latest, err := result.LatestResult(ctx, s.View.Store, id)
	if err != nil {
		return err
	}
	shown := desk.RecountView{Event: tournamentID, GameID: id, Place: at.Place, Rev: latest.Rev,
		Ended: latest.Ending, Ends: engine.WaysToEnd(snap.State.Rules.Exhausted,
			snap.State.End.Why == ruleset.EndedForfeit)}
	if !slices.Contains(shown.Ends, shown.Ended) {
		shown.Ended = snap.State.End.Why
	}
	typed := c.Request.URL.Query()
	if c.Request.Method == http.MethodPost {
		typed = c.Request.PostForm
	}
	shown.Real, shown.By = snap.State.Physical, typed.Get("by")
	if shown.By == "" && onlySummed(latest) {
		shown.By = summedForm
	}
	again := typed.Get("rev") != ""
	rules := snap.State.Rules
	shown.Unopened = countform.UnopenedChoice(rules)
	for seat, name := range view.NamesOf(at.Seats) {
		n, was := strconv.Itoa(seat), latest.Lines[seat]
		if latest.Sealed {
			was.Tiles = ""
		}
		line := play.TapLine{Name: "rack-" + n, Label: name, Text: was.Tiles,
			Hint: locale.T(ctx, "recount.hint"), Opened: "opened-" + n, HasOpened: was.Opened}
		sum := desk.SumLine{Name: name, RealSeat: countform.RealSeat(was, rules)}
		if again {
			line.Text, line.HasOpened = typed.Get(line.Name), typed.Get(line.Opened) != ""
			sum.RealSeat = sumsOf(at, snap.State, typed.Get).OfSeat(seat)
		}
		shown.Lines, shown.Sums = append(shown.Lines, line), append(shown.Sums, sum)
	}
	if again {
		shown.Ended, shown.Why = typed.Get("ended"), typed.Get("why")
	}
	return page.ShowEvent(s.Page, c, status, locale.T(ctx, "recount.title"), &shown, &shown.Page,
		desk.RecountPage)
}

// The two forms of a correction by racks, as values of the form field "by": the remaining tiles, or sums.
const (
	racksForm  = "racks"
	summedForm = "sums"
)

// onlySummed reports whether only the sums of the racks were recorded, not their tiles.
func onlySummed(r game.Result) bool {
	return !slices.ContainsFunc(r.Lines, func(l game.ResultLine) bool { return l.Tiles != "" })
}

// sumsOf returns the form for a correction by the sums of the racks.
func sumsOf(at play.Game, s engine.State, get func(string) string) countform.Form {
	f := countform.Form{Out: s.Out, Rules: s.Rules, Why: get("ended"), Get: get,
		Field: func(what string, seat int) string {
			if seat < 0 {
				return "ended"
			}
			return what + "-" + strconv.Itoa(seat)
		}}
	for seat := range at.Seats {
		f.Names = append(f.Names, at.NameOf(seat))
	}
	return f
}

// summedCorrection reads a correction by sums. If the count is impossible, the error names the rack.
func (s *Pages) summedCorrection(c *gin.Context, count result.RecountResult,
	get func(string) string) (result.RecountResult, error) {
	ctx := s.Page.Request.Language(c)
	at, snap, err := s.View.WatchedGame(ctx, count.Game, engine.Spectator)
	if err != nil {
		return count, err
	}
	form := sumsOf(at, snap.State, get)
	if count.Sums, err = form.Racks(); err == nil {
		_, err = snap.State.Recount(count.Ended, nil, count.Sums)
	}
	return count, form.AtSeat(ctx, err)
}

// asksFor returns the correction that a form or query requests: by racks, or with numbers decided by an official.
func (s *Pages) asksFor(c *gin.Context, gameID int64,
	get func(string) string) (action.ActionOf[result.CorrectionEffect], error) {
	ctx := c.Request.Context()
	if get("by") != racksForm && get("by") != summedForm {
		rev, correction, err := s.typedCorrection(ctx, gameID, get)
		return result.CorrectResult{Game: gameID, Rev: rev, Correction: correction}, err
	}
	rev, err := page.Number(get, "rev")
	if err != nil {
		return nil, err
	}
	count := result.RecountResult{Game: gameID, Rev: rev, Ended: get("ended"), Why: get("why")}
	if get("by") == summedForm {
		return s.summedCorrection(c, count, get)
	}
	latest, err := result.LatestResult(ctx, s.View.Store, gameID)
	if err != nil {
		return nil, err
	}
	for seat := range latest.Lines {
		n := strconv.Itoa(seat)
		faces, err := tile.ParseFaces(get("rack-" + n))
		if err != nil {
			return nil, request.Refused(http.StatusUnprocessableEntity, "err_position_line", "line", get("rack-"+n),
				"field", "rack-"+n)
		}
		count.Racks = append(count.Racks, engine.CountedRack{Tiles: faces, Opened: get("opened-"+n) != ""})
	}
	return count, nil
}

// correctionAgain returns the handler that re-renders the form of a rejected correction.
func (s *Pages) correctionAgain(c *gin.Context, get func(string) string, typed map[string]string) func(*gin.Context,
	int, string) error {
	if by := get("by"); by == racksForm || by == summedForm {
		return func(c *gin.Context, status int, text string) error {
			page.Saying(c, status, text)
			return s.showRecount(c, status)
		}
	}
	return func(c *gin.Context, status int, text string) error {
		return s.showResult(c, status, desk.ResultView{Problem: text, Typed: typed})
	}
}

// secondedPage previews a correction proposed by another official, for the official who may confirm it.
func (s *Pages) secondedPage(c *gin.Context, tournamentID, gameID, second int64) error {
	ctx := s.Page.Request.Language(c)
	would, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c),
		result.SecondPenalty{ID: second})
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(templates.ResultPath(tournamentID, gameID)))
	}
	if would.Corrected == nil || would.GameID == nil || *would.GameID != gameID {
		return refuse.NotFound("err_sanction_not_found", "id", second)
	}
	place, err := s.View.GameWords(ctx, gameID)
	if err != nil {
		return err
	}
	view := desk.CorrectionView{Post: templates.ActionPath("sanction.seconded"),
		Back: templates.ResultPath(tournamentID, gameID), Go: locale.T(ctx, "correct.second_go"),
		Fields: part.Sends(templates.ResultPath(tournamentID, gameID), "id", second, "name", place)}
	return s.showCorrection(c, tournamentID, gameID, view, *would.Corrected)
}

// waitingCorrection returns a game's correction that a second official must still confirm, or nil.
func (s *views) waitingCorrection(ctx context.Context, actor rights.Actor, tournamentID,
	gameID int64) (*desk.WaitingCorrection, error) {
	waiting, err := result.WaitingPenalties(ctx, s.View.Store, tournamentID)
	i := slices.IndexFunc(waiting, func(p result.Penalty) bool {
		return p.GameID != nil && *p.GameID == gameID && p.Kind == result.CorrectedResult
	})
	if err != nil || i < 0 {
		return nil, err
	}
	row := view.NewPenaltyRow(ctx, waiting[i])
	may := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRuleHeavily) == nil
	name, err := s.View.GameWords(ctx, gameID)
	waits := &desk.WaitingCorrection{ID: row.ID, By: row.By, At: row.At, Why: row.Reason, Name: name,
		MayCancel: may, MaySecond: may && !waiting[i].ProposedBy(actor)}
	if err != nil || !waits.MaySecond || waiting[i].AccountID == nil {
		return waits, err
	}
	maker, made, same, err := account.InOneHand(s.View.Store.Read.WithContext(ctx), *waiting[i].AccountID,
		actor.Account,
		waiting[i].At)
	if same {
		waits.MaySecond = false
		waits.Why += " · " + locale.T(ctx, "err_second_own_hand", "maker", maker, "made", made) + " " +
			locale.T(ctx, "second.again")
	}
	return waits, err
}
