package live

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestZipStream(t *testing.T) {
	messages := []string{"data: " + strings.Repeat("<tile>", 4000), "event: ping\n\n", "", "data: ø\n\n"}
	var z zipStream
	here, there := io.Pipe()
	go func() {
		for _, m := range messages {
			part, err := z.next([]byte(m))
			if err == nil {
				_, err = there.Write(part)
			}
			if err != nil {
				there.CloseWithError(err)
				return
			}
			if len(m) > 1000 && len(part) > len(m)/10 {
				t.Errorf("%d bytes became %d", len(m), len(part))
			}
		}
		_, err := there.Write(z.end())
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
