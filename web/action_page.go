package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"meldhall/templates"
	"meldhall/tournament/door"
	"meldhall/tournament/spelling"
	"meldhall/web/formfault"
	"meldhall/web/shell"
)

// actionPost does an action that a form asks for by its kind (templates.ActionPath): its fields are the action's, named as programs
// name them. It goes on to the page of the form's field back, which says so once by the text done.KIND, in which the form's fields
// have their names; refused, it shows the page that the form stands on again, of its field from, else back.
func (s *Server) actionPost(c *gin.Context) error {
	k, err := shell.KindParam(c, s.Staff(c))
	if err != nil {
		return err
	}
	back := safePath(c.PostForm("back"), templates.HomePath)
	again := s.at(safePath(c.PostForm("from"), back))
	fill := func(form url.Values) (door.Action, error) {
		return k.Fill(func(into any) error { return binding.MapFormWithTag(into, form, "json") })
	}
	a, err := fill(c.Request.PostForm)
	if err != nil {
		return s.again(c, unreadableForm(c.Request.PostForm, err, fill), again)
	}
	if k.Final {
		if err := s.nameTyped(c, a); err != nil {
			return s.again(c, err, again)
		}
	}
	done, typed := "done."+k.Name, []any{}
	if !templates.HasText(done) {
		done = ""
	}
	for name := range c.Request.PostForm {
		typed = append(typed, name, c.PostForm(name))
	}
	return s.post(c, a, again, back, done, typed...)
}

// nameTyped refuses an action that cannot be taken back until the name of what it takes away was typed.
func (s *Server) nameTyped(c *gin.Context, a door.Action) error {
	records, err := s.Desk.Records(c.Request.Context(), s.Staff(c), a, true)
	if err != nil {
		return err
	}
	for _, r := range records {
		if name := r.About().Name; spelling.Fold(c.PostForm("typed")) != spelling.Fold(name) {
			return shell.Refused(http.StatusUnprocessableEntity, "err_typed", "name", name)
		}
	}
	return nil
}

// unreadableForm names the fields that have a text where a number belongs: those that alone fill nothing either.
func unreadableForm(form url.Values, err error, fill func(url.Values) (door.Action, error)) error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(form)) {
		var number *strconv.NumError
		if _, err := fill(url.Values{name: form[name]}); errors.As(err, &number) {
			wrong = append(wrong, shell.Refused(http.StatusUnprocessableEntity, "err_number", "field", name, "value", number.Num))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	return shell.Unreadable(err)
}

// refusal is why what a form asked for was refused, for the page that answers it. A page that says so itself has no text here.
type refusal struct {
	status int
	text   string
	place  string // where on the page the form stands
	form   formfault.Form
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

// saying lets the page say why what a form on it asked for was refused, where the form stands.
func saying(c *gin.Context, status int, problem string) {
	r := refusalIn(c)
	r.status, r.text, r.place = status, problem, placeIn(c)
	r.to(c)
}

// problem makes of an error what a form that is shown again says, with the status of the answer. An error
// that no change to the form can cure is given back: it has a page of its own.
func (s *Server) problem(c *gin.Context, err error) (text string, status int, other error) {
	f := s.Failed(c, err)
	switch f.Status {
	case http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests:
		s.atFields(c, f, err)
		return f.Message, f.Status, nil
	}
	return "", 0, err
}

// secretProblem is problem for a form in which something secret was wrong, which is no page of its own either.
func (s *Server) secretProblem(c *gin.Context, err error) string {
	f := s.Failed(c, err)
	s.atFields(c, f, err)
	return f.Message
}

// atFields keeps what a form was refused for, and what was typed, for the page that answers it.
func (s *Server) atFields(c *gin.Context, f *shell.Failure, err error) {
	r := refusalIn(c)
	if r.status == 0 {
		r.form = formfault.Form{Method: c.Request.Method, Path: c.Request.URL.Path, Typed: c.Request.PostForm}
		if r.form.Method == http.MethodGet {
			r.form.Typed = c.Request.URL.Query()
		}
	}
	r.status = f.Status
	for _, one := range eachOf(err) {
		r.faults = append(r.faults, fieldFault(s.Language(c), f.Message, one, r.form.Typed))
	}
	r.to(c)
}

// faultAt is what a page finds wrong in a field of its own form: how it says so above, and what stands at the field.
func (s *Server) faultAt(c *gin.Context, problem, text string, fields ...string) {
	r := refusalIn(c)
	r.status, r.form = http.StatusUnprocessableEntity, formfault.Form{Method: c.Request.Method, Path: c.Request.URL.Path, Typed: c.Request.PostForm}
	r.faults = append(r.faults, formfault.Fault{Fields: fields, Problem: problem, Text: text})
	r.to(c)
}

// sent tells which form it was that led to an address which is not the form's own.
func (s *Server) sent(c *gin.Context, method string, to templ.SafeURL, typed url.Values) {
	r := refusalIn(c)
	r.form = formfault.Form{Method: method, Path: string(to), Typed: typed}
	r.to(c)
}

// eachOf are the errors of one that joins several.
func eachOf(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

// fieldFault is a refusal as it is said at the field that it is about, which needs no name there.
func fieldFault(ctx context.Context, problem string, err error, typed url.Values) formfault.Fault {
	f := shell.FailureOf(ctx, "", err)
	fault := formfault.Fault{Problem: problem, Text: f.Message}
	fault.Fields, fault.Nth = formfault.Place(f.Code, f.Args)
	if here := "field." + f.Code; templates.HasText(here) {
		fault.Text = templates.Tmap(ctx, here, f.Args)
	}
	if line, ok := f.Args["number"].(int); ok && strings.Contains(f.Code, "_slot_") {
		fault.Nth = nthFilled(typed["what"], line)
	}
	return fault
}

// nthFilled is which of the lines of a form is the nth that says something.
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

// again shows what a form stood on once more with why it was refused. An error that no change to the form can cure is given back.
func (s *Server) again(c *gin.Context, err error, show func(c *gin.Context, status int, problem string) error) error {
	text, status, err := s.problem(c, err)
	if err != nil {
		return err
	}
	return show(c, status, text)
}

// at answers with the page of an address as it is now, which says why what a form on it asked for was refused: above the part that
// its stream redraws, or at the place that the form named.
func (s *Server) at(address templ.SafeURL) func(c *gin.Context, status int, problem string) error {
	return func(c *gin.Context, status int, problem string) error {
		page, err := url.Parse(string(address))
		if err != nil {
			return err
		}
		saying(c, status, problem)
		r := c.Request
		r.Method, r.URL, r.Body, r.ContentLength, r.Form, r.PostForm = http.MethodGet, page, http.NoBody, 0, nil, nil
		s.handler.HandleContext(c)
		return nil
	}
}

// post does the action that a form asks for and goes on to another page, which says so once by the text of done; refused, it shows
// again what the form stood on, nil for what has nothing to be changed.
func (s *Server) post(c *gin.Context, a door.Action, again func(c *gin.Context, status int, problem string) error, to templ.SafeURL, done string, nameValues ...any) error {
	_, err := s.Desk.Do(c.Request.Context(), s.Staff(c), a)
	switch {
	case err == nil:
		return s.seeOther(c, to, done, nameValues...)
	case again == nil:
		return err
	}
	return s.again(c, err, again)
}
