package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"testing"
	"testing/iotest"
)

// FuzzDepth checks that JSON nested too deeply is rejected however its bytes are split, and that all other JSON passes.
func FuzzDepth(f *testing.F) {
	deep := bytes.Repeat([]byte("["), DepthMost+1)
	for _, seed := range [][]byte{[]byte(`{"a":["\"[[[["]}`), deep, append([]byte(`"\\"`), deep...),
		append([]byte(`"`), deep...), []byte(`]]]]`)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		read := func(from io.Reader) ([]byte, error) {
			r := &http.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(from)}
			BoundDepth(r)
			return io.ReadAll(r.Body)
		}
		whole, err := read(bytes.NewReader(body))
		if _, parts := read(iotest.OneByteReader(bytes.NewReader(body))); !errors.Is(parts, err) {
			t.Errorf("%q: %v, in parts %v", body, err, parts)
		}
		if err == nil && !bytes.Equal(whole, body) {
			t.Errorf("%q came as %q", body, whole)
		}
		if json.Valid(body) && (depthOf(body) > DepthMost) != errors.Is(err, ErrTooDeep) {
			t.Errorf("%q is %d deep: %v", body, depthOf(body), err)
		}
	})
}

// depthOf returns the nesting depth of valid JSON.
func depthOf(body []byte) (most int) {
	d, depth := json.NewDecoder(bytes.NewReader(body)), 0
	for {
		token, err := d.Token()
		if err != nil {
			return most
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			depth++
			most = max(most, depth)
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
}

// FuzzReaderAt checks that every address has a reader, which is the same for all addresses of one network.
func FuzzReaderAt(f *testing.F) {
	for _, seed := range []string{"192.0.2.1", "::1", "2001:db8::1", "::ffff:192.0.2.1", "fe80::1%eth0", "", "x",
		"127.0.0.1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		reader := ReaderAt(address)
		ip, err := netip.ParseAddr(address)
		if own := err == nil && ip.Unmap().IsLoopback(); own != (reader == anybody) {
			t.Errorf("%q is %q", address, reader)
		}
		if err != nil || ip.Unmap().Is4() || ip.Zone() != "" || ip.IsLoopback() {
			return
		}
		next := ip.As16()
		next[15] ^= 2
		if other := netip.AddrFrom16(next); !other.Unmap().Is4() && !other.IsLoopback() &&
			ReaderAt(other.String()) != reader {
			t.Errorf("%q is %q, its neighbour %q", address, reader, ReaderAt(other.String()))
		}
	})
}
