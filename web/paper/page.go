package paper

import (
	"context"
	"net/http"
	"path/filepath"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// deskPage links to every sheet that the reader may print.
func (p *Pages) deskPage(c *gin.Context) error {
	tournamentID, reader := page.ID(c, "event"), p.Page.Request.Staff(c)
	place := rights.Place{Tournament: tournamentID}
	if err := rights.Authorize(reader, place, rights.MaySeeDesk); err != nil {
		return err
	}
	ctx, how, err := asks(p.Page.Request.Language(c), c.Query)
	if err != nil {
		return err
	}
	printer, err := printerOf(ctx, p.View, reader, tournamentID, how.round, p.Page.Request.BaseURL(c))
	if err != nil {
		return err
	}
	may := func(right rights.Right) bool { return rights.Authorize(reader, place, right) == nil }
	size, tag := p.Keeper.wanted(tournamentID)
	if c.Query("size") == "" {
		how.size = size
	}
	if c.Query("lang") == "" {
		how.tag = locale.LanguageOf(ctx).Tag
	}
	view := desk.PaperView{Event: tournamentID, Round: printer.round.ID, Size: how.size.Name, Language: how.tag,
		MayPack: may(rights.MaySeeCodes), MayKeep: may(rights.MayPublishRound),
		Certificates: may(rights.MayPublishRound)}
	view.Rounds = p.roundChoices(ctx, printer)
	for _, size := range pdf.Sizes {
		view.Sizes = append(view.Sizes, size.Name)
	}
	for _, k := range kinds {
		if may(k.right) && k.name != packName {
			view.Sheets = append(view.Sheets, desk.PaperSheet{Kind: k.name,
				URL: templates.SheetOnPaperPath(tournamentID, k.name, k.public())})
		}
	}
	if view.MayPack {
		view.Folder = p.Keeper.folder()
		for _, one := range p.Keeper.of(tournamentID) {
			view.Kept = append(view.Kept, desk.KeptPack{File: filepath.Base(one.file()), Round: one.Round,
				At: locale.DayTime(ctx, one.At)})
		}
		view.Failed = p.Keeper.Failed(tournamentID) != nil
		view.KeptLike = desk.PaperSize(ctx, size.Name) + ", " + languageName(ctx, tag)
	}
	return page.ShowEvent(p.Page, c, http.StatusOK, locale.T(ctx, "paper.title"), &view, &view.Page,
		desk.PaperPage)
}

// packName is the name of the kind for packs.
const packName = "pack"

func languageName(ctx context.Context, tag string) string {
	for _, l := range locale.LanguagesOf(ctx) {
		if l.Tag == tag {
			return l.Name
		}
	}
	return tag
}

// roundChoices returns the rounds that can be printed, newest first, and the draft if it is selected.
func (p *Pages) roundChoices(ctx context.Context, printer *printer) (choices []play.Choice) {
	add := func(r tournament.Round) {
		choices = append(choices, play.Choice{Value: desk.IDText(r.ID),
			Name: locale.T(ctx, "round.title", "number", r.Number)})
	}
	if printer.round.Status == tournament.RoundDraft {
		add(printer.round)
	}
	for i := len(printer.rounds) - 1; i >= 0; i-- {
		add(printer.rounds[i])
	}
	return choices
}

// keepPost makes the pack of the newest round now, in the size and language from the form, which later packs will use
// too.
func (p *Pages) keepPost(c *gin.Context) error {
	tournamentID, reader := page.ID(c, "event"), p.Page.Request.Staff(c)
	if err := rights.Authorize(reader, rights.Place{Tournament: tournamentID}, rights.MayPublishRound); err != nil {
		return err
	}
	at := p.Page.At(templates.PaperPath(tournamentID))
	_, how, err := asks(p.Page.Request.Language(c), c.PostForm)
	if err != nil {
		return p.Page.Again(c, err, at)
	}
	if _, err := tournament.TournamentByID(c.Request.Context(), p.View.Store, tournamentID); err != nil {
		return err
	}
	if err := p.Keeper.keep(c.Request.Context(), tournamentID, how.size, how.tag); err != nil {
		return err
	}
	return p.Page.SeeOther(c, templates.PaperPath(tournamentID), "paper.kept_now")
}
