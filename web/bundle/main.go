// The bundle command builds web/assets/built from the source files in web/assets: one script and one style sheet for
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

	"meldhall/templates/part"
)

// first is included unmodified before our own code in every script. htmx keeps its extension's name global, and starts
// only after the document has been parsed, when the extension and our listeners are ready.
var first = []string{"vendor/htmx.min.js", "vendor/hx-sse.min.js"}

// beside lists the scripts that a page loads in addition to the one for its kind. They contain only our own code.
var beside = []string{
	"find.js", "regulations.js", "passkey.js", "older.js", "check.js", "lesson.js", "list.js", "commands.js", "scan.js",
	"point.js", "share.js", "forked.js", "official.js",
}

// later lists the scripts that the tablet loads when they are needed. They use the functions and the state of the
// tablet that extra.js lends them, instead of copies of their own.
var later = []string{"list.js", "commands.js", "scan.js"}

// lent replaces the modules of which extra.js lends a part by that part.
var lent = api.Plugin{Name: "lent", Setup: func(b api.PluginBuild) {
	modules := `^\./(assist|judge|keys|moves|play|profile|say|settings|state|view)\.js$`
	b.OnResolve(api.OnResolveOptions{Filter: modules}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: "lent", Namespace: "lent"}, nil
	})
	contents := "module.exports = window.lent"
	load := func(api.OnLoadArgs) (api.OnLoadResult, error) { return api.OnLoadResult{Contents: &contents}, nil }
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "lent"}, load)
}}

// oldest lists the oldest browsers that the built files support.
var oldest = []api.Engine{
	{Name: api.EngineChrome, Version: part.OldestChrome},
	{Name: api.EngineSafari, Version: part.OldestSafari},
	{Name: api.EngineFirefox, Version: part.OldestFirefox},
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

// write writes the built files to the folder "built" of the assets and removes files that are no longer built.
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

// build returns the files of "built" by name. It builds them from the entry points: the scripts and style sheets
// directly in the assets folder.
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
	isLater := func(entry string) bool { return slices.Contains(later, filepath.Base(entry)) }
	entries = slices.DeleteFunc(entries, isLater)
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s has no scripts or style sheets", assets)
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
	options := api.BuildOptions{
		AbsWorkingDir: assets, EntryPoints: entries, Outdir: filepath.Join(assets, "built"), Bundle: true,
		Format:   api.FormatIIFE,
		External: []string{"*.woff2"}, Engines: oldest, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	}
	made := api.Build(options)
	options.EntryPoints, options.Plugins = nil, []api.Plugin{lent}
	for _, name := range later {
		options.EntryPoints = append(options.EntryPoints, filepath.Join(assets, name))
	}
	loaded := api.Build(options)
	// the script for older browsers
	options.Plugins = nil
	options.EntryPoints, options.Engines, options.Target = []string{filepath.Join(assets, "older.js")}, nil, api.ES5
	older := api.Build(options)
	if problems := slices.Concat(made.Errors, made.Warnings, loaded.Errors, loaded.Warnings, older.Errors,
		older.Warnings); len(problems) > 0 {
		return nil, fmt.Errorf("bundle:\n%s", strings.Join(api.FormatMessages(problems, api.FormatMessagesOptions{}),
			"\n"))
	}
	built := map[string][]byte{}
	for _, file := range slices.Concat(made.OutputFiles, loaded.OutputFiles, older.OutputFiles) {
		name := filepath.Base(file.Path)
		built[name] = file.Contents
		if filepath.Ext(name) == ".js" && !slices.Contains(beside, name) {
			built[name] = append(bytes.Clone(before.Bytes()), file.Contents...)
		}
	}
	return built, nil
}
