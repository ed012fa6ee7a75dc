package live

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestReadersShareAMessage checks that a message for many readers is encoded and compressed once, and fits into each
// reader's stream after any earlier data.
func TestReadersShareAMessage(t *testing.T) {
	m := Message{ID: "7", Event: "table", Data: []byte(strings.Repeat("<tile>\n", 400)), Wire: new(Wire)}
	const form = "id: 7\nevent: table\n"
	var first []byte
	for _, before := range []string{"", "data: hello\n\n", strings.Repeat("data: 1\n\n", 50)} {
		var out bytes.Buffer
		var z zipStream
		part, err := pack([]byte(before))
		packed, err2 := m.Wire.packed(m.Wire.plain(m))
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		out.Write(z.append(z.append(nil, []byte(before), part), m.Wire.plain(m), packed))
		if first == nil {
			first = packed
		}
		if &packed[0] != &first[0] {
			t.Error("it was compressed again")
		}
		out.Write(z.end(nil))
		r, err := gzip.NewReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !strings.HasPrefix(string(got), before+form+"data: <tile>\n") ||
			!strings.HasSuffix(string(got), "data: <tile>\ndata: \n\n") {
			t.Errorf("after %d bytes: got %.60q ... (%v)", len(before), got, err)
		}
	}
}

func TestZipStream(t *testing.T) {
	messages := []string{"data: " + strings.Repeat("<tile>", 4000), "event: ping\n\n", "", "data: ø\n\n"}
	var z zipStream
	here, there := io.Pipe()
	go func() {
		for _, m := range messages {
			part, err := pack([]byte(m))
			if err == nil {
				_, err = there.Write(z.append(nil, []byte(m), part))
			}
			if err != nil {
				there.CloseWithError(err)
				return
			}
			if len(m) > 1000 && len(part) > len(m)/10 {
				t.Errorf("%d bytes became %d", len(m), len(part))
			}
		}
		_, err := there.Write(z.end(nil))
		there.CloseWithError(err)
	}()
	r, err := gzip.NewReader(here)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages { // each can be read before the next one is written
		got := make([]byte, len(m))
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, []byte(m)) {
			t.Fatalf("got %.40q, %v, want %.40q", got, err, m)
		}
	}
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		t.Errorf("got %q, %v after the end", rest, err)
	}
}
