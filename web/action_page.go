package web

import (
	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"meldhall/templates"
	"meldhall/web/shell"
)

// actionPost does an action that a form asks for by its kind (templates.ActionPath): its fields are the action's, named as programs
// name them. It goes on to the page of the form's field back, which says so once by the text done.KIND.
func (s *Server) actionPost(c *gin.Context) error {
	k, err := shell.KindParam(c, s.Staff(c))
	if err != nil {
		return err
	}
	a, err := k.Fill(func(into any) error { return binding.MapFormWithTag(into, c.Request.PostForm, "json") })
	if err != nil {
		return shell.Unreadable(err)
	}
	done := "done." + k.Name
	if !templates.HasText(done) {
		done = ""
	}
	return s.post(c, a, nil, safePath(c.PostForm("back"), templates.HomePath), done)
}
