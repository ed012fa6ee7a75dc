// Package packed reads embedded files. The release command embeds large ones compressed with gzip, under their own
// names; a build from source embeds them as they are.
package packed

import (
	"bytes"
	"compress/gzip"
	"io"
)

// Read returns the content of an embedded file.
func Read(file []byte) ([]byte, error) {
	if !bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		return file, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
