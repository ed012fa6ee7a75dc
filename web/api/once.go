package api

import (
	"bytes"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"meldhall/web/request"
)

type answering huma.Context

// held is a public response before it is sent.
type held struct {
	answering
	body bytes.Buffer
}

func (h *held) BodyWriter() io.Writer { return &h.body }

// Unwrap returns the underlying context.
func (h *held) Unwrap() huma.Context { return h.answering }

// once is middleware that responds to public requests with 304 if the client already has the current contents.
func (a *api) once(ctx huma.Context, next func(huma.Context)) {
	c := humagin.Unwrap(ctx)
	if c.Request.Method != http.MethodGet || !a.open[c.FullPath()] {
		next(ctx)
		return
	}
	answer := &held{answering: ctx}
	next(answer)
	c.Header("Vary", "Accept-Language")
	if c.Writer.Status() == http.StatusOK && request.HasAlready(c, answer.body.Bytes()) {
		return
	}
	if _, err := c.Writer.Write(answer.body.Bytes()); err != nil {
		c.Error(err) // the client is gone
	}
}
