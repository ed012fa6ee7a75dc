// Package backup serves the page about copies of the database: their state, where they go, what one contains, and
// restoring one.
package backup

import (
	"context"
	"mime"
	"net/http"
	"os"
	"path/filepath"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/copies"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Pages serves the page and its actions.
type Pages struct {
	Page *page.Base
	View *view.Reader
}

// AddTo adds the routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET(string(templates.CopiesPath), p.Page.Request.Handle(p.page))
	pages.GET(string(templates.CopiesPath)+"/live", p.Page.Request.Listen(p.live))
	pages.POST(string(templates.CopiesPath)+"/file", p.Page.Request.Handle(p.file))
}

func (p *Pages) page(c *gin.Context) error {
	ctx := p.Page.Request.Language(c)
	view, err := p.view(ctx, p.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	view.Page = page.Streamed(p.Page.NewPage(c, locale.T(ctx, "copies.title"), nil), templates.CopiesPath+"/live")
	return p.Page.Show(c, http.StatusOK, desk.CopiesPage(view))
}

func (p *Pages) live(c *gin.Context) error {
	return p.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := p.view(ctx, actor)
		return desk.CopiesRegion(view), err
	}, live.MachineTopic(), live.TournamentTopic(page.NoEvent))
}

// shown is how many copies the page lists.
const shown = 20

func (p *Pages) view(ctx context.Context, actor rights.Actor) (view desk.CopiesView, err error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayBackUp); err != nil {
		return view, err
	}
	state, err := p.View.Copies.State(ctx)
	if err != nil {
		return view, err
	}
	view.State = p.View.CopiesState(ctx, state)
	plan, err := copies.PlanOf(ctx, p.View.Store)
	if err != nil {
		return view, err
	}
	view.Plan = desk.CopyPlan{Folder: plan.Folder, Every: plan.Every, Rounds: plan.Rounds, Keep: plan.Keep,
		EveryMost: copies.EveryMost, KeepMost: copies.KeepMost}
	there := false
	for _, place := range copies.Places(p.Page.Request.Desk) {
		view.Places = append(view.Places, desk.CopyPlace{Folder: place.Folder, Name: placeName(ctx, place.Folder),
			Free: place.Free, Known: place.Known})
		there = there || place.Folder == plan.Folder
	}
	if !there { // keep it selected until another one is chosen
		view.Places = append(view.Places, desk.CopyPlace{Folder: plan.Folder, Name: placeName(ctx, plan.Folder),
			Gone: true})
	}
	all := copies.List(p.Page.Request.Desk)
	view.More = max(len(all)-shown, 0)
	drills, err := copies.Drills(ctx, p.View.Store)
	if err != nil {
		return view, err
	}
	for _, one := range all[:min(shown, len(all))] {
		row := desk.CopyRow{Folder: one.Folder, File: one.File, Where: placeName(ctx, one.Folder),
			At: engine.Millis(one.At), Bytes: one.Bytes, Made: string(one.Made)}
		if d, ok := drills[[2]string{one.Folder, one.File}]; ok {
			row.Drill = &desk.CopyDrill{At: d.At, Until: d.Until, Events: d.Events, Games: d.Games, Going: d.Going,
				Fault: d.Fault, Took: d.Took}
		}
		view.Rows = append(view.Rows, row)
	}
	view.Restores = p.Page.Request.Desk.Machine.Restore != nil
	last, ok, err := copies.LastRestore(ctx, p.View.Store)
	if ok {
		view.Restored = &desk.CopyRestored{At: last.At, File: last.File, Until: last.Until, Kept: last.Kept,
			Fault: last.Fault}
	}
	return view, err
}

// placeName returns the display name of a place for copies.
func placeName(ctx context.Context, folder string) string {
	if folder == "" {
		return locale.T(ctx, "copies.beside")
	}
	return filepath.Dir(folder)
}

// file sends a copy as a file, and records who downloaded it.
func (p *Pages) file(c *gin.Context) error {
	taken, err := action.Do(c.Request.Context(), p.Page.Request.Desk, p.Page.Request.Staff(c),
		copies.Take{Folder: c.PostForm("folder"), File: c.PostForm("file")})
	if err != nil {
		return p.Page.Again(c, err, p.Page.At(templates.CopiesPath))
	}
	f, err := os.Open(taken.Path(p.Page.Request.Desk))
	if err != nil {
		return request.Refused(http.StatusNotFound, "err_copy_not_found", "file", taken.File)
	}
	defer f.Close()
	h := c.Writer.Header()
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": taken.File}))
	h.Set("Cache-Control", "no-store")
	info, err := f.Stat()
	if err != nil {
		return err
	}
	c.DataFromReader(http.StatusOK, info.Size(), "application/vnd.sqlite3", f, nil)
	return nil
}
