package web

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/web/shell"
)

// trustPage lets a device take the venue's authority.
func (s *publicPages) trustPage(c *gin.Context) error {
	if s.config.Authority == nil {
		return shell.Refused(http.StatusNotFound, "err_no_authority")
	}
	return s.Show(c, http.StatusOK, templates.TrustPage(templates.TrustView{
		Page: s.NewPage(c, templates.T(s.Language(c), "trust.title"), nil), System: systemOf(c.Request.UserAgent()),
		Fingerprint: strings.Fields(fmt.Sprintf("% X", sha256.Sum256(s.config.Authority.Raw))),
		Until:       s.config.Authority.NotAfter.Format(time.DateOnly), Address: s.BaseURL(c),
	}))
}

// trustFile is the authority as every system takes it: DER, under the type that lets a tablet offer to install it.
func (s *publicPages) trustFile(c *gin.Context) error {
	if s.config.Authority == nil {
		return shell.Refused(http.StatusNotFound, "err_no_authority")
	}
	c.Header("Content-Disposition", `attachment; filename="meldhall-authority.crt"`)
	c.Data(http.StatusOK, "application/x-x509-ca-cert", s.config.Authority.Raw)
	return nil
}

// systemOf is the one of templates.TrustSystems that a browser says it runs on; "" for another.
func systemOf(agent string) string {
	for _, sign := range []struct{ word, system string }{
		{"Android", "android"}, {"iPad", "ios"}, {"iPhone", "ios"}, {"CrOS", "chromebook"}, {"Firefox", "firefox"}, {"Windows", "windows"}, {"Macintosh", "mac"},
	} {
		if strings.Contains(agent, sign.word) {
			return sign.system
		}
	}
	return ""
}

// plain answers without encryption what a device needs before it trusts the server, and leads who reads pages to where they are encrypted.
// Programs, and whoever sends something, are not led on silently: what they send would have gone over the network already.
type plain struct{ *Server }

// Plain is for the address beside https.
func (s *Server) Plain() http.Handler { return plain{s} }

func (s plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	trust, reads := s.config.Authority != nil, r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case !reads || strings.HasPrefix(path, shell.APIBase+"/"):
		http.Error(w, "This is the address without encryption. The server is at "+s.config.BaseURL+".", http.StatusForbidden)
	case trust && path == "/":
		http.Redirect(w, r, string(templates.TrustPath), http.StatusSeeOther)
	case trust && (path == string(templates.TrustPath) || path == string(templates.TrustFilePath) || strings.HasPrefix(path, "/assets/")):
		s.handler.ServeHTTP(w, r)
	default:
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, strings.TrimSuffix(s.config.BaseURL, "/")+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	}
}
