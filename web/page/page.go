package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"hash/fnv"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/letters"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/organization"
	"meldhall/tournament/spelling"
	"meldhall/web/formfault"
	"meldhall/web/guard"
	"meldhall/web/request"
)

// The cookies of pages: the theme, and the message about the last action, which the next page shows once.
const (
	ThemeCookie = "theme"
	flashCookie = "flash"
	flashLife   = time.Minute
)

// clockNoise is how far a machine's clock may be behind the database's at startup without a warning, because clocks are
// adjusted slightly now and then.
const clockNoise = 5 * time.Second

// copyTold is how long officials are shown that the server continues with an older copy of the database.
const copyTold = 12 * time.Hour

// The ping intervals of pages' streams, and the milliseconds of silence after which a page reports a lost connection.
// The Near constants are for pages for playing, the others for pages for reading.
const (
	PagePing  = 4 * time.Second
	pageQuiet = 10_000
	NearPing  = time.Second
	NearQuiet = 2_500
)

// NewPage returns the frame of a page for its reader. The title is in the reader's language; event is nil for pages
// that belong to no tournament.
func (s *Base) NewPage(c *gin.Context, title string, event *tournament.Tournament) part.Page {
	if event != nil {
		s.Request.InZone(c, event.ID)
	}
	p := part.Page{Title: title, Path: c.Request.URL.Path, Assets: s.view.Build, Epoch: s.view.Store.Epoch.Name}
	if theme, err := c.Cookie(ThemeCookie); err == nil && (theme == "dark" || theme == "light") {
		p.Theme = theme
	}
	who := request.CallersIn(c)
	switch {
	case who.Staff != nil:
		p.Role, p.User = part.Role(who.Staff.Role), who.Staff.Name
	case who.Player != nil:
		p.Role = part.RolePlayer
		if !request.AtPractice(c) {
			p.Device = who.Player.Device
		}
	}
	if at := templ.SafeURL(p.Path); at == templates.HomePath || at == templates.GuidePath {
		p.Canonical = s.Request.BaseURL(c) + p.Path
		if at == templates.HomePath {
			p.Preview = s.previewAt(c, templates.HomePreviewPath)
		}
	}
	if event != nil && event.Status == tournament.StatusFinished {
		Over(c)
	} else {
		p.Drawn = s.view.Store.Now()
	}
	if event != nil {
		p.Event = &part.EventRef{ID: event.ID, Name: event.Name}
		s.addPublic(c, &p, *event)
		if event.Trains() {
			p.Training = &part.TrainingRef{Of: event.Rehearses}
		}
		p.Regulations = string(templates.KeptRegulationsPath(event.ID,
			s.RegulationsVersion(s.Request.Language(c), *event)))
	}
	if t := s.takeFlash(c); t.Text != "" {
		p.Flashes = showMessage(c, t)
	}
	if event != nil {
		p.Flashes = append(p.Flashes, Cancelled(s.Request.Language(c), *event)...)
	}
	if who.Staff != nil {
		p.Copies = s.copiesNow(s.Request.Language(c), who.Staff)
		p.Flashes = append(p.Flashes, s.machine(s.Request.Language(c), s.eventOf(c) != 0, p.Copies)...)
	}
	p.Flashes = append(p.Flashes, s.damage(s.Request.Language(c), who.Staff, event)...)
	if r := refusalIn(c); r.text != "" {
		p.Flashes = append(p.Flashes, showMessage(c, part.Notice{Flash: part.Flash{Kind: "bad", Text: r.text},
			Place: r.place})...)
	}
	if items, err := s.newsItems(s.LanguageAsked(c), s.eventOf(c), who.Staff != nil, p.Copies); err == nil {
		p.News = items
	} else {
		slog.Error("reading the announcements failed; showing the page without them", "err", err)
	}
	return p
}

// Cancelled returns the message that a tournament has been cancelled, or none.
func Cancelled(ctx context.Context, t tournament.Tournament) []part.Flash {
	if t.CancelledAt == 0 {
		return nil
	}
	return []part.Flash{{Kind: "bad", Text: locale.T(ctx, "event.cancelled_now")}}
}

// hostOf returns the public data of a tournament's organization, or nil if the tournament has none.
func (s *Base) hostOf(c *gin.Context, event tournament.Tournament) *part.Host {
	if event.OrganizationID == 0 {
		return nil
	}
	o, err := organization.Public(c.Request.Context(), s.view.Store, event.OrganizationID)
	if err != nil {
		slog.Error("reading the organization failed; showing the page without it", "event", event.ID, "err", err)
		return nil
	}
	host := HostOf(o)
	return &host
}

// HostOf returns the public data of an organization.
func HostOf(o organization.Organization) part.Host {
	return part.Host{Slug: o.Slug, Name: o.Name, Welcome: o.Welcome, Contact: o.Contact, Imprint: o.Imprint}
}

// previewAt returns the full address of a link's preview picture, in the reader's language.
func (s *Base) previewAt(c *gin.Context, at templ.SafeURL) string {
	return s.Request.BaseURL(c) + string(at) + "?lang=" + locale.LanguageOf(s.Request.Language(c)).Tag
}

// machine returns warnings for officials about the machine. With news set, it omits those that the news of a
// tournament's pages shows as they happen, such as a failure to write or to make a copy.
func (s *Base) machine(ctx context.Context, news bool, copies *part.CopiesState) (said []part.Flash) {
	if behind := s.view.Store.Behind; behind > clockNoise {
		said = append(said, part.Flash{Kind: "now", Text: locale.T(ctx, "clock.behind", "n",
			int(math.Ceil(behind.Minutes())))})
	}
	if e := s.view.Store.Epoch; e.Copied != 0 &&
		s.view.Store.Millis()-e.Began < engine.Millis(copyTold.Milliseconds()) {
		said = append(said, part.Flash{Kind: "now", Text: locale.T(ctx, "storage.copy", "time",
			locale.DayTime(ctx, time.UnixMilli(int64(e.Copied))))})
	}
	if !news {
		for _, text := range s.view.NodesSaid(ctx) {
			said = append(said, part.Flash{Kind: "now", Text: text})
		}
	}
	if since := s.view.Games.Unwritten(); since != 0 && !news {
		said = append(said, part.Flash{Kind: "bad", Text: s.standsText(ctx, since)})
	}
	if copies != nil && copies.Fault != "" && !news {
		said = append(said, part.Flash{Kind: "bad", Text: copies.Fault})
	}
	return said
}

func (s *Base) standsText(ctx context.Context, since engine.Millis) string {
	return locale.T(ctx, "storage.stands", "time", locale.MinuteTime(ctx, since))
}

// Streamed returns the page with the stream at an address.
func Streamed(p part.Page, address templ.SafeURL) part.Page {
	p.Live = part.Live{URL: string(address), Quiet: pageQuiet}
	return p
}

// Near returns a page for playing with its stream. Such a page reports a lost connection within 3 s and tries to
// reconnect until it succeeds. The stream must ping every NearPing.
func Near(p part.Page, address templ.SafeURL) part.Page {
	p.Live = part.Live{URL: string(address), Quiet: NearQuiet, Near: true}
	return p
}

// Show responds with a page. If the page explains a refusal, the status is that of the refusal.
func (s *Base) Show(c *gin.Context, status int, page templ.Component) error {
	if r := refusalIn(c); r.text != "" && status == http.StatusOK {
		status = r.status
	}
	ctx := s.Request.Language(c)
	html, err := Render(ctx, page)
	if t := part.NoticeIn(ctx); err == nil && t.Missed() {
		t.OnTop = true
		html, err = Render(ctx, page)
	}
	if r := refusalIn(c); err == nil && r.form.Path != "" {
		html, err = formfault.Show(ctx, html, r.form, r.faults,
			r.kept || r.status == http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	if over, _ := c.Value(overKey).(bool); over && status == http.StatusOK {
		c.Writer.Header().Add("Vary", "Accept-Language")
		if request.HasAlready(c, html) {
			return nil
		}
	}
	SendHTML(c, status, html)
	return nil
}

// overKey is set in a request whose page is about something that is over.
const overKey = "over"

// Over lets a browser cache the page, because it is about something that is over. The browser must revalidate it.
func Over(c *gin.Context) { c.Set(overKey, true) }

// Render renders a component to memory.
func Render(ctx context.Context, page templ.Component) ([]byte, error) {
	var html bytes.Buffer
	err := page.Render(ctx, &html)
	return html.Bytes(), err
}

// RenderRegion renders the region of a stream's message, with links for the fonts with its East Asian letters. In the
// page, part.LiveRegion writes the same links.
func RenderRegion(ctx context.Context, region templ.Component) ([]byte, error) {
	html, err := Render(ctx, region)
	return letters.After(html), err
}

// SeeOther redirects to another page after an action, to the place on it that the form named. done is the key of the
// text shown there, "" for none, with its arguments as name, value pairs.
func (s *Base) SeeOther(c *gin.Context, address templ.SafeURL, done string, nameValues ...any) error {
	if done != "" {
		s.Flash(c, locale.T(s.Request.Language(c), done, nameValues...))
	}
	if place := PlaceIn(c); place != "" && !strings.Contains(string(address), "#") {
		address = part.AtPlace(address, place)
	}
	c.Redirect(http.StatusSeeOther, string(address))
	return nil
}

// flashMost is the largest length of a text for the next page, in bytes, because it is sent in a cookie.
const flashMost = 1200

// Flash makes the next page show text at the place that the form named.
func (s *Base) Flash(c *gin.Context, text string) { s.storeFlash(c, "good", text) }

// storeFlash stores a Flash of a kind in a cookie for the next page.
func (s *Base) storeFlash(c *gin.Context, kind, text string) {
	if len(text) > flashMost {
		text = strings.ToValidUTF8(text[:flashMost], "") + " …"
	}
	s.Request.Cookies.Set(c, flashCookie, base64.RawURLEncoding.EncodeToString([]byte(PlaceIn(c)+"\n"+kind+"\n"+text)),
		flashLife)
}

func (s *Base) takeFlash(c *gin.Context) (t part.Notice) {
	packed, err := c.Cookie(flashCookie)
	if err != nil || packed == "" || refusalIn(c).status != 0 || guard.ForHead(c.Request.Context()) {
		return t
	}
	both, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return t
	}
	s.Request.Cookies.Set(c, flashCookie, "", 0)
	t.Place, t.Text, _ = strings.Cut(string(both), "\n")
	t.Kind, t.Text, _ = strings.Cut(t.Text, "\n")
	return t
}

// showMessage makes the current page show a message at its place. A message without a place is returned instead, to be
// shown at the top.
func showMessage(c *gin.Context, t part.Notice) []part.Flash {
	if t.Place == "" {
		return []part.Flash{t.Flash}
	}
	c.Request = c.Request.WithContext(t.In(c.Request.Context()))
	return nil
}

// aPlace matches the names of places (part.Notice).
var aPlace = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)

// PlaceIn returns the place of the requesting form on its page; empty means the top of the page.
func PlaceIn(c *gin.Context) string {
	place := cmp.Or(c.PostForm("at"), c.Query("at"))
	if !aPlace.MatchString(place) {
		return ""
	}
	return place
}

// epochField is the form field with the epoch of the database in which the page was rendered.
const epochField = "epoch"

// Readable is the middleware that rejects unreadable requests to pages. An ID in the address must be a number,
// otherwise the address does not exist. A form, URL-encoded or multipart, must be readable and not too large, and must
// come from the current epoch of the database.
func (s *Base) Readable(c *gin.Context) {
	var err error
	for _, p := range c.Params {
		if err == nil && slices.Contains(idNames, p.Key) {
			_, err = request.IDParam(c, p.Key)
		}
	}
	if err == nil && c.Request.Method == http.MethodPost {
		if e := c.Request.ParseMultipartForm(request.ImportMost); e != nil && !errors.Is(e, http.ErrNotMultipart) {
			err = request.Unreadable(e)
		}
	}
	if err == nil {
		err = s.Request.OfEpoch(c.Request.PostForm.Get(epochField))
		c.Request.PostForm.Del(epochField)
		readSignature(c)
	}
	if err != nil {
		s.Request.Fail(c, err)
		c.Abort()
		return
	}
	c.Next()
}

// idNames are the names of numeric parameters in the addresses of pages. A tablet's game is checked by its handler.
var idNames = []string{"event", "round", "table", "game", "player", "account", "number", "protest", "change", "format",
	"organization"}

// ID returns a numeric parameter of a page's address, which Readable has checked.
func ID(c *gin.Context, name string) int64 {
	id, _ := strconv.ParseInt(c.Param(name), 10, 64)
	return id
}

// FormNumber parses a whole number of a form. The error names the field.
func FormNumber(c *gin.Context, name string) (int, error) { return Number(c.PostForm, name) }

// Number parses a whole number of a form or an address. The error names the field.
func Number(get func(string) string, name string) (int, error) { return WholeNumber(name, get(name)) }

// Optional parses an optional whole number of a form or an address; a blank one is 0. The error names the field.
func Optional(get func(string) string, name string) (int64, error) {
	text := spelling.Clean(get(name))
	if text == "" {
		return 0, nil
	}
	n, err := WholeNumber(name, text)
	return int64(n), err
}

// WholeNumber parses text as a whole number. The error names the field and the text.
func WholeNumber(field, text string) (int, error) {
	n, ok := spelling.Whole(text)
	if !ok {
		return 0, request.Refused(http.StatusUnprocessableEntity, "err_number", "field", field, "value", text)
	}
	return n, nil
}

// SafePath returns address if it is on this server, and otherwise the second argument.
func SafePath(address string, otherwise templ.SafeURL) templ.SafeURL {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || !strings.HasPrefix(u.Path, "/") ||
		strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return otherwise
	}
	return templ.SafeURL(address)
}

// signInFor returns the address of the sign-in page that leads back to the requested page, or after a form to the page
// with the form.
func signInFor(c *gin.Context) templ.SafeURL {
	back := c.Request.URL.RequestURI()
	if c.Request.Method != http.MethodGet {
		from, err := url.Parse(c.GetHeader("Referer"))
		if err != nil || from.Host != c.Request.Host {
			return templates.SignInPath
		}
		back = from.RequestURI()
	}
	return templates.SignInPath + templ.SafeURL("?next="+url.QueryEscape(back))
}

// StateOf returns an ID for a drawn region. A reader who already has the region with this ID does not get it again.
func StateOf(html []byte) string {
	sum := fnv.New64a()
	sum.Write(html)
	return strconv.FormatUint(sum.Sum64(), 36)
}

// failurePage responds with an error to a reader of pages. Readers who must sign in first are redirected to the sign-in
// page, which leads back.
func (s *Base) failurePage(c *gin.Context, f *request.Failure) {
	ctx := s.Request.Language(c)
	if strings.Contains(c.GetHeader("Accept"), "text/event-stream") {
		c.String(f.Status, "%s\n", f.Message)
		return
	}
	if f.Status == http.StatusUnauthorized {
		if err := s.signInAgain(c); err != nil {
			c.String(f.Status, "%s\n", f.Message)
		}
		return
	}
	if f.Code == "err_second_must" {
		s.storeFlash(c, "now", f.Message)
		c.Redirect(http.StatusSeeOther, string(templates.SecondPath))
		return
	}
	p := s.NewPage(c, locale.T(ctx, "error.title"), nil)
	view := part.ErrorView{Page: p, Status: f.Status, Text: f.Message}
	if f.Status == http.StatusForbidden && p.User == "" {
		view.Back = string(signInFor(c))
	}
	if err := s.Show(c, f.Status, part.ErrorPage(view)); err != nil {
		c.String(f.Status, "%s\n", f.Message)
	}
}
