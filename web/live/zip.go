package live

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"sync"
)

// Wire is the form on its way of a message that many readers get: it is made once for all of them, and compressed once. Its zero value
// is good for one message.
type Wire struct {
	made, zipped  sync.Once
	data, smaller []byte
	err           error
}

func (w *Wire) plain(m Message) []byte {
	w.made.Do(func() { w.data = m.append(nil) })
	return w.data
}

func (w *Wire) packed(data []byte) ([]byte, error) {
	w.zipped.Do(func() { w.smaller, w.err = pack(data) })
	return w.smaller, w.err
}

// deflaters are for the messages of streams, whose writers are many and mostly idle: none keeps one.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// pack compresses a message into deflate blocks of its own, which fit into any stream: a block may refer to what went before it, but
// need not.
func pack(data []byte) ([]byte, error) {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
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
	begun     bool
	sum, size uint32
}

var zipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// append puts what comes next into the stream: data, and data packed.
func (z *zipStream) append(out, data, packed []byte) []byte {
	if !z.begun {
		out = append(out, zipHead...)
		z.begun = true
	}
	z.sum, z.size = crc32.Update(z.sum, crc32.IEEETable, data), z.size+uint32(len(data))
	return append(out, packed...)
}

// end is an empty last block and the sums, by which a reader sees that the stream has ended and was not cut off.
func (z *zipStream) end(out []byte) []byte {
	if !z.begun {
		out = append(out, zipHead...)
	}
	out = append(out[:len(out):len(out)], 1, 0, 0, 0xff, 0xff)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, z.sum), z.size)
}
