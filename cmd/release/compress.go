package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// packed are the files that the binary embeds compressed; package packed reads them.
var packed = []string{"data/licences.txt", "data/record/verifier.html", "data/locales/*.json",
	"templates/pdf/fonts/*.ttf",
	"web/assets/built/*.css", "web/assets/built/*.js"}

// compress compresses the files of packed, and writes the overlay with which the go command embeds them instead of the
// originals.
func (r release) compress() error {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, pattern := range packed {
		files, err := filepath.Glob(r.file(pattern))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("compress %s: no such files: %w", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			zipped, err := gzipped(text)
			if err != nil {
				return err
			}
			to := filepath.Join(r.work, "packed-"+strconv.Itoa(len(overlay.Replace)))
			overlay.Replace[file] = to
			if err := os.WriteFile(to, zipped, 0o644); err != nil {
				return err
			}
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	return os.WriteFile(r.overlay(), text, 0o644)
}

func gzipped(text []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(text)
	}
	if err == nil {
		err = z.Close()
	}
	return out.Bytes(), err
}

// overlay returns the path of the file that compress writes.
func (r release) overlay() string { return filepath.Join(r.work, "overlay.json") }
