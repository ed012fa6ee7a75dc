package live

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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
	fmt.Fprintf(&o.buf, "retry: %d\n\n", retryLeast+rand.IntN(retrySpread))
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

// deflaters are for the messages of streams, whose writers are many and mostly idle: none keeps one.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// zipStream makes one gzip stream of messages that are compressed one by one, so that a reader sees each at once
// and nothing is held for a stream between two of them: a deflate block may refer to what went before, but need not.
type zipStream struct {
	begun     bool
	sum, size uint32
}

// next is the compressed form of what comes next in the stream.
func (z *zipStream) next(data []byte) ([]byte, error) {
	var out bytes.Buffer
	if !z.begun {
		out.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff})
		z.begun = true
	}
	z.sum, z.size = crc32.Update(z.sum, crc32.IEEETable, data), z.size+uint32(len(data))
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&out)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Flush()
	return out.Bytes(), err
}

// end is an empty last block and the sums, by which a reader sees that the stream has ended and was not cut off.
func (z *zipStream) end() []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0xff, 0xff}, z.sum), z.size)
}
