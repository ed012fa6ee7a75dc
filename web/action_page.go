package web

import (
	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"meldhall/templates"
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
	a, err := k.Fill(func(into any) error { return binding.MapFormWithTag(into, c.Request.PostForm, "json") })
	if err != nil {
		return shell.Unreadable(err)
	}
	done, typed := "done."+k.Name, []any{}
	if !templates.HasText(done) {
		done = ""
	}
	for name := range c.Request.PostForm {
		typed = append(typed, name, c.PostForm(name))
	}
	back := safePath(c.PostForm("back"), templates.HomePath)
	return s.post(c, a, s.at(safePath(c.PostForm("from"), back)), back, done, typed...)
}
