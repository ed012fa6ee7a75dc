package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

const assets = "../assets"

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(assets, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBuilt checks that the embedded files match their sources, and that they stay within the size limits of the
// README.
func TestBuilt(t *testing.T) {
	built, err := build(assets)
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadDir(filepath.Join(assets, "built"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range there {
		if built[entry.Name()] == nil {
			t.Errorf("built/%s has no entry any more: run go generate ./web", entry.Name())
		}
	}
	allowed := budgets(t)
	for name, data := range built {
		t.Run(name, func(t *testing.T) {
			if sha256.Sum256(data) != sha256.Sum256(read(t, "built/"+name)) {
				t.Errorf("built/%s is stale: run go generate ./web", name)
			}
			if most, now := allowed[name], zipped(t, data); now > most {
				t.Errorf("%s is %.1f KiB compressed, assets/README.md allows %.0f", name, now, most)
			} else {
				t.Logf("%.1f KiB, compressed %.1f of at most %.0f", float64(len(data))/1024, now, most)
			}
		})
	}
	if len(built) != len(allowed) {
		t.Errorf("got %d files, assets/README.md has %d with a limit", len(built), len(allowed))
	}
}

// budgets returns the README's size limits in KiB, by file.
func budgets(t *testing.T) map[string]float64 {
	t.Helper()
	limits := map[string]float64{}
	for _, row := range regexp.MustCompile(`(?m)^\| built/(\S+) \|.*\| (\d+) \|$`).FindAllStringSubmatch(string(read(t,
		"README.md")), -1) {
		most, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		limits[row[1]] = most
	}
	return limits
}

func zipped(t *testing.T, data []byte) float64 {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return float64(out.Len()) / 1024
}

// TestVendoredComeFirst checks that every script begins with htmx and its extension, byte for byte as released.
func TestVendoredComeFirst(t *testing.T) {
	built, err := build(assets)
	if err != nil {
		t.Fatal(err)
	}
	scripts := 0
	for name, data := range built {
		if filepath.Ext(name) != ".js" || slices.Contains(beside, name) {
			continue
		}
		scripts++
		for _, part := range first {
			rest, ok := bytes.CutPrefix(data, bytes.TrimSpace(read(t, part)))
			if !ok {
				t.Fatalf("%s: %s is not where it belongs", name, part)
			}
			data = bytes.TrimPrefix(rest, []byte("\n"))
		}
	}
	if scripts < 2 {
		t.Errorf("got %d scripts", scripts)
	}
}

// TestVendoredNeedNoOlderBrowser checks that the vendored scripts, which are not rewritten, use no syntax that the
// oldest supported browsers lack.
func TestVendoredNeedNoOlderBrowser(t *testing.T) {
	for _, name := range first {
		source := string(read(t, name))
		newest := api.Transform(source, api.TransformOptions{Target: api.ESNext})
		lowered := api.Transform(source, api.TransformOptions{Engines: oldest})
		if len(newest.Errors)+len(lowered.Errors) > 0 || !bytes.Equal(newest.Code, lowered.Code) {
			t.Errorf("%s holds syntax that the oldest browsers do not know", name)
		}
	}
}

// TestSourcesAreUsed checks that every source file is reachable from an entry point.
func TestSourcesAreUsed(t *testing.T) {
	var all strings.Builder
	names, err := filepath.Glob(assets + "/*")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Glob(assets + "/js/*.js")
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := filepath.Glob(assets + "/css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(names, modules, sheets) {
		if ext := filepath.Ext(name); ext == ".js" || ext == ".css" {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(data)
		}
	}
	for _, name := range slices.Concat(modules, sheets) {
		if !strings.Contains(all.String(), "/"+filepath.Base(name)+`"`) {
			t.Errorf("%s is in no bundle", name)
		}
	}
}
