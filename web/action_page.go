package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"meldhall/templates"
	"meldhall/tournament/door"
	"meldhall/tournament/spelling"
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
	a, err := k.Fill(func(into any) error { return binding.MapFormWithTag(into, c.Request.PostForm, "json") })
	if err != nil {
		return s.again(c, unreadableForm(c.Request.PostForm, err), again)
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

// unreadableForm names the field that has a text where a number belongs; the binding tells only the text.
func unreadableForm(form url.Values, err error) error {
	var number *strconv.NumError
	if errors.As(err, &number) {
		for _, name := range slices.Sorted(maps.Keys(form)) {
			if form.Get(name) == number.Num {
				return shell.Refused(http.StatusUnprocessableEntity, "err_number", "field", name, "value", number.Num)
			}
		}
	}
	return shell.Unreadable(err)
}

// refusal is why what a form asked for was refused, for the page that answers it. A page that says so itself has no text here.
type refusal struct {
	status int
	text   string
	place  string // where on the page the form stands
}

type refusalKey struct{}

func refusalIn(c *gin.Context) refusal {
	r, _ := c.Request.Context().Value(refusalKey{}).(refusal)
	return r
}

func (r refusal) to(c *gin.Context) {
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), refusalKey{}, r))
}

// problem makes of an error what a form that is shown again says, with the status of the answer. An error
// that no change to the form can cure is given back: it has a page of its own.
func (s *Server) problem(c *gin.Context, err error) (text string, status int, other error) {
	f := s.Failed(c, err)
	switch f.Status {
	case http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests:
		refusal{status: f.Status}.to(c)
		return f.Message, f.Status, nil
	}
	return "", 0, err
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
		refusal{status, problem, placeIn(c)}.to(c)
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
