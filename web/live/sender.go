package live

import (
	"bytes"
	"net/http"
	"time"
)

const (
	writeWithin = 5 * time.Second
	retryMillis = "retry: 2000\n\n"
)

// sender writes messages with a deadline for each, so that a reader which takes nothing is cut off.
type sender struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	buf bytes.Buffer
	zip *zipStream // nil: as it is
}

// begin writes the head. The server's deadlines are for ordinary requests; this one lives on.
func (o *sender) begin() error {
	h := o.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	if o.zip != nil {
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
	}
	if err := o.rc.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	o.w.WriteHeader(http.StatusOK)
	o.buf.WriteString(retryMillis)
	return o.flush() // a reader that has the newest state is to know at once that it is connected
}

func (o *sender) send(m Message) error {
	if m.ID != "" {
		o.buf.WriteString("id: ")
		o.buf.WriteString(m.ID)
		o.buf.WriteByte('\n')
	}
	if m.Event != "" {
		o.buf.WriteString("event: ")
		o.buf.WriteString(m.Event)
		o.buf.WriteByte('\n')
	}
	for line := range bytes.SplitSeq(m.Data, []byte{'\n'}) {
		o.buf.WriteString("data: ")
		o.buf.Write(line)
		o.buf.WriteByte('\n')
	}
	o.buf.WriteByte('\n')
	return o.flush()
}

func (o *sender) flush() error {
	if err := o.rc.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	data := o.buf.Bytes()
	if o.zip != nil {
		var err error
		if data, err = o.zip.next(data); err != nil {
			return err
		}
	}
	_, err := o.w.Write(data)
	o.buf.Reset()
	if err != nil {
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
