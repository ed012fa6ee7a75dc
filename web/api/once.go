package api

import (
	"bytes"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"meldhall/web/shell"
)

type answering huma.Context

// held is an answer that everybody may read, before it goes out.
type held struct {
	answering
	body bytes.Buffer
}

func (h *held) BodyWriter() io.Writer { return &h.body }

// Unwrap gives what it was made of.
func (h *held) Unwrap() huma.Context { return h.answering }

// once answers what everybody may read only to whoever has not got it already.
func (a *api) once(ctx huma.Context, next func(huma.Context)) {
	c := humagin.Unwrap(ctx)
	if c.Request.Method != http.MethodGet || !a.open[c.FullPath()] {
		next(ctx)
		return
	}
	answer := &held{answering: ctx}
	next(answer)
	c.Header("Vary", "Accept-Language")
	if c.Writer.Status() == http.StatusOK && shell.HasAlready(c, answer.body.Bytes()) {
		return
	}
	if _, err := c.Writer.Write(answer.body.Bytes()); err != nil {
		c.Error(err) // who asked has gone
	}
}
