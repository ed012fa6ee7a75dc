package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var documentName = regexp.MustCompile(`[\w./:-]*\w\.md\b`)

// missingDocuments returns the documents that a text in a folder names and that are not among files. A name may be the
// end of a path. Addresses and absolute paths are ignored.
func missingDocuments(folder, text string, files []string) (missing []string) {
	for _, name := range documentName.FindAllString(text, -1) {
		found := strings.HasPrefix(name, "/") || strings.Contains(name, "://") ||
			slices.Contains(files, path.Join(folder, name))
		if !found && !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix("/"+f, "/"+name) }) {
			missing = append(missing, name)
		}
	}
	return missing
}

// Comments and READMEs name only documents that are in the repository.
func TestNamedDocumentsExist(t *testing.T) {
	got := missingDocuments("a/b", "../c.md, d.md: e.md#f https://g/h.md /i/j.md", []string{"a/c.md", "k/e.md"})
	if !slices.Equal(got, []string{"d.md"}) {
		t.Errorf("got %q, want d.md", got)
	}
	texts, files := map[string]string{}, []string{}
	for _, f := range sourceFiles(t) {
		for _, comment := range f.syntax.Comments {
			texts[f.name] += comment.Text()
		}
	}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
			d.Name() == "vendor"):
			return fs.SkipDir
		case slices.Contains([]string{".md", ".templ", ".js", ".css", ".sql"}, path.Ext(name)):
			data, err := os.ReadFile(path.Join(root, name))
			texts[name], files = string(data), append(files, name)
			return err
		}
		return nil
	})
	if err != nil || !slices.Contains(files, "README.md") {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for name, text := range texts {
		for _, document := range missingDocuments(path.Dir(name), text, files) {
			t.Errorf("%s names %s, which does not exist", name, document)
		}
	}
}
