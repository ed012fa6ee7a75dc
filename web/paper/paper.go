// Package paper serves a tournament's printed sheets, each at its own address; the public gets those with public
// contents. It also serves the officials' page that links to the sheets, and stores packs next to the database for
// emergencies.
package paper

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	sheet "meldhall/templates/paper"
	"meldhall/templates/pdf"
	"meldhall/tournament/export"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Pages serves the sheets.
type Pages struct {
	Page   *page.Base
	View   *view.Reader
	Keeper *Keeper
	drawn  drawn
}

// kind is a kind of sheet: its name in the address, the required right, and the function that reads its content.
type kind struct {
	name  string
	right rights.Right
	read  func(*printer, context.Context) ([]sheet.Sheet, error)
}

// kinds lists all sheets of a tournament. Sheets that everyone may see have addresses among the public pages.
var kinds = []kind{
	{"by-name", rights.MaySeePublic, (*printer).byName},
	{"by-table", rights.MaySeePublic, (*printer).byTable},
	{"standings", rights.MaySeePublic, (*printer).standings},
	{"crosstable", rights.MaySeePublic, (*printer).crosstable},
	{"podium", rights.MaySeePublic, (*printer).podium},
	{"announcer", rights.MaySeeDesk, (*printer).announcer},
	{"cards", rights.MaySeeCodes, (*printer).cards},
	{"scores", rights.MaySeeDesk, (*printer).scores},
	{"blank", rights.MaySeeDesk, (*printer).blank},
	{"pairing", rights.MaySeeDraft, (*printer).pairing},
	{"check-in", rights.MayCheckIn, (*printer).checkIn},
	{"tickets", rights.MaySeeRoster, (*printer).tickets},
	{"pack", rights.MaySeeCodes, (*printer).pack},
}

func (k kind) public() bool { return k.right == rights.MaySeePublic }

// AddTo adds the routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	event, desk := pages.Group("/events/:event/paper"), pages.Group("/desk/:event/paper")
	for _, k := range kinds {
		if k.public() {
			event.GET("/"+k.name, p.Page.Request.Handle(p.sheetOf(k)))
		} else {
			desk.GET("/"+k.name, p.Page.Request.Handle(p.sheetOf(k)))
		}
	}
	desk.GET("", p.Page.Request.Handle(p.deskPage))
	desk.POST("", p.Page.Request.Handle(p.keepPost))
	desk.POST("/certificates", p.Page.Request.Handle(p.filled("certificates", (*printer).filledCertificates)))
	desk.POST("/prizes", p.Page.Request.Handle(p.filled("prizes", (*printer).prizeList)))
	desk.POST("/receipts", p.Page.Request.Handle(p.filled("receipts", (*printer).receipts)))
	pages.GET("/referee/:event/games/:game/paper", p.Page.Request.Handle(p.recordOf))
}

// asked holds the options of a requested sheet.
type asked struct {
	size  pdf.Size
	round int64
	tag   string // language tag
}

// asks parses the size, language and round of a request. The defaults are A4, the reader's language and the newest
// round.
func asks(ctx context.Context, value func(string) string) (context.Context, asked, error) {
	a := asked{size: pdf.A4, tag: locale.LanguageOf(ctx).Tag}
	if name := value("size"); name != "" {
		var known bool
		if a.size, known = pdf.SizeNamed(name); !known {
			return ctx, a, refuse.Invalid("err_paper_size", "size", name)
		}
	}
	if tag := value("lang"); tag != "" {
		if !slices.ContainsFunc(locale.LanguagesOf(ctx), func(l locale.Language) bool { return l.Tag == tag }) {
			return ctx, a, refuse.Invalid("err_paper_language", "language", tag)
		}
		a.tag, ctx = tag, locale.In(ctx, tag)
	}
	if text := value("round"); text != "" {
		round, err := strconv.ParseInt(text, 10, 64)
		if err != nil || round <= 0 {
			return ctx, a, refuse.NotFound("err_round_not_found", "id", text)
		}
		a.round = round
	}
	return ctx, a, nil
}

// sheetOf returns the handler of a sheet.
func (p *Pages) sheetOf(k kind) func(*gin.Context) error {
	return func(c *gin.Context) error {
		tournamentID := page.ID(c, "event")
		reader := p.Page.Request.Staff(c)
		if k.public() {
			reader = page.PublicReader(reader, tournamentID)
		} else if err := rights.Authorize(reader, rights.Place{Tournament: tournamentID}, k.right); err != nil {
			return err
		}
		ctx, how, err := asks(p.Page.Request.Language(c), c.Query)
		if err != nil {
			return err
		}
		draw := func(ctx context.Context) ([]byte, error) {
			printer, err := printerOf(ctx, p.View, reader, tournamentID, how.round, p.Page.Request.BaseURL(c))
			if err != nil {
				return nil, err
			}
			sheets, err := k.read(printer, ctx)
			if err != nil {
				return nil, err
			}
			return printer.document(ctx, how.size, sheets)
		}
		var document []byte
		if reader.Role == rights.RolePublic {
			document, err = p.drawn.of(ctx, fmt.Sprint(tournamentID, " ", k.name, " ", how, " ",
				p.Page.Request.BaseURL(c)), draw)
		} else {
			document, err = draw(ctx)
		}
		if err != nil {
			return err
		}
		return send(c, fmt.Sprintf("event-%d-%s.pdf", tournamentID, k.name), document)
	}
}

// recordOf sends the record of a game, if the reader may see it.
func (p *Pages) recordOf(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx, how, err := asks(p.Page.Request.Language(c), c.Query)
	if err != nil {
		return err
	}
	protocol, err := export.ProtocolOf(ctx, p.View.Games, p.Page.Request.Staff(c), game)
	if err != nil {
		return err
	}
	if protocol.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	// the reader's right was checked above
	printer, err := printerOf(ctx, p.View, rights.Staff(rights.RoleObserver, ""), tournamentID, protocol.Ref.RoundID,
		p.Page.Request.BaseURL(c))
	if err != nil {
		return err
	}
	sheets, err := printer.record(ctx, protocol)
	if err != nil {
		return err
	}
	document, err := printer.document(ctx, how.size, sheets)
	if err != nil {
		return err
	}
	return send(c, fmt.Sprintf("event-%d-game-%d.pdf", tournamentID, game), document)
}

// pictureMost limits the size of a certificate's background, in bytes.
const pictureMost = 4 << 20

// filled returns the handler of a sheet that depends on what an organizer fills in, which is not stored.
func (p *Pages) filled(kind string,
	read func(*printer, context.Context, *gin.Context) ([]sheet.Sheet, error)) func(*gin.Context) error {
	return func(c *gin.Context) error {
		tournamentID := page.ID(c, "event")
		reader := p.Page.Request.Staff(c)
		if err := rights.Authorize(reader, rights.Place{Tournament: tournamentID},
			rights.MayPublishRound); err != nil {
			return err
		}
		back := func(err error) error { return p.Page.Again(c, err, p.Page.At(templates.PaperPath(tournamentID))) }
		ctx, how, err := asks(p.Page.Request.Language(c), c.PostForm)
		if err != nil {
			return back(err)
		}
		printer, err := printerOf(ctx, p.View, reader, tournamentID, 0, p.Page.Request.BaseURL(c))
		if err != nil {
			return err
		}
		sheets, err := read(printer, ctx, c)
		if err != nil {
			return back(err)
		}
		document, err := printer.document(ctx, how.size, sheets)
		if err != nil {
			return err
		}
		return send(c, fmt.Sprintf("event-%d-%s.pdf", tournamentID, kind), document)
	}
}

// filledCertificates returns certificates for the places and with the background of a form.
func (p *printer) filledCertificates(ctx context.Context, c *gin.Context) ([]sheet.Sheet, error) {
	places := 0
	if text := spelling.Clean(c.PostForm("places")); text != "" {
		var isNumber bool
		if places, isNumber = spelling.Whole(text); !isNumber || places < 1 {
			return nil, refuse.Invalid("err_paper_places", "places", text)
		}
	}
	picture, err := pictureIn(c)
	if err != nil {
		return nil, err
	}
	return p.certificates(ctx, places, picture)
}

// pictureIn returns the uploaded background, or nil if there is none.
func pictureIn(c *gin.Context) ([]byte, error) {
	header, err := c.FormFile("picture")
	if err != nil || header.Size == 0 {
		return nil, nil
	}
	if header.Size > pictureMost {
		return nil, refuse.Invalid("err_paper_picture_large", "megabytes", pictureMost>>20)
	}
	file, err := header.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	picture, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	if err = request.FileFits(header.Filename, string(picture), ".png", ".jpg", ".jpeg"); err == nil {
		picture, err = pdf.Picture(picture)
	}
	if err != nil {
		return nil, refuse.Invalid("err_paper_picture")
	}
	return picture, nil
}

func send(c *gin.Context, name string, document []byte) error {
	c.Header("Content-Disposition", `inline; filename="`+name+`"`)
	c.Header("Cache-Control", "no-store")
	// required by the browser's PDF viewer
	c.Header("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'")
	c.Data(http.StatusOK, "application/pdf", document)
	return nil
}
