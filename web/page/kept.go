package page

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/web/formfault"
	"meldhall/web/signin"
)

// keptForm is a form that was sent when the session had ended: its page, its address and the typed values.
type keptForm struct {
	Page  string
	Path  string
	Typed url.Values
}

// keptField is the field of the sign-in forms that carries such a form, as base64 of JSON. keptMost limits its length.
const (
	keptField = "kept"
	keptMost  = 512 << 10
)

// unkept lists the fields that are typed again, because they hold secrets.
var unkept = []string{"password", "code", "pin", "token", "ticket", "answer"}

// Kept returns the form that a sign-in carries, for the next sign-in page; "" for none.
func Kept(c *gin.Context) string { return c.PostForm(keptField) }

// keep returns the form of a request as Kept returns it, or "" if it has no page of this server to return to.
func keep(c *gin.Context) string {
	from, err := url.Parse(c.GetHeader("Referer"))
	if c.Request.Method != http.MethodPost || err != nil || from.Host != c.Request.Host ||
		!strings.Contains(c.GetHeader("Accept"), "text/html") {
		return ""
	}
	c.PostForm("") // reads the body
	form := keptForm{Page: from.RequestURI(), Path: c.Request.URL.Path, Typed: c.Request.PostForm}
	for _, name := range unkept {
		form.Typed.Del(name)
	}
	text, err := json.Marshal(form)
	if kept := base64.RawURLEncoding.EncodeToString(text); err == nil && len(kept) <= keptMost {
		return kept
	}
	return ""
}

// signInAgain asks for a sign-in because the session has ended. The page carries a form that was sent.
func (s *Base) signInAgain(c *gin.Context) error {
	kept := keep(c)
	if kept == "" {
		c.Redirect(http.StatusSeeOther, string(signInFor(c)))
		return nil
	}
	ctx := s.Request.Language(c)
	view := accounts.SignInView{Kept: kept, Problem: locale.T(ctx, "signin.kept")}
	view.Page = s.NewPage(c, locale.T(ctx, "signin.title"), nil)
	return s.Show(c, http.StatusUnauthorized, accounts.SignInPage(view))
}

// Resume shows the form that a sign-in carries on its page, with the typed values, in the session that has just begun.
// It reports whether there is one.
func (s *Base) Resume(c *gin.Context, begun signin.Session) (bool, error) {
	text, err := base64.RawURLEncoding.DecodeString(Kept(c))
	var form keptForm
	if err != nil || json.Unmarshal(text, &form) != nil || SafePath(form.Page, "") == "" {
		return false, nil
	}
	cookies := c.Request.Cookies()
	c.Request.Header.Del("Cookie")
	for _, cookie := range cookies {
		if cookie.Name != s.Request.Sessions.CookieName() {
			c.Request.AddCookie(cookie)
		}
	}
	c.Request.AddCookie(&http.Cookie{Name: s.Request.Sessions.CookieName(), Value: begun.Token})
	r := refusalIn(c)
	r.form, r.kept = formfault.Form{Method: http.MethodPost, Path: form.Path, Typed: form.Typed}, true
	r.to(c)
	return true, s.At(SafePath(form.Page, ""))(c, http.StatusOK, locale.T(s.Request.Language(c), "signin.resumed"))
}
