package page

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/web/formfault"
	"meldhall/web/request"
)

// refusal is the reason why a form was refused, for the page in response. text is empty if the page shows the reason
// itself.
type refusal struct {
	status int
	text   string
	place  string // the form's place on the page
	form   formfault.Form
	kept   bool // form was sent before the session began, and is shown as it was typed
	faults []formfault.Fault
}

type refusalKey struct{}

func refusalIn(c *gin.Context) refusal {
	r, _ := c.Request.Context().Value(refusalKey{}).(refusal)
	return r
}

func (r refusal) to(c *gin.Context) {
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), refusalKey{}, r))
}

// Saying makes the page show why a form was refused, at the form's place.
func Saying(c *gin.Context, status int, problem string) {
	r := refusalIn(c)
	r.status, r.text, r.place = status, problem, PlaceIn(c)
	r.to(c)
}

// Problem returns the text for a form that is shown again after an error, with the status of the response. If no change
// to the form can fix the error, Problem returns it as other, because such an error has its own page.
func (s *Base) Problem(c *gin.Context, err error) (text string, status int, other error) {
	f := s.Request.Failed(c, err)
	switch f.Status {
	case http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests:
		s.atFields(c, f, err)
		return f.Message, f.Status, nil
	case http.StatusForbidden:
		if secondRefused[f.Code] {
			return f.Message + " " + locale.T(s.Request.Language(c), "second.again"), f.Status, nil
		}
	}
	return "", 0, err
}

// secondRefused lists the codes with which an official is refused as the second official of an action. The page adds
// what to do.
var secondRefused = map[string]bool{"err_second_official": true, "err_second_own_hand": true}

// SecretProblem is like Problem for a form that asks for a secret. The form is shown again after any error, including
// Forbidden for a wrong secret.
func (s *Base) SecretProblem(c *gin.Context, err error) string {
	f := s.Request.Failed(c, err)
	s.atFields(c, f, err)
	return f.Message
}

// atFields stores the reasons for a refusal and the submitted values for the page in response.
func (s *Base) atFields(c *gin.Context, f *request.Failure, err error) {
	r := refusalIn(c)
	if r.status == 0 {
		r.form = formfault.Form{Method: c.Request.Method, Path: c.Request.URL.Path, Typed: c.Request.PostForm}
		if r.form.Method == http.MethodGet {
			r.form.Typed = c.Request.URL.Query()
		}
	}
	r.status = f.Status
	for _, one := range eachOf(err) {
		r.faults = append(r.faults, fieldFault(s.Request.Language(c), f.Message, one, r.form.Typed))
	}
	r.to(c)
}

// FaultAt records a problem that a page found in fields of its own form: problem is the message at the top, text the
// one at the fields.
func (s *Base) FaultAt(c *gin.Context, problem, text string, fields ...string) {
	r := refusalIn(c)
	r.status, r.form = http.StatusUnprocessableEntity, formfault.Form{Method: c.Request.Method,
		Path: c.Request.URL.Path, Typed: c.Request.PostForm}
	r.faults = append(r.faults, formfault.Fault{Fields: fields, Problem: problem, Text: text})
	r.to(c)
}

// Sent records which form was submitted, for requests whose address is not the form's own.
func (s *Base) Sent(c *gin.Context, method string, to templ.SafeURL, typed url.Values) {
	r := refusalIn(c)
	r.form = formfault.Form{Method: method, Path: string(to), Typed: typed}
	r.to(c)
}

// eachOf returns the errors in a joined error.
func eachOf(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

// fieldFault returns a refusal as a fault to show next to the field that it concerns. It prefers the text that does not
// name the field, if there is one.
func fieldFault(ctx context.Context, problem string, err error, typed url.Values) formfault.Fault {
	f := request.FailureOf(ctx, "", err)
	fault := formfault.Fault{Problem: problem, Text: f.Message}
	fault.Fields, fault.Nth = formfault.Place(f.Code, f.Args)
	if here := "field." + f.Code; locale.HasText(here) {
		fault.Text = locale.Tmap(ctx, here, f.Args)
	}
	if line, ok := f.Args["number"].(int); ok && strings.Contains(f.Code, "_slot_") {
		fault.Nth = nthFilled(typed["what"], line)
	}
	return fault
}

// nthFilled returns the index of the nth non-empty line of a form.
func nthFilled(lines []string, n int) int {
	for i, text := range lines {
		if text != "" {
			n--
		}
		if n == 0 {
			return i
		}
	}
	return 0
}

// Again shows the page of a form again with the reason for its refusal. If no change to the form can fix the error,
// Again returns it.
func (s *Base) Again(c *gin.Context, err error, show func(c *gin.Context, status int, problem string) error) error {
	text, status, err := s.Problem(c, err)
	if err != nil {
		return err
	}
	return show(c, status, text)
}

// At returns a function that renders the current page of an address with the reason why its form was refused. The
// reason is shown above the part that the stream updates, or at the place that the form named.
func (s *Base) At(address templ.SafeURL) func(c *gin.Context, status int, problem string) error {
	return func(c *gin.Context, status int, problem string) error {
		page, err := url.Parse(string(address))
		if err != nil {
			return err
		}
		Saying(c, status, problem)
		r := c.Request
		r.Method, r.URL, r.Body, r.ContentLength, r.Form, r.PostForm = http.MethodGet, page, http.NoBody, 0, nil, nil
		s.Ask(c)
		return nil
	}
}

// Post runs the action of a form and redirects to another page, which shows the text of done once. If the action is
// refused, again renders the form's page with the problem; again is nil for a form without fields to correct, and Post
// then returns the error. If the outcome is Bad, such as an unusable copy of the database, the next page warns with the
// text of done plus _bad.
func (s *Base) Post(c *gin.Context, a action.Action, again func(c *gin.Context, status int, problem string) error,
	to templ.SafeURL, done string, nameValues ...any) error {
	out, err := s.Request.Desk.Do(c.Request.Context(), s.Request.Staff(c), a)
	found, looked := out.(interface{ Bad() bool })
	switch {
	case err == nil && looked && found.Bad():
		s.storeFlash(c, "bad", locale.T(s.Request.Language(c), done+"_bad", nameValues...))
		return s.SeeOther(c, to, "")
	case err == nil:
		return s.SeeOther(c, to, done, nameValues...)
	case again == nil:
		return err
	}
	return s.Again(c, err, again)
}
