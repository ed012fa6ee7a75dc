package pagetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"meldhall/templates/locale"
)

// brings maps each function that makes errors to the arguments that it adds to all of them.
var brings = map[string][]string{
	"ByID":      {"id"},                                       // a missing record
	"add":       {"field", "value"},                           // a player's entry, or a field of a format
	"bad":       {"field", "value"},                           // a field of a format's form
	"pathID":    {"id"},                                       // a number in a URL
	"Problem":   {"line", "field"},                            // a roster
	"lineFault": {"line", "round", "player", "table", "seat"}, // a seating file
	"note":      {"cells"},                                    // a workbook
}

// madeError is an error that the source code makes: its key and the names of its arguments.
type madeError struct {
	key, at string
	names   []string
}

// TestErrorsHaveTexts scans the source code and checks that every error has a text, that the text's placeholders are
// among the error's arguments, and that every error text is used.
func TestErrorsHaveTexts(t *testing.T) {
	made := madeErrors(t, "../../tournament", "../../web")
	if len(made) < 250 {
		t.Fatalf("found %d errors: the test reads the wrong files", len(made))
	}
	english, used := texts(t, "en.json"), map[string]bool{}
	for _, e := range made {
		used[e.key] = true
		text, ok := english[e.key]
		if !ok {
			t.Errorf("%s: %s has no text", e.at, e.key)
		}
		for form := range text {
			for _, hole := range locale.Holes(text[form]) {
				if name := strings.Trim(hole, "{.}"); !slices.Contains(e.names, name) {
					t.Errorf("%s: %s is made of %q, without %s", e.at, e.key, e.names, name)
				}
			}
		}
	}
	for _, source := range sources(t) { // a page may use an error's text directly
		for key := range english {
			used[key] = used[key] || strings.Contains(source, `"`+key+`"`)
		}
	}
	for key := range english {
		if (strings.HasPrefix(key, "err_") || strings.HasPrefix(key, "format_why.")) && !used[key] {
			t.Errorf("%s is made nowhere", key)
		}
	}
}

// madeErrors finds the errors made by the source code in the folders.
func madeErrors(t *testing.T, folders ...string) (made []madeError) {
	t.Helper()
	finder := errorFinder{fset: token.NewFileSet(), words: map[string]string{}}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(finder.fset, name, nil, parser.SkipObjectResolution)
			finder.files = append(finder.files, file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range finder.files {
		ast.Inspect(file, finder.constant)
	}
	for _, file := range finder.files {
		for _, d := range file.Decls {
			finder.around = d
			ast.Inspect(d, finder.look)
		}
	}
	return finder.made
}

type errorFinder struct {
	fset   *token.FileSet
	files  []*ast.File
	words  map[string]string // string constants by name
	around ast.Decl
	made   []madeError
}

func (f *errorFinder) constant(n ast.Node) bool {
	if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == 1 && len(spec.Values) == 1 &&
		strings.HasPrefix(spec.Names[0].Name, "Why") {
		f.words[spec.Names[0].Name] = literal(spec.Values[0])
	}
	return true
}

func (f *errorFinder) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		f.call(n)
	case *ast.CompositeLit:
		for _, part := range n.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok {
				part = pair.Value
			}
			if key := literal(part); isErrorKey(key) && !isSentinel(n) {
				f.add(n, key, f.literals(f.around))
			}
		}
	}
	return true
}

// call handles a call of a function that makes an error. The key, or a word that the key is built from, precedes names
// and values in the arguments.
func (f *errorFinder) call(n *ast.CallExpr) {
	callee := nameOf(n.Fun)
	for i, arg := range n.Args {
		key, first := literal(arg), i+1
		word, known := f.words[nameOf(arg)]
		switch {
		case callee == "ByID" && i == 1:
			key = "err_" + key + "_not_found"
		case known && i == 2:
			key = "format_why." + word
		case callee == "bad" && i == 2:
			key = "format_why." + key
		case !isErrorKey(key):
			continue
		case callee == "add":
			first++ // skip the field
		}
		names := slices.Clone(brings[callee])
		for j := first; j < len(n.Args); j += 2 {
			names = append(names, literal(n.Args[j]))
		}
		if strings.EqualFold(callee, "newFailure") {
			names = f.literals(n)
		}
		f.add(n, key, names)
	}
}

func (f *errorFinder) add(n ast.Node, key string, names []string) {
	f.made = append(f.made, madeError{key, f.fset.Position(n.Pos()).String(), names})
}

// literals returns all string literals below a syntax node.
func (f *errorFinder) literals(n ast.Node) (all []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && literal(e) != "" {
			all = append(all, literal(e))
		}
		return true
	})
	return all
}

func isErrorKey(key string) bool { return strings.HasPrefix(key, "err_") && key != "err_" }

// isSentinel reports whether a literal is an error for comparisons, which has only a kind and a key.
func isSentinel(n *ast.CompositeLit) bool { return nameOf(n.Type) == "Error" }

func literal(e ast.Expr) string {
	basic, ok := e.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(basic.Value)
	return text
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr: // of a generic function
		return nameOf(e.X)
	}
	return ""
}
