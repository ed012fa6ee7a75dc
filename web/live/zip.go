package live

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"sync"
)

// Wire is the encoded form of a message for many readers, encoded once and compressed once for all of them. The zero
// value is ready for one message.
type Wire struct {
	made, zipped  sync.Once
	data, smaller []byte
	err           error
	chunks        [2]onceChunk // uncompressed and compressed
	sum           check        // of the data compressed in chunks[1]
}

// onceChunk is a message as written to a hijacked connection.
type onceChunk struct {
	made  sync.Once
	bytes []byte
	err   error
}

// chunk returns the message ready to be written, the same bytes for all readers.
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

// chunked returns data as one chunk of a response.
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

// The pools of compressing writers: there are many streams, mostly idle, and none keeps a writer. Messages for many
// readers use a higher level. It saves a fifth for the standings of 300 players, at twice the time.
var (
	quicker = writers(flate.BestSpeed)
	smaller = writers(6)
)

func writers(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, level)
		if err != nil {
			panic(err) // cannot happen: the level is a constant
		}
		return w
	}}
}

// pack compresses a message for one reader.
func pack(data []byte) ([]byte, error) { return deflated(quicker, data) }

// deflated compresses a message into independent deflate blocks, which fit into any stream: a block may refer to
// earlier data, but need not.
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

// zipStream builds one gzip stream from separately compressed messages. A reader thus sees each message at once, the
// stream holds no memory between messages, and a message for many readers is compressed once.
type zipStream struct {
	begun bool
	check check
}

var zipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// append appends the next part of the stream: data, already compressed in packed.
func (z *zipStream) append(out, data, packed []byte) []byte {
	if !z.begun {
		out = append(out, zipHead...)
		z.begun = true
	}
	z.check.sum, z.check.size = crc32.Update(z.check.sum, crc32.IEEETable, data), z.check.size+uint32(len(data))
	return append(out, packed...)
}

// end appends an empty last block and the check. They show a reader that the stream ended and was not cut off.
func (z *zipStream) end(out []byte) []byte {
	if !z.begun {
		out = append(out, zipHead...)
	}
	out = append(out[:len(out):len(out)], 1, 0, 0, 0xff, 0xff)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, z.check.sum), z.check.size)
}
