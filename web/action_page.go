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
	"meldhall/tournament/door"
	"meldhall/tournament/spelling"
	"meldhall/web/frame"
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
	back := frame.SafePath(c.PostForm("back"), templates.HomePath)
	again := s.At(frame.SafePath(c.PostForm("from"), back))
	fill := func(form url.Values) (door.Action, error) {
		return k.Fill(func(into any) error { return binding.MapFormWithTag(into, form, "json") })
	}
	form, err := withFiles(c.Request)
	if err != nil {
		return s.Again(c, err, again)
	}
	a, err := fill(form)
	if err != nil {
		return s.Again(c, unreadableForm(c.Request.PostForm, err, fill), again)
	}
	if k.Final {
		if err := s.nameTyped(c, a); err != nil {
			return s.Again(c, err, again)
		}
	}
	done, typed := "done."+k.Name, []any{}
	if !templates.HasText(done) {
		done = ""
	}
	for name := range c.Request.PostForm {
		typed = append(typed, name, c.PostForm(name))
	}
	return s.Post(c, a, again, back, done, typed...)
}

// withFiles is what a form says, with its files, archives of events, in base64, as programs send them.
func withFiles(r *http.Request) (url.Values, error) {
	if r.MultipartForm == nil {
		return r.PostForm, nil
	}
	form := maps.Clone(r.PostForm)
	for name, files := range r.MultipartForm.File {
		file, err := files[0].Open()
		if err != nil {
			return nil, shell.Unreadable(err)
		}
		data, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, shell.Unreadable(err)
		}
		if err := shell.FileFits(files[0].Filename, string(data), ".zip"); err != nil {
			return nil, err
		}
		form.Set(name, base64.StdEncoding.EncodeToString(data))
	}
	return form, nil
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
