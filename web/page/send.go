package page

import (
	"bytes"
	"compress/gzip"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

// zippers pools compressing writers, because each takes about a megabyte while it works.
var zippers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // cannot happen: the level is a constant
	}
	return w
}}

// zipFrom is the size in bytes of the smallest page that is worth compressing: a smaller page fits into one packet.
const zipFrom = 1400

// SendHTML responds with a page, compressed if the reader accepts it: a table of 80 tiles takes 40 KB, or 4 KB
// compressed.
func SendHTML(c *gin.Context, status int, html []byte) {
	h := c.Writer.Header()
	h.Add("Vary", "Accept-Encoding")
	if len(html) >= zipFrom && takesZip(c) {
		var zipped bytes.Buffer
		w := zippers.Get().(*gzip.Writer)
		w.Reset(&zipped)
		_, wrote := w.Write(html)
		if closed := w.Close(); wrote == nil && closed == nil {
			h.Set("Content-Encoding", "gzip")
			html = zipped.Bytes()
		}
		zippers.Put(w)
	}
	h.Set("Content-Length", strconv.Itoa(len(html)))
	c.Data(status, "text/html; charset=utf-8", html)
}

func takesZip(c *gin.Context) bool {
	return strings.Contains(c.GetHeader("Accept-Encoding"), "gzip")
}
