package live

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"sync"
)

// Wire is the form on its way of a message that many readers get: it is made once for all of them, and compressed once. Its zero value
// is good for one message.
type Wire struct {
	made, zipped  sync.Once
	data, smaller []byte
	err           error
	chunks        [2]onceChunk // as it is, and compressed
	sum           check        // of what is compressed there
}

// onceChunk is a message as it is written on a connection of a stream's own.
type onceChunk struct {
	made  sync.Once
	bytes []byte
	err   error
}

// chunk is the message ready to be written, the same bytes for all who read it.
func (w *Wire) chunk(m Message, zip bool) ([]byte, error) {
	which := 0
	if zip {
		which = 1
	}
	c := &w.chunks[which]
	c.made.Do(func() {
		buf := buffers.Get().(*[]byte)
		defer buffers.Put(buf)
		*buf = m.append((*buf)[:0])
		if !zip {
			c.bytes = chunked(*buf)
			return
		}
		w.sum = checkOf(*buf)
		var packed []byte
		if packed, c.err = deflated(smaller, *buf); c.err == nil {
			c.bytes = chunked(packed)
		}
	})
	return c.bytes, c.err
}

// chunked is data as one chunk of an answer.
func chunked(data []byte) []byte {
	out := strconv.AppendInt(make([]byte, 0, len(data)+roomBefore+2), int64(len(data)), 16)
	return append(append(append(out, "\r\n"...), data...), "\r\n"...)
}

func (w *Wire) plain(m Message) []byte {
	w.made.Do(func() { w.data = m.append(nil) })
	return w.data
}

func (w *Wire) packed(data []byte) ([]byte, error) {
	w.zipped.Do(func() { w.smaller, w.err = deflated(smaller, data) })
	return w.smaller, w.err
}

// The writers of compressed messages: streams are many and mostly idle, and none keeps one. What many get is made smaller, a fifth for the
// standings of 300 players, in twice the time.
var (
	quicker = writers(flate.BestSpeed)
	smaller = writers(6)
)

func writers(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, level)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	}}
}

// pack compresses a message for one reader.
func pack(data []byte) ([]byte, error) { return deflated(quicker, data) }

// deflated compresses a message into deflate blocks of its own, which fit into any stream: a block may refer to what went before it, but
// need not.
func deflated(by *sync.Pool, data []byte) ([]byte, error) {
	w := by.Get().(*flate.Writer)
	defer by.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Flush()
	return out.Bytes(), err
}

// zipStream makes one gzip stream of messages that are compressed one by one, so that a reader sees each at once, nothing is held
// for a stream between two of them, and one that many get is compressed once.
type zipStream struct {
	begun bool
	check check
}

// count notes that a message which many get goes into the stream. Nothing of its bytes is looked at.
func (z *zipStream) count(w *Wire) { z.check = z.check.then(w.sum) }

var zipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// append puts what comes next into the stream: data, and data packed.
func (z *zipStream) append(out, data, packed []byte) []byte {
	if !z.begun {
		out = append(out, zipHead...)
		z.begun = true
	}
	z.check.sum, z.check.size = crc32.Update(z.check.sum, crc32.IEEETable, data), z.check.size+uint32(len(data))
	return append(out, packed...)
}

// end is an empty last block and the sums, by which a reader sees that the stream has ended and was not cut off.
func (z *zipStream) end(out []byte) []byte {
	if !z.begun {
		out = append(out, zipHead...)
	}
	out = append(out[:len(out):len(out)], 1, 0, 0, 0xff, 0xff)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, z.check.sum), z.check.size)
}
