package live

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

const (
	writeWithin = 5 * time.Second
	retryLeast  = 1500 // ms until a reader whose stream has ended comes back, and up to so many more: a hall that lost the server
	retrySpread = 1000 // at one moment is not to come back at one moment
)

// sender writes messages with a deadline for each, so that a reader which takes nothing is cut off.
type sender struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	zip *zipStream // nil: as it is
}

// begin writes the head. The server's deadlines are for ordinary requests; this one lives on.
func (o *sender) begin() error {
	h := o.w.Header()
	h.Set("Content-Type", StreamKind)
	h.Set("X-Accel-Buffering", "no")
	if o.zip != nil {
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
	}
	if err := o.rc.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	o.w.WriteHeader(http.StatusOK)
	// at once: a reader that has the newest state is to know that it is connected
	return o.write(fmt.Appendf(nil, "retry: %d\n\n", retryLeast+rand.IntN(retrySpread)), pack)
}

// buffers are for messages on their way: between two of them a stream holds none.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (o *sender) send(m Message) error {
	if m.Wire != nil {
		return o.write(m.Wire.plain(m), m.Wire.packed)
	}
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	m.write(out)
	return o.write(out.Bytes(), pack)
}

func (o *sender) write(data []byte, pack func([]byte) ([]byte, error)) error {
	if err := o.rc.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	if o.zip != nil {
		packed, err := pack(data)
		if err == nil {
			err = o.zip.write(o.w, data, packed)
		}
		if err != nil {
			return err
		}
	} else if _, err := o.w.Write(data); err != nil {
		return err
	}
	return o.rc.Flush()
}

// end tells a reader that is still there that nothing more comes.
func (o *sender) end() {
	if o.zip != nil {
		_, _ = o.w.Write(o.zip.end())
	}
}

// write gives a message the form of server-sent events.
func (m Message) write(out *bytes.Buffer) {
	if m.ID != "" {
		out.WriteString("id: " + m.ID + "\n")
	}
	if m.Event != "" {
		out.WriteString("event: " + m.Event + "\n")
	}
	for line := range bytes.SplitSeq(m.Data, []byte{'\n'}) {
		out.WriteString("data: ")
		out.Write(line)
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}
