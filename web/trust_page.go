package web

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/web/request"
)

// trustPage lets a device install the hall's certificate authority.
func (s *Server) trustPage(c *gin.Context) error {
	if s.config.Authority == nil {
		return request.Refused(http.StatusNotFound, "err_no_authority")
	}
	return s.Page.Show(c, http.StatusOK, public.TrustPage(public.TrustView{
		Page:        s.Page.NewPage(c, locale.T(s.Request.Language(c), "trust.title"), nil),
		System:      systemOf(c.Request.UserAgent()),
		Fingerprint: strings.Fields(fmt.Sprintf("% X", sha256.Sum256(s.config.Authority.Raw))),
		Until:       s.config.Authority.NotAfter.Format(time.DateOnly), Address: s.Request.BaseURL(c),
	}))
}

// trustFile serves the authority's certificate as DER, which every system accepts, with the content type that makes
// tablets offer to install it.
func (s *Server) trustFile(c *gin.Context) error {
	if s.config.Authority == nil {
		return request.Refused(http.StatusNotFound, "err_no_authority")
	}
	c.Header("Content-Disposition", `attachment; filename="meldhall-authority.crt"`)
	c.Data(http.StatusOK, "application/x-x509-ca-cert", s.config.Authority.Raw)
	return nil
}

// systemOf returns the entry of public.TrustSystems that matches a User-Agent header, or "" if none does.
func systemOf(agent string) string {
	for _, sign := range []struct{ word, system string }{
		{"Android", "android"}, {"iPad", "ios"}, {"iPhone", "ios"}, {"CrOS", "chromebook"}, {"Firefox", "firefox"},
		{"Windows", "windows"}, {"Macintosh", "mac"},
	} {
		if strings.Contains(agent, sign.word) {
			return sign.system
		}
	}
	return ""
}

// plain serves over HTTP what a device needs before it trusts the server, and redirects readers of pages to HTTPS. It
// rejects API clients and requests that send data instead of redirecting them, because their data has already crossed
// the network unencrypted.
type plain struct{ server *Server }

// Plain returns the handler for the unencrypted HTTP address that is served in addition to HTTPS.
func (s *Server) Plain() http.Handler { return plain{s} }

func (s plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	trust, reads := s.server.config.Authority != nil, r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case !reads || strings.HasPrefix(path, request.APIBase+"/"):
		http.Error(w, "This is the address without encryption. The server is at "+s.server.config.BaseURL+".",
			http.StatusForbidden)
	case trust && path == "/":
		http.Redirect(w, r, string(templates.TrustPath), http.StatusSeeOther)
	case trust && (path == string(templates.TrustPath) || path == string(templates.TrustFilePath) ||
		strings.HasPrefix(path, "/assets/")):
		s.server.handler.ServeHTTP(w, r)
	default:
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, strings.TrimSuffix(s.server.config.BaseURL, "/")+r.URL.RequestURI(),
			http.StatusTemporaryRedirect)
	}
}
