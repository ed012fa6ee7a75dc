package page

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/request"
)

// PostAction performs the action of the kind in the address (templates.ActionPath). On success it redirects to the page
// in the field "back", which shows the text done.KIND once, filled in with the form's fields. On rejection it renders
// the page in the field "from", or else "back".
func (s *Base) PostAction(c *gin.Context) error {
	k, err := request.KindParam(c, s.Request.Staff(c))
	if err != nil {
		return err
	}
	back := SafePath(c.PostForm("back"), templates.HomePath)
	again := s.At(SafePath(c.PostForm("from"), back))
	a, err := formAction(c, k)
	if err == nil && k.Final {
		err = s.nameTyped(c, a)
	}
	if err != nil {
		return s.Again(c, err, again)
	}
	done, typed := "done."+k.Name, []any{}
	if !locale.HasText(done) {
		done = ""
	}
	for name := range c.Request.PostForm {
		typed = append(typed, name, c.PostForm(name))
	}
	return s.Post(c, a, again, back, done, typed...)
}

// Form returns the handler of a form that performs an action of type A and has an address of its own. On success next
// responds, depending on the outcome. On rejection it re-renders the page from.
func Form[A action.ActionOf[O], O any](s *Base, from func(*gin.Context) templ.SafeURL,
	next func(*gin.Context, O) error) func(*gin.Context) error {
	return tried[A](s, from, action.Do[O], func(c *gin.Context, _ A, out O) error { return next(c, out) })
}

// Preview returns the handler of the page that shows what an action of type A would do. The action's fields are in the
// query. On rejection it renders the page from, where the action was requested.
func Preview[A action.ActionOf[O], O any](s *Base, from func(*gin.Context) templ.SafeURL,
	show func(*gin.Context, A, O) error) func(*gin.Context) error {
	return tried[A](s, from, action.Preview[O], show)
}

// tried returns a handler that performs or previews the action in a request and passes the action on with its outcome.
// An action on a tournament other than that of the address is not found.
func tried[A action.ActionOf[O], O any](s *Base, from func(*gin.Context) templ.SafeURL,
	try func(context.Context, *action.Desk, rights.Actor, action.ActionOf[O]) (O, error),
	next func(*gin.Context, A, O) error) func(*gin.Context) error {
	k := action.KindOf(*new(A))
	return func(c *gin.Context) error {
		ctx, actor := s.Request.Language(c), s.Request.Staff(c)
		if !k.Own {
			if err := rights.Authorize(actor, rights.Place{Tournament: ID(c, "event"), Seat: -1}, k.Right); err != nil {
				return err
			}
		}
		a, err := formAction(c, k)
		if err != nil {
			return s.Again(c, err, s.At(from(c)))
		}
		if of, err := action.EventOf(s.view.Store.Read.WithContext(ctx), a); err != nil {
			return err
		} else if of != 0 && of != ID(c, "event") {
			return request.NotFound(c)
		}
		out, err := try(ctx, s.Request.Desk, actor, a.(A))
		if err != nil {
			return s.Again(c, err, s.At(from(c)))
		}
		return next(c, a.(A), out)
	}
}

// formAction reads an action of a kind from a form or a query, whose fields have the names of the API. The IDs in the
// address are fields too.
func formAction(c *gin.Context, k *action.Kind) (action.Action, error) {
	form := c.Request.URL.Query()
	if c.Request.Method == http.MethodPost {
		form = maps.Clone(c.Request.PostForm)
	}
	if err := addFiles(form, c.Request); err != nil {
		return nil, err
	}
	for _, p := range c.Params {
		if p.Key == "event" {
			form.Set("tournament", p.Value)
		} else if slices.Contains(idNames, p.Key) {
			form.Set(p.Key, p.Value)
		}
	}
	return filled(k, form)
}

// fileKinds lists the accepted extensions of an action's files, by field.
var fileKinds = map[string][]string{"file": {".zip"}, "picture": {".png", ".jpg", ".jpeg", ".webp"}}

// addFiles adds uploaded archives and logos to a form as base64, as API clients send them.
func addFiles(form url.Values, r *http.Request) error {
	if r.MultipartForm == nil {
		return nil
	}
	for name, files := range r.MultipartForm.File {
		file, err := files[0].Open()
		if err != nil {
			return request.Unreadable(err)
		}
		data, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return request.Unreadable(err)
		}
		if err := request.FileFits(files[0].Filename, string(data), fileKinds[name]...); err != nil {
			return err
		}
		form.Set(name, base64.StdEncoding.EncodeToString(data))
	}
	return nil
}

// filled returns an action of a kind with the values of a form. If some fields do not hold a valid number, the error
// names all of them. To find them, filled fills the action from each field alone.
func filled(k *action.Kind, form url.Values) (action.Action, error) {
	fill := func(form url.Values) (action.Action, error) {
		return k.Fill(func(into any) error { return binding.MapFormWithTag(into, form, "json") })
	}
	if a, err := fill(form); err == nil {
		return a, nil
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(form)) {
		var number *strconv.NumError
		if _, err := fill(url.Values{name: form[name]}); !errors.As(err, &number) {
			continue
		}
		if n, err := WholeNumber(name, number.Num); err != nil {
			wrong = append(wrong, err)
		} else {
			form.Set(name, strconv.Itoa(n))
		}
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	a, err := fill(form)
	if err != nil {
		return nil, request.Unreadable(err)
	}
	return a, nil
}

// nameTyped returns an error for an irreversible action unless the user has typed the name of what the action removes.
func (s *Base) nameTyped(c *gin.Context, a action.Action) error {
	records, err := s.Request.Desk.Records(c.Request.Context(), s.Request.Staff(c), a, true)
	if err != nil {
		return err
	}
	for _, r := range records {
		if name := r.About().Name; spelling.Fold(c.PostForm("typed")) != spelling.Fold(name) {
			return request.Refused(http.StatusUnprocessableEntity, "err_typed", "name", name)
		}
	}
	return nil
}
