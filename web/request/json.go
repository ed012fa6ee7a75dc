package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine/exact"
)

// JSONKind is the media type of requests and responses of programs.
const JSONKind = "application/json"

// ReadJSON parses one JSON object into v. The error names a member that is unknown, duplicate or in the wrong case.
func ReadJSON(c *gin.Context, v any) error {
	b := bodies.Get().(*body)
	if err := b.read(c.Request.Body, v); err != nil {
		return Unreadable(err) // the decoder's remaining data is dropped with it
	}
	if b.text.Cap() <= 64<<10 {
		bodies.Put(b)
	}
	return nil
}

// body is a reusable reader of JSON requests. It may be reused once a request has been read to its end.
type body struct {
	text  bytes.Buffer
	dec   *json.Decoder // decodes text
	names exact.Names
}

var bodies = sync.Pool{New: func() any {
	b := new(body)
	b.dec = json.NewDecoder(&b.text)
	b.dec.DisallowUnknownFields()
	return b
}}

// read reads exactly one value.
func (b *body) read(from io.Reader, v any) error {
	b.text.Reset()
	if _, err := b.text.ReadFrom(from); err != nil {
		return err
	}
	whole := b.text.Bytes()
	if err := b.dec.Decode(v); err != nil {
		return err
	}
	if _, err := b.dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return b.names.Check(whole, reflect.TypeOf(v).Elem(), true)
}

// WriteJSON sends v with status 200. Empty lists are never null.
func WriteJSON(c *gin.Context, v any) error {
	data, err := json.Marshal(exact.WithLists(v))
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h["Content-Type"] = jsonHeader
	if len(data) >= shortAnswer {
		h["Content-Length"] = []string{strconv.Itoa(len(data))}
	}
	c.Writer.WriteHeader(http.StatusOK)
	_, err = c.Writer.Write(data)
	return err
}

// shortAnswer is the size of the server's own buffer. For responses that fit into it, the server sets the length
// itself.
const shortAnswer = 2048

// jsonHeader is shared by all responses and must not be modified.
var jsonHeader = []string{"application/json; charset=utf-8"}
