package web

import (
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
)

// actionPost performs the action of the kind in the address (templates.ActionPath). The form uses the same field names
// as the API. On success it redirects to the page in the field "back", which shows the text done.KIND once, filled in
// with the form's fields. On rejection it re-renders the page in the field "from", or else "back".
func (s *Server) actionPost(c *gin.Context) error {
	k, err := request.KindParam(c, s.Request.Staff(c))
	if err != nil {
		return err
	}
	back := page.SafePath(c.PostForm("back"), templates.HomePath)
	again := s.Page.At(page.SafePath(c.PostForm("from"), back))
	fill := func(form url.Values) (action.Action, error) {
		return k.Fill(func(into any) error { return binding.MapFormWithTag(into, form, "json") })
	}
	form, err := withFiles(c.Request)
	if err != nil {
		return s.Page.Again(c, err, again)
	}
	a, err := fill(form)
	if err != nil {
		return s.Page.Again(c, unreadableForm(c.Request.PostForm, err, fill), again)
	}
	if k.Final {
		if err := s.nameTyped(c, a); err != nil {
			return s.Page.Again(c, err, again)
		}
	}
	done, typed := "done."+k.Name, []any{}
	if !locale.HasText(done) {
		done = ""
	}
	for name := range c.Request.PostForm {
		typed = append(typed, name, c.PostForm(name))
	}
	return s.Page.Post(c, a, again, back, done, typed...)
}

// withFiles returns the form's values, with uploaded tournament archives as base64, as API clients send them.
func withFiles(r *http.Request) (url.Values, error) {
	if r.MultipartForm == nil {
		return r.PostForm, nil
	}
	form := maps.Clone(r.PostForm)
	for name, files := range r.MultipartForm.File {
		file, err := files[0].Open()
		if err != nil {
			return nil, request.Unreadable(err)
		}
		data, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, request.Unreadable(err)
		}
		if err := request.FileFits(files[0].Filename, string(data), ".zip"); err != nil {
			return nil, err
		}
		form.Set(name, base64.StdEncoding.EncodeToString(data))
	}
	return form, nil
}

// nameTyped rejects an irreversible action unless the user has typed the name of what it removes.
func (s *Server) nameTyped(c *gin.Context, a action.Action) error {
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

// unreadableForm returns an error that names the fields that hold text instead of a number. It finds them by filling
// the action from each field alone. If there are none, it returns err as an unreadable request.
func unreadableForm(form url.Values, err error, fill func(url.Values) (action.Action, error)) error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(form)) {
		var number *strconv.NumError
		if _, err := fill(url.Values{name: form[name]}); errors.As(err, &number) {
			wrong = append(wrong, request.Refused(http.StatusUnprocessableEntity, "err_number", "field", name, "value",
				number.Num))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	return request.Unreadable(err)
}
