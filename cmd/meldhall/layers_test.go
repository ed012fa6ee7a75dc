package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine/testmode"
)

const (
	root   = "../.."
	module = "meldhall"
)

// mayImport defines the direction of imports: cmd -> web -> tournament -> engine; web -> templates -> engine. A layer
// may import itself and the layers listed; data imports no other layer.
var mayImport = map[string][]string{
	"cmd":        {"web", "tournament", "engine", "templates", "data"},
	"web":        {"tournament", "templates", "engine"},
	"tournament": {"engine"},
	"templates":  {"engine", "data"}, // for the texts, which are embedded files without dependencies
	"engine":     {},
	"data":       {},
}

// rooms lists the packages inside a layer that other packages of the layer depend on, each with the packages of this
// module that it may import.
var rooms = map[string][]string{
	"tournament/format":     {"engine", "engine/exact"},
	"tournament/pairing":    {"engine", "tournament/format"},
	"tournament/refuse":     {},
	"tournament/standing":   {"engine", "tournament/format"},
	"tournament/rights":     {"tournament/refuse"},
	"tournament/rosterfile": {"tournament/refuse", "tournament/spelling"},
	"tournament/secret":     {},
	"tournament/spelling":   {},
	"tournament/security":   {"engine", "tournament/refuse", "tournament/rights", "tournament/store"},
	"tournament/store":      {"engine", "tournament/refuse"},
	"tournament/game": {"engine", "engine/solve", "engine/tile", "tournament/format", "tournament/refuse",
		"tournament/rights",
		"tournament/spelling", "tournament/store"},
	"tournament/action": {"engine", "tournament/game", "tournament/refuse", "tournament/rights", "tournament/spelling",
		"tournament/store", "tournament/displayname", "engine/exact"},
	"tournament/organization": {"engine", "tournament", "tournament/action", "tournament/action/actiontest",
		"tournament/game", "tournament/privacy", "tournament/refuse", "tournament/rights",
		"tournament/spelling", "tournament/account", "tournament/store"},
	"tournament/account": {"engine", "tournament/action", "tournament/organization", "tournament/refuse",
		"tournament/rights", "tournament/secret", "tournament/spelling",
		"tournament/store"},
	"tournament/archive": {"engine", "tournament", "tournament/action", "tournament/action/actiontest",
		"tournament/export", "tournament/format", "tournament/organization", "tournament/pairing",
		"tournament/displayname", "tournament/preset", "tournament/privacy", "tournament/refuse", "tournament/rights",
		"tournament/standing", "tournament/store", "engine/exact", "tournament/game", "tournament/spelling"},
	"tournament/copies": {"engine", "tournament", "tournament/action", "tournament/action/actiontest",
		"tournament/export",
		"tournament/game", "tournament/refuse", "tournament/rights", "tournament/store", "tournament/rehearsal"},
	"tournament/preset": {"engine", "tournament/format", "tournament/refuse"},
	"tournament/rulebook": {"engine", "tournament", "tournament/action", "tournament/action/actiontest",
		"tournament/format", "tournament/game", "tournament/preset",
		"tournament/refuse", "tournament/rights", "tournament/store"},
	"tournament/schedule": {"engine", "tournament", "tournament/action", "tournament/game", "tournament/refuse",
		"tournament/rights", "tournament/spelling",
		"tournament/store"},
	"tournament/rehearsal": {"engine", "tournament", "tournament/action", "tournament/action/actiontest",
		"tournament/format", "tournament/game", "tournament/pairing",
		"tournament/refuse", "tournament/rights", "tournament/schedule", "tournament/secret", "tournament/spelling",
		"tournament/store"},
	"tournament/displayname": {"tournament/rights"},
	"web/privacy": {"templates", "tournament", "tournament/action", "tournament/privacy", "tournament/refuse",
		"tournament/rights", "web/page", "web/view"},
	"templates/pdf":     {},
	"templates/preview": {"templates/pdf"},
	"templates/paper":   {"engine", "engine/tile", "templates", "templates/pdf"},
	"web/formatform":    {"templates", "tournament/format", "tournament/preset", "web/view"},
	"web/formfault":     {"templates"},
	"web/page": {"tournament/store", "engine", "templates", "tournament", "tournament/action",
		"tournament/organization", "tournament/rights", "web/formfault", "web/guard", "web/live", "web/request",
		"web/view",
		"tournament/displayname", "tournament/spelling"},
	"web/backup": {"engine", "templates", "tournament/copies", "tournament/action", "tournament/rights", "web/page",
		"web/live", "web/request", "web/view"},
	"web/guard": {"tournament/store"},
	"web/live":  {"tournament/action", "engine", "tournament/game", "tournament/rights"},
	"web/view": {"engine", "engine/tile", "templates", "tournament", "tournament/copies", "tournament/action",
		"tournament/screen", "tournament/format", "tournament/game", "tournament/pairing", "tournament/refuse",
		"tournament/rights", "tournament/spelling", "tournament/account", "tournament/standing", "tournament/store",
		"web/live", "tournament/export", "tournament/preset", "tournament/rehearsal", "tournament/schedule",
		"tournament/displayname"},
	"web/bots": {"engine", "engine/bot", "tournament", "tournament/action", "tournament/game", "tournament/refuse",
		"tournament/rights", "tournament/store", "web/live", "web/view", "tournament/practice",
		"tournament/rehearsal", "tournament/training"},
	"web/request": {"engine", "engine/solve", "templates", "tournament", "tournament/action", "tournament/format",
		"tournament/game", "tournament/organization", "tournament/refuse", "tournament/rights", "tournament/rosterfile",
		"tournament/secret", "tournament/security", "tournament/spelling", "tournament/account", "tournament/store",
		"web/bots", "web/guard", "web/live", "web/view", "tournament/practice", "tournament/rehearsal",
		"tournament/displayname", "engine/exact"},
	"web/api": {"engine", "engine/solve", "engine/tile", "templates", "tournament", "tournament/action",
		"tournament/screen", "tournament/format", "tournament/game", "tournament/pairing", "tournament/refuse",
		"tournament/rights", "tournament/rosterfile", "tournament/security", "tournament/account",
		"tournament/standing",
		"tournament/store", "web/guard", "web/live", "web/request", "web/view", "tournament/archive",
		"tournament/copies", "tournament/embedding", "tournament/export", "tournament/organization",
		"tournament/preset",
		"tournament/rehearsal", "tournament/rulebook", "tournament/schedule", "tournament/privacy", "engine/exact"},
	"tournament/past": {"engine", "tournament", "tournament/game", "tournament/standing", "tournament/store"},
	"web/organizations": {"templates", "tournament", "tournament/organization", "tournament/rights",
		"tournament/account", "web/page", "web/view"},
	"web/formats": {"engine", "templates", "tournament", "tournament/format", "tournament/preset",
		"tournament/rights", "tournament/rosterfile", "web/formatform", "web/page", "web/request", "web/view"},
	"web/accounts": {"templates", "tournament", "tournament/action", "tournament/organization",
		"tournament/refuse", "tournament/rights", "tournament/security", "tournament/account", "web/page",
		"web/request", "web/view"},
	"web/public": {"engine", "engine/solve", "templates", "tournament", "tournament/game", "tournament/past",
		"tournament/refuse", "tournament/rights", "web/page", "web/view", "tournament/displayname"},
	"web/screens": {"engine", "templates", "tournament", "tournament/action", "tournament/screen", "tournament/game",
		"tournament/refuse", "tournament/rights", "tournament/schedule",
		"tournament/secret", "tournament/store", "web/page", "web/guard", "web/live", "web/request", "web/view"},
	"web/feeds": {"engine", "templates", "templates/preview", "tournament", "tournament/action", "tournament/embedding",
		"tournament/game", "tournament/past", "tournament/refuse", "tournament/rights", "tournament/schedule",
		"web/page", "web/guard", "web/live", "web/request", "web/view", "tournament/displayname"},
	"web/paper": {"engine", "templates", "templates/paper", "templates/pdf", "tournament", "tournament/action",
		"tournament/export", "tournament/past", "tournament/refuse", "tournament/rights", "tournament/schedule",
		"tournament/secret", "tournament/standing", "web/page", "web/public", "web/view", "tournament/displayname",
		"web/request"},
}

// sourceFile is a Go file of the module. layer is its top-level folder.
type sourceFile struct {
	name, layer string
	test        bool
	generated   bool
	syntax      *ast.File
	fset        *token.FileSet
	lines       int
}

func sourceFiles(t *testing.T) (files []sourceFile) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		layer, _, _ := strings.Cut(rel, "/")
		files = append(files, sourceFile{name: rel, layer: layer, test: strings.HasSuffix(rel, "_test.go"),
			generated: ast.IsGenerated(syntax), syntax: syntax, fset: fset, lines: bytes.Count(data, []byte{'\n'})})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d Go files found", len(files))
	}
	return files
}

func (f sourceFile) imports() (paths []string) {
	for _, spec := range f.syntax.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, name)
	}
	return paths
}

func TestOneWayImports(t *testing.T) {
	for _, f := range sourceFiles(t) {
		allowed, known := mayImport[f.layer]
		if !known {
			t.Errorf("%s: %q is no layer", f.name, f.layer)
			continue
		}
		if f.test { // tests may set up lower layers from data
			allowed = append(slices.Clone(allowed), "data")
		}
		for _, name := range f.imports() {
			for _, fault := range importFaults(f, name, allowed) {
				t.Errorf("%s imports %s: %s", f.name, name, fault)
			}
		}
	}
}

// setsUp reports whether a package provides fixtures that the tests of every listed package may import.
func setsUp(name string) bool {
	return name == "data" || strings.HasPrefix(name, "tournament/game") || name == "tournament/copies" ||
		name == "tournament/store/storetest" || name == "tournament/refuse/refusetest" ||
		name == "templates/pdf/pdftest" || name == "tournament/rights" || strings.HasPrefix(name, "engine")
}

func importFaults(f sourceFile, name string, allowed []string) (faults []string) {
	if rest, ours := strings.CutPrefix(name, module+"/"); ours {
		if layer, _, _ := strings.Cut(rest, "/"); layer != f.layer && !slices.Contains(allowed, layer) {
			faults = append(faults, "against the one-way rule")
		}
		if room, is := rooms[path.Dir(f.name)]; is && rest != path.Dir(f.name) && !slices.Contains(room, rest) &&
			!(f.test && setsUp(rest)) {
			faults = append(faults, "a room may not know that")
		}
	}
	if strings.HasPrefix(name, "github.com/gin-gonic/") && !f.test &&
		!slices.Contains([]string{"web", "web/formats", "web/page", "web/organizations", "web/accounts", "web/feeds",
			"web/paper", "web/public", "web/request", "web/screens", "web/api", "web/backup", "web/privacy"},
			path.Dir(f.name)) {
		faults = append(faults, "gin is for web's requests only")
	}
	if strings.HasPrefix(name, "github.com/danielgtaylor/huma/") && path.Dir(f.name) != "web/api" &&
		f.name != "web/request/errors.go" {
		faults = append(faults, "huma is for web/api, and for the schema of errors")
	}
	if isStore := strings.HasPrefix(name, "gorm.io/"); isStore && !f.test && !keepsRows(f.name) {
		faults = append(faults, "gorm is for tournament only, not for what lies below it")
	}
	return faults
}

// keepsRows reports whether a file may access the database. The packages of the tournament may; the pure computations
// below them may not.
func keepsRows(name string) bool {
	return slices.Contains([]string{"tournament", "tournament/store", "tournament/game", "tournament/action",
		"tournament/account",
		"tournament/copies", "tournament/embedding", "tournament/screen", "tournament/security", "tournament/export",
		"tournament/practice", "tournament/training", "tournament/archive",
		"tournament/rehearsal", "tournament/rulebook", "tournament/schedule", "tournament/displayname",
		"tournament/privacy", "tournament/organization"}, path.Dir(name))
}

func TestImportRulesBite(t *testing.T) {
	for _, c := range []struct {
		file, layer, name string
		want              int
	}{
		{"engine/a.go", "engine", "meldhall/tournament", 1},
		{"engine/a.go", "engine", "meldhall/engine/tile", 0},
		{"templates/a.go", "templates", "meldhall/tournament", 1},
		{"templates/a.go", "templates", "github.com/gin-gonic/gin", 1},
		{"tournament/a.go", "tournament", "meldhall/web", 1},
		{"tournament/a.go", "tournament", "meldhall/data", 1},
		{"tournament/format/a.go", "tournament", "gorm.io/gorm", 1},
		{"tournament/store_player.go", "tournament", "gorm.io/gorm", 0},
		{"tournament/pairing/store.go", "tournament", "gorm.io/gorm", 1},
		{"tournament/rights/a.go", "tournament", "meldhall/tournament", 1},
		{"tournament/refuse/a.go", "tournament", "meldhall/tournament/rights", 1},
		{"web/a.go", "web", "gorm.io/gorm", 1},
		{"web/a.go", "web", "github.com/gin-gonic/gin", 0},
		{"web/a.go", "web", "github.com/danielgtaylor/huma/v2", 1},
		{"web/a.go", "web", "meldhall/web/api", 0},
		{"web/api/a.go", "web", "github.com/danielgtaylor/huma/v2", 0},
		{"web/api/a.go", "web", "meldhall/web", 1},
		{"web/api/a.go", "web", "meldhall/web/request", 0},
		{"web/request/a.go", "web", "meldhall/web/api", 1},
		{"web/bots/a.go", "web", "meldhall/web/request", 1},
		{"web/view/a.go", "web", "meldhall/web/request", 1},
		{"web/view/a.go", "web", "github.com/gin-gonic/gin", 1},
		{"web/guard/a.go", "web", "meldhall/web", 1},
		{"web/guard/a.go", "web", "meldhall/web/api", 1},
		{"web/guard/a.go", "web", "meldhall/tournament", 1},
		{"web/live/a.go", "web", "meldhall/web", 1},
		{"web/live/a.go", "web", "meldhall/web/api", 1},
		{"web/live/a.go", "web", "meldhall/tournament", 1},
		{"web/live/a.go", "web", "meldhall/tournament/game", 0},
		{"tournament/game/a.go", "tournament", "meldhall/tournament", 1},
		{"tournament/game/a.go", "tournament", "meldhall/tournament/action", 1},
		{"tournament/game/a.go", "tournament", "gorm.io/gorm", 0},
		{"tournament/action/a.go", "tournament", "meldhall/tournament/account", 1},
		{"tournament/account/a.go", "tournament", "meldhall/tournament", 1},
		{"tournament/standing/a.go", "tournament", "meldhall/tournament", 1},
		{"web/a.go", "web", "meldhall/web/guard", 0},
		{"cmd/meldhall/a.go", "cmd", "meldhall/web", 0},
		{"data/data.go", "data", "meldhall/engine", 1},
	} {
		if got := importFaults(sourceFile{name: c.file, layer: c.layer}, c.name,
			mayImport[c.layer]); len(got) != c.want {
			t.Errorf("%s importing %s: %q, want %d faults", c.file, c.name, got, c.want)
		}
	}
}

// TestSizes limits files to 500 lines, functions to 70, tests with their tables to 110 and a package without its tests
// to 12,000. Generated code does not count.
func TestSizes(t *testing.T) {
	packages := map[string]int{}
	for _, f := range sourceFiles(t) {
		if f.generated {
			continue
		}
		if !f.test {
			packages[path.Dir(f.name)] += f.lines
		}
		if f.lines > 500 {
			t.Errorf("%s has %d lines of at most 500", f.name, f.lines)
		}
		for _, decl := range f.syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || f.test && !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			most := 70
			if f.test {
				most = 110
			}
			if n := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1; n > most {
				t.Errorf("%s: %s has %d lines of at most %d", f.name, fn.Name.Name, n, most)
			}
		}
	}
	for name, lines := range packages {
		if lines > 12_000 {
			t.Errorf("%s has %d lines of at most 12,000: split it", name, lines)
		}
	}
}

// TestTopLevel checks that the top-level folder contains only allowed entries and hidden files.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") &&
			!slices.Contains(strings.Fields("go.mod go.sum cmd tournament engine web templates data README.md"), name) {
			t.Errorf("%s does not belong into the top folder", name)
		}
	}
}

// TestForbiddenNames rejects meaningless names and init functions.
func TestForbiddenNames(t *testing.T) {
	testmode.SkipUnderRace(t)
	for _, f := range sourceFiles(t) {
		words := strings.FieldsFunc(strings.ToLower(f.name),
			func(r rune) bool { return r == '/' || r == '_' || r == '.' })
		for _, word := range words {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "manager"}, word) {
				t.Errorf("%s: %q says nothing", f.name, word)
			}
		}
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Name.Name == "init" && fn.Recv == nil && !f.generated {
				t.Errorf("%s has an init function", f.name)
			}
		}
	}
}

// TestLatenessIsTheEngines checks that only engine.Decide decides whether a move is late. Only the timer, which must
// know when to wake, may ask when a game is due, and package tournament compares no deadline with anything.
func TestLatenessIsTheEngines(t *testing.T) {
	asked := false
	for _, f := range sourceFiles(t) {
		if f.test || f.layer == "engine" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "engine" && n.Sel.Name == "Due" {
					if asked = true; f.name != "tournament/game/timer.go" {
						t.Errorf("%s asks when a game is due", f.fset.Position(n.Pos()))
					}
				}
			case *ast.BinaryExpr:
				if f.layer == "tournament" && ordering(n.Op) && (deadline(n.X) || deadline(n.Y)) {
					t.Errorf("%s compares a deadline", f.fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if !asked {
		t.Error("nobody asks when a game is due, not even the timer")
	}
}

func ordering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

func deadline(e ast.Expr) bool {
	field, ok := e.(*ast.SelectorExpr)
	return ok && (field.Sel.Name == "Due" || field.Sel.Name == "ResumeAt")
}
