package main

import (
	"bytes"
	"encoding/json"
	"runtime/debug"
	"testing"
)

func TestBOM(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "gorm.io/gorm", Version: "v1.31.2"},
		{Path: "example.org/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/new",
			Version: "v1.1.0"}}}}
	var out bytes.Buffer
	if err := writeBOM(&out, info); err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Name != "meldhall" || len(b.Components) != 3 {
		t.Fatalf("got %s", out.Bytes())
	}
	for i, want := range []string{"pkg:golang/stdlib@go1.26.8", "pkg:golang/gorm.io/gorm@v1.31.2",
		"pkg:golang/example.org/new@v1.1.0"} {
		if got := b.Components[i]; got.PURL != want || got.Ref != want || got.Type != "library" {
			t.Errorf("got %+v, want %s", got, want)
		}
	}
}
