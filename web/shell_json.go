package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/refuse"
)

const jsonKind = "application/json"

// readJSON reads one JSON object into v. A field that v does not have is refused, and named.
func readJSON(c *gin.Context, v any) error {
	buf := bodies.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= 64<<10 {
			bodies.Put(buf)
		}
	}()
	buf.Reset()
	if _, err := buf.ReadFrom(c.Request.Body); err != nil {
		return unreadable(err)
	}
	dec := json.NewDecoder(buf)
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return unreadable(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return unreadable(errors.New("more than one JSON value"))
	}
	return nil
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func writeJSON(c *gin.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h["Content-Type"] = jsonHeader
	h["Content-Length"] = []string{strconv.Itoa(len(data))}
	c.Writer.WriteHeader(http.StatusOK)
	_, err = c.Writer.Write(data)
	return err
}

// jsonHeader is shared by all answers; it is never written to.
var jsonHeader = []string{"application/json; charset=utf-8"}

func gameParam(c *gin.Context) (int64, error) { return pathID(c, "err_game_not_found") }

// pathID reads the id in the address; what is no number is not found.
func pathID(c *gin.Context, missing string) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, refuse.NotFound(missing, "id", c.Param("id"))
	}
	return id, nil
}

// idParam is a number in the address; an address without one does not exist.
func idParam(c *gin.Context, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Param(name), 10, 64)
	if err != nil || id < 1 {
		return 0, notFound(c)
	}
	return id, nil
}

func notFound(c *gin.Context) error {
	return refused(http.StatusNotFound, "err_page_not_found", "path", c.Request.URL.Path)
}
