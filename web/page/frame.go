// Package page contains the code that all pages share. It covers the head of a page, the message about the last action
// or the refusal of a form, the stream, regions that are rendered once for many readers, and the parsing of addresses
// and forms.
package page

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/web/guard"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Base has the methods that all pages share, for heads, readers, messages, refused forms, and streams.
type Base struct {
	Request *request.Base
	view    *view.Reader
	regions *Regions
	points  *guard.Budget // limits pointers, by person
	// Ask handles a request again after its address was changed.
	Ask func(*gin.Context)
	// Authority reports whether devices can install the server's certificate authority.
	Authority bool
}

// New returns the Base of a server's pages. Its Ask must be set before the first request.
func New(base *request.Base, v *view.Reader) *Base {
	now := func() time.Time { return v.Store.Now() }
	f := &Base{Request: base, view: v, regions: NewRegions(now, regionLife),
		points: guard.NewBudget(pointsSecond, pointsBurst, now)}
	base.Page = f.failurePage
	return f
}

// LanguageNamed returns the language named in the address of a page, or "" if there is none.
func (s *Base) LanguageNamed(c *gin.Context) string {
	for _, l := range locale.LanguagesOf(s.Request.Language(c)) {
		if l.Tag == c.Query("lang") {
			return l.Tag
		}
	}
	return ""
}

// LanguageAsked returns a context with the language named in the address or, without one, the reader's.
func (s *Base) LanguageAsked(c *gin.Context) context.Context {
	if lang := s.LanguageNamed(c); lang != "" {
		return s.Request.Texts.With(c.Request.Context(), lang)
	}
	return s.Request.Language(c)
}

// RegulationsVersion identifies the text of a tournament's regulations in the reader's language. It changes with the
// text.
func (s *Base) RegulationsVersion(ctx context.Context, t tournament.Tournament) string {
	sum := fnv.New64a()
	for _, part := range []string{s.view.Build, locale.LanguageOf(ctx).Tag, t.RulesJSON, t.FormatJSON,
		t.RuleChangesJSON} {
		fmt.Fprintf(sum, "%q;", part)
	}
	return fmt.Sprintf("%x", sum.Sum64())
}
