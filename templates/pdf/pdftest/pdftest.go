// Package pdftest examines PDF documents as images and text, and checks their fonts and QR codes, using poppler and
// zbar.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"meldhall/engine/testmode"
)

// tool returns the path of a program. If it is missing, the test is skipped; in CI, the test fails.
func tool(t testing.TB, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		testmode.SkipMissing(t, fmt.Sprintf("%s is missing: install %s", name, debian))
	}
	return path
}

func ask(t testing.TB, document []byte, name, debian string, args ...string) string {
	t.Helper()
	run := exec.Command(tool(t, name, debian), args...)
	run.Stdin = bytes.NewReader(document)
	var said bytes.Buffer
	run.Stderr = &said
	out, err := run.Output()
	if err != nil || strings.Contains(said.String(), "rror") {
		t.Fatalf("%s: %v: %s", name, err, said.String())
	}
	return string(out)
}

// Pictures renders the pages at a resolution in dots per inch.
func Pictures(t testing.TB, document []byte, dots string) (pages []image.Image) {
	t.Helper()
	folder := t.TempDir()
	ask(t, document, "pdftoppm", "poppler-utils", "-png", "-r", dots, "-", filepath.Join(folder, "page"))
	names, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no page is drawn: %v", err)
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}

// Text returns the text of a document line by line, with letters in place of their joined forms and without direction
// marks.
func Text(t testing.TB, document []byte) string {
	t.Helper()
	return plain(ask(t, document, "pdftotext", "poppler-utils", "-enc", "UTF-8", "-", "-"))
}

// TextOr is Text if poppler is installed; otherwise it returns another text. It is for checks in which few of many
// responses are documents.
func TextOr(document []byte, otherwise string) string {
	run := exec.Command("pdftotext", "-enc", "UTF-8", "-", "-")
	run.Stdin = bytes.NewReader(document)
	out, err := run.Output()
	if err != nil {
		return otherwise
	}
	return plain(string(out))
}

// Words splits a text into words after the same normalization as in Text.
func Words(text string) []string {
	return strings.FieldsFunc(plain(text), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
}

func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) && r < 0x700 && r > 0x590 {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
}

// Embedded checks that every font of a document is embedded.
func Embedded(t testing.TB, document []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(ask(t, document, "pdffonts", "poppler-utils", "-")), "\n")
	if len(lines) < 3 {
		t.Errorf("it has no fonts: %q", lines)
		return
	}
	at := strings.Index(lines[0], "emb")
	for _, line := range lines[2:] {
		if !strings.HasPrefix(line[at:], "yes") {
			t.Errorf("a font is not in it: %s", line)
		}
	}
}

// Codes returns the texts of all QR codes, sorted. zbarimg now and then misses a code at one resolution, so Codes
// reads each page at two resolutions and takes the result with more codes.
func Codes(t testing.TB, document []byte) (texts []string) {
	t.Helper()
	small, large := Pictures(t, document, "150"), Pictures(t, document, "200")
	for i := range small {
		on, again := codesOn(t, small[i]), codesOn(t, large[i])
		if len(again) > len(on) {
			on = again
		}
		texts = append(texts, on...)
	}
	slices.Sort(texts)
	return texts
}

// LongCode returns the text of the only QR code on each page, at a resolution in dots per inch; "" for a page without
// one.
func LongCode(t testing.TB, document []byte, dots string) (texts []string) {
	t.Helper()
	for _, page := range Pictures(t, document, dots) {
		texts = append(texts, decoded(t, page))
	}
	return texts
}

// codesOn returns the texts of the QR codes in a picture.
func codesOn(t testing.TB, page image.Image) []string {
	t.Helper()
	return strings.Fields(decoded(t, page))
}

// decoded returns what zbar reads in a picture.
func decoded(t testing.TB, page image.Image) string {
	t.Helper()
	zbar := tool(t, "zbarimg", "zbar-tools")
	name := filepath.Join(t.TempDir(), "page.png")
	var picture bytes.Buffer
	if err := png.Encode(&picture, page); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(zbar, "-q", "--raw", "-Sdisable", "-Sqrcode.enable", name).Output()
	if err != nil && len(out) > 0 {
		t.Fatal(err)
	}
	return string(out)
}

// Structure returns the structure tree of a document with the drawn text of each element, as poppler prints it.
func Structure(t testing.TB, document []byte) string {
	t.Helper()
	return ask(t, document, "pdfinfo", "poppler-utils", "-struct-text", "-")
}

// Facts returns the title, the version and other facts of a document, as poppler prints them.
func Facts(t testing.TB, document []byte) string {
	t.Helper()
	return ask(t, document, "pdfinfo", "poppler-utils", "-")
}

// Objects returns the compressed objects of a document as text.
func Objects(t testing.TB, document []byte) string {
	t.Helper()
	var all strings.Builder
	for _, part := range bytes.Split(document, []byte("/Type /ObjStm"))[1:] {
		_, packed, _ := bytes.Cut(part, []byte("stream\n"))
		from, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, from); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
