package screens

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/templates/screens"
	"meldhall/tournament/screen"
	"meldhall/web/page"
)

// plainLines is how many lines of text a plain page has at the default size and distance.
const plainLines = 16

// plainPage renders a screen for a browser without scripts, or one that is too old for our scripts. The page reloads
// itself and shows the next part of the screen each time.
func (s *Screens) plainPage(c *gin.Context, d screen.Display, paired bool) error {
	if paired && d.Number != 0 {
		return s.Page.SeeOther(c, screenAddress(d), "")
	}
	if !paired {
		view, token, err := s.waitingScreen(c, s.Token(c))
		if err != nil {
			return err
		}
		s.Page.Request.Cookies.Set(c, s.Page.Request.Cookies.Name(screenCookie), token, screenLife)
		ctx := s.Page.Request.Language(c)
		return s.sendPlain(c, ctx, screens.PlainView{Page: Themed(s.Page.NewPage(c, locale.T(ctx, "displays.wait"),
			nil), ""), Next: plainAddress(c, 1), Shows: screens.ScreenRegion(view)})
	}
	return s.plainBoard(c, board{d.TournamentID, d.Shows, d.Fit, s.Page.Request.BaseURL(c)})
}

// plainBoard renders boards as a page without scripts, at the boards' own address.
func (s *Screens) plainBoard(c *gin.Context, b board) error {
	p, err := page.Optional(c.Query, "page")
	if err != nil {
		return err
	}
	ctx := s.languageOf(c, b.fit)
	view, err := s.boardView(ctx, b)
	if err != nil {
		return err
	}
	lines := max(2, plainLines*screen.UsualMetres*view.Fit.Inches/(screen.UsualInches*view.Fit.Metres))
	pages := plainPages(view, lines)
	n := min(max(int(p), 1), len(pages))
	plain := pages[n-1]
	plain.Page = Themed(s.Page.NewPage(c, view.Name, nil), b.fit.Theme)
	plain.Number, plain.Of, plain.Size = n, len(pages), min(9, max(1, 2*plainLines/lines))
	plain.Next = plainAddress(c, n%len(pages)+1)
	return s.sendPlain(c, ctx, plain)
}

// plainAddress returns the address of a page of a board as plain pages.
func plainAddress(c *gin.Context, page int) string {
	query := c.Request.URL.Query()
	query.Set("plain", "1")
	query.Set("page", strconv.Itoa(page))
	return c.Request.URL.Path + "?" + query.Encode()
}

func (s *Screens) sendPlain(c *gin.Context, ctx context.Context, view screens.PlainView) error {
	html, err := page.Render(ctx, screens.PlainPage(view))
	if err == nil {
		page.SendHTML(c, http.StatusOK, html)
	}
	return err
}

// plainPages splits a screen into pages with at most the given number of lines in a column. Each page has at least one
// row.
func plainPages(view screens.BoardView, lines int) (pages []screens.PlainView) {
	for _, b := range view.Parts {
		each := max(1, lines/max(1, b.Lines)) * plainColumns(b, lines)
		for from := 0; from == 0 || from < b.Rows; from += each {
			pages = append(pages, screens.PlainView{Kind: b.Kind, Note: cmp.Or(b.Note, view.Round),
				Shows: b.Shows(from, min(from+each, b.Rows))})
		}
	}
	return pages
}

// plainColumns returns how many columns a list has, as plain.css shows it.
func plainColumns(b screens.BoardPart, lines int) int {
	if b.Lines == 0 || lines < plainLines {
		return 1
	}
	return 2
}
