package templates

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// screens is a folder that the sample pages are written to, to be looked at in a browser.
var screens = flag.String("screens", "", "write every sample page, in every language, below this folder")

func TestScreens(t *testing.T) {
	for _, l := range Languages {
		ctx := WithLanguage(t.Context(), l.Tag)
		for _, s := range samples(ctx) {
			t.Run(l.Tag+"/"+s.name, func(t *testing.T) {
				var page bytes.Buffer
				if err := s.page.Render(ctx, &page); err != nil {
					t.Fatal(err)
				}
				if *screens == "" {
					return
				}
				if err := os.WriteFile(filepath.Join(*screens, l.Tag+"-"+s.name+".html"), page.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
