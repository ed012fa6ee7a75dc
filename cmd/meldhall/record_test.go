package main

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestRecordConverts converts the games of an archive to text and back.
func TestRecordConverts(t *testing.T) {
	files, err := zip.OpenReader("testdata/archive_1.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	games := 0
	for _, file := range files.File {
		if !strings.HasPrefix(file.Name, "games/") {
			continue
		}
		in, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		record, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		text, err := convertRecord(record)
		if err != nil {
			t.Fatalf("%s: %v", file.Name, err)
		}
		back, err := convertRecord(text)
		if err != nil || !bytes.Equal(back, record) {
			t.Errorf("%s: not the same bytes, %v", file.Name, err)
		}
		games++
	}
	if games == 0 {
		t.Error("the archive has no games")
	}
}

func TestRecordKnowsPresets(t *testing.T) {
	const text = `[meldhall "text record 1"]
[rules "wrc"]
[players [1,2,3]]
- 2026-01-31T09:00:00Z start real
`
	record, err := convertRecord([]byte(text))
	if err != nil || !strings.Contains(string(record), `"kind":"game_started"`) {
		t.Errorf("got %s, %v", record, err)
	}
	_, err = convertRecord([]byte(strings.Replace(text, "wrc", "chess", 1)))
	if want := "line 2, column 8: expected the rules"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
