// The bundle command makes web/assets/built from the sources beside it: one script and one style sheet for
// each kind of page. Run it with "go generate ./web".
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"meldhall/templates"
)

// first stands before our own code in every script, as it was released: htmx keeps its extension's name
// global, and starts only after the document is read, when the extension and our listeners are there.
var first = []string{"vendor/htmx.min.js", "vendor/hx-sse.min.js"}

// beside are the scripts that a page loads beside the one of its kind: they are our own code alone.
var beside = []string{"find.js", "regulations.js", "passkey.js", "older.js"}

// oldest lists the oldest browsers that the built files support.
var oldest = []api.Engine{
	{Name: api.EngineChrome, Version: templates.OldestChrome},
	{Name: api.EngineSafari, Version: templates.OldestSafari},
	{Name: api.EngineFirefox, Version: templates.OldestFirefox},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bundle <folder of the assets>")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// write puts the built files into the folder "built" of the assets and removes what is no longer made.
func write(assets string) error {
	built, err := build(assets)
	if err != nil {
		return err
	}
	folder := filepath.Join(assets, "built")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, data := range built {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build makes the files of "built", by name, from the entries: the scripts and style sheets that lie
// directly in the folder of the assets.
func build(assets string) (map[string][]byte, error) {
	assets, err := filepath.Abs(assets)
	if err != nil {
		return nil, err
	}
	var entries []string
	for _, pattern := range []string{"*.js", "*.css"} {
		found, err := filepath.Glob(filepath.Join(assets, pattern))
		if err != nil {
			return nil, err
		}
		entries = append(entries, found...)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s has no scripts and style sheets", assets)
	}
	var before bytes.Buffer
	for _, name := range first {
		data, err := os.ReadFile(filepath.Join(assets, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		before.Write(bytes.TrimSpace(data))
		before.WriteByte('\n')
	}
	made := api.Build(api.BuildOptions{
		AbsWorkingDir: assets, EntryPoints: entries, Outdir: filepath.Join(assets, "built"), Bundle: true, Format: api.FormatIIFE,
		External: []string{"*.woff2"}, Engines: oldest, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	if problems := append(made.Errors, made.Warnings...); len(problems) > 0 {
		return nil, fmt.Errorf("bundle:\n%s", strings.Join(api.FormatMessages(problems, api.FormatMessagesOptions{}), "\n"))
	}
	built := map[string][]byte{}
	for _, file := range made.OutputFiles {
		name := filepath.Base(file.Path)
		built[name] = file.Contents
		if filepath.Ext(name) == ".js" && !slices.Contains(beside, name) {
			built[name] = append(bytes.Clone(before.Bytes()), file.Contents...)
		}
	}
	return built, nil
}
