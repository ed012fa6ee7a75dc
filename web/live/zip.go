package live

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"sync"
)

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
