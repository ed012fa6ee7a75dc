// Package frame is what every page has, whoever reads it: its head, what was just done or why a form of it was refused, its stream and
// the regions that are drawn once for many readers, and how its addresses and forms are read.
package frame

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// Frame is what every page has: its head and who reads it, what is said on it, its form that was refused, its stream.
type Frame struct {
	*shell.Shell
	venue   *venue.Venue
	regions *Regions
	// Ask answers a request anew that has another address by now.
	Ask func(*gin.Context)
}

// NewFrame makes the frame of all pages of a server. Its Ask is to be set before the first is answered.
func NewFrame(base *shell.Shell, v *venue.Venue) *Frame {
	f := &Frame{Shell: base, venue: v, regions: NewRegions(func() time.Time { return v.Store.Now() }, regionLife)}
	base.Page = f.failurePage
	return f
}

// languageNamed is the language that the address of a page names, "" for none.
func (s *Frame) LanguageNamed(c *gin.Context) string {
	for _, l := range templates.LanguagesOf(s.Language(c)) {
		if l.Tag == c.Query("lang") {
			return l.Tag
		}
	}
	return ""
}

// LanguageAsked is that of the address, else the reader's.
func (s *Frame) LanguageAsked(c *gin.Context) context.Context {
	if lang := s.LanguageNamed(c); lang != "" {
		return s.Texts.With(c.Request.Context(), lang)
	}
	return s.Language(c)
}

// RegulationsVersion names the text of an event's regulations in the reader's language: another text has another one.
func (s *Frame) RegulationsVersion(ctx context.Context, t tournament.Tournament) string {
	sum := fnv.New64a()
	for _, part := range []string{s.venue.Build, templates.LanguageOf(ctx).Tag, t.RulesJSON, t.FormatJSON,
		t.RuleChangesJSON} {
		fmt.Fprintf(sum, "%q;", part)
	}
	return fmt.Sprintf("%x", sum.Sum64())
}
