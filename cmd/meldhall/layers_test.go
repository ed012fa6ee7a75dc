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

// mayImport is the one-way rule: cmd -> web -> tournament -> engine; web -> templates -> engine. A layer
// may import itself and what is named; data imports nothing of ours.
var mayImport = map[string][]string{
	"cmd":        {"web", "tournament", "engine", "templates", "data"},
	"web":        {"tournament", "templates", "engine"},
	"tournament": {"engine"},
	"templates":  {"engine", "data"}, // its texts: a leaf of embedded files, simpler than a catalogue that must be set before the first page
	"engine":     {},
	"data":       {},
}

// rooms are the packages inside a layer that others of it stand on, with the packages of ours that they may
// import: a room knows less than the hall it is in.
var rooms = map[string][]string{
	"tournament/format":     {"engine", "engine/exact"},
	"tournament/pairing":    {"engine", "tournament/format"},
	"tournament/refuse":     {},
	"tournament/standing":   {"engine", "tournament/format"},
	"tournament/rights":     {"tournament/refuse"},
	"tournament/rosterfile": {"tournament/refuse", "tournament/spelling"},
	"tournament/secret":     {},
	"tournament/spelling":   {},
	"tournament/security":   {"engine", "tournament/refuse", "tournament/rights", "tournament/storage"},
	"tournament/storage":    {"engine", "tournament/refuse"},
	"tournament/game": {"engine", "engine/solve", "engine/tile", "tournament/format", "tournament/refuse", "tournament/rights",
		"tournament/spelling", "tournament/storage"},
	"tournament/door": {"engine", "tournament/game", "tournament/refuse", "tournament/rights", "tournament/spelling",
		"tournament/storage", "tournament/naming", "engine/exact"},
	"tournament/hosting": {"engine", "tournament", "tournament/door", "tournament/door/doortest", "tournament/game", "tournament/privacy", "tournament/refuse", "tournament/rights",
		"tournament/spelling", "tournament/staff", "tournament/storage"},
	"tournament/staff": {"engine", "tournament/door", "tournament/hosting", "tournament/refuse", "tournament/rights", "tournament/secret", "tournament/spelling",
		"tournament/storage"},
	"tournament/archive": {"engine", "tournament", "tournament/door", "tournament/door/doortest", "tournament/export", "tournament/format", "tournament/hosting", "tournament/pairing",
		"tournament/naming", "tournament/preset", "tournament/privacy", "tournament/refuse", "tournament/rights",
		"tournament/standing", "tournament/storage", "engine/exact", "tournament/game", "tournament/spelling"},
	"tournament/copies": {"engine", "tournament", "tournament/door", "tournament/door/doortest", "tournament/export",
		"tournament/game", "tournament/refuse", "tournament/rights", "tournament/storage", "tournament/rehearsal"},
	"tournament/preset": {"engine", "tournament/format", "tournament/refuse"},
	"tournament/rulebook": {"engine", "tournament", "tournament/door", "tournament/door/doortest", "tournament/format", "tournament/game", "tournament/preset",
		"tournament/refuse", "tournament/rights", "tournament/storage"},
	"tournament/schedule": {"engine", "tournament", "tournament/door", "tournament/game", "tournament/refuse", "tournament/rights", "tournament/spelling",
		"tournament/storage"},
	"tournament/rehearsal": {"engine", "tournament", "tournament/door", "tournament/door/doortest", "tournament/format", "tournament/game", "tournament/pairing",
		"tournament/refuse", "tournament/rights", "tournament/schedule", "tournament/secret", "tournament/spelling", "tournament/storage"},
	"tournament/naming": {"tournament/rights"},
	"web/privacy": {"templates", "tournament", "tournament/door", "tournament/privacy", "tournament/refuse",
		"tournament/rights", "web/frame", "web/venue"},
	"templates/pdf":     {},
	"templates/preview": {"templates/pdf"},
	"templates/paper":   {"engine", "engine/tile", "templates", "templates/pdf"},
	"web/formatform":    {"templates", "tournament/format", "tournament/preset", "web/venue"},
	"web/formfault":     {"templates"},
	"web/frame": {"tournament/storage", "engine", "templates", "tournament", "tournament/door",
		"tournament/hosting", "tournament/rights", "web/formfault", "web/guard", "web/live", "web/shell", "web/venue",
		"tournament/naming", "tournament/spelling"},
	"web/backup": {"engine", "templates", "tournament/copies", "tournament/door", "tournament/rights", "web/frame",
		"web/live", "web/shell", "web/venue"},
	"web/guard": {"tournament/storage"},
	"web/live":  {"tournament/door", "engine", "tournament/game", "tournament/rights"},
	"web/venue": {"engine", "engine/tile", "templates", "tournament", "tournament/copies", "tournament/door",
		"tournament/floor", "tournament/format", "tournament/game", "tournament/pairing", "tournament/refuse",
		"tournament/rights", "tournament/spelling", "tournament/staff", "tournament/standing", "tournament/storage",
		"web/live", "tournament/export", "tournament/preset", "tournament/rehearsal", "tournament/schedule",
		"tournament/naming"},
	"web/bots": {"engine", "engine/bot", "tournament", "tournament/door", "tournament/game", "tournament/refuse",
		"tournament/rights", "tournament/storage", "web/live", "web/venue", "tournament/practice",
		"tournament/rehearsal", "tournament/training"},
	"web/shell": {"engine", "engine/solve", "templates", "tournament", "tournament/door", "tournament/format",
		"tournament/game", "tournament/hosting", "tournament/refuse", "tournament/rights", "tournament/rosterfile",
		"tournament/secret", "tournament/security", "tournament/spelling", "tournament/staff", "tournament/storage",
		"web/bots", "web/guard", "web/live", "web/venue", "tournament/practice", "tournament/rehearsal",
		"tournament/naming", "engine/exact"},
	"web/api": {"engine", "engine/solve", "engine/tile", "templates", "tournament", "tournament/door",
		"tournament/floor", "tournament/format", "tournament/game", "tournament/pairing", "tournament/refuse",
		"tournament/rights", "tournament/rosterfile", "tournament/security", "tournament/staff", "tournament/standing",
		"tournament/storage", "web/guard", "web/live", "web/shell", "web/venue", "tournament/archive",
		"tournament/copies", "tournament/embedding", "tournament/export", "tournament/hosting", "tournament/preset",
		"tournament/rehearsal", "tournament/rulebook", "tournament/schedule", "tournament/privacy", "engine/exact"},
	"tournament/history": {"engine", "tournament", "tournament/game", "tournament/standing", "tournament/storage"},
	"web/hosting":        {"templates", "tournament", "tournament/hosting", "tournament/rights", "tournament/staff", "web/frame", "web/venue"},
	"web/formats":        {"engine", "templates", "tournament", "tournament/format", "tournament/preset", "tournament/rights", "tournament/rosterfile", "web/formatform", "web/frame", "web/shell", "web/venue"},
	"web/officials":      {"templates", "tournament", "tournament/door", "tournament/hosting", "tournament/refuse", "tournament/rights", "tournament/security", "tournament/staff", "web/frame", "web/shell", "web/venue"},
	"web/public":         {"engine", "engine/solve", "templates", "tournament", "tournament/game", "tournament/history", "tournament/refuse", "tournament/rights", "web/frame", "web/venue", "tournament/naming"},
	"web/wall": {"engine", "templates", "tournament", "tournament/door", "tournament/floor", "tournament/game", "tournament/refuse", "tournament/rights", "tournament/schedule",
		"tournament/secret", "tournament/storage", "web/frame", "web/guard", "web/live", "web/shell", "web/venue"},
	"web/outside": {"engine", "templates", "templates/preview", "tournament", "tournament/door", "tournament/embedding", "tournament/game", "tournament/history", "tournament/refuse", "tournament/rights", "tournament/schedule", "web/frame", "web/guard", "web/live", "web/shell", "web/venue", "tournament/naming"},
	"web/paper":   {"engine", "templates", "templates/paper", "templates/pdf", "tournament", "tournament/door", "tournament/export", "tournament/history", "tournament/refuse", "tournament/rights", "tournament/schedule", "tournament/secret", "tournament/standing", "web/frame", "web/public", "web/venue", "tournament/naming", "web/shell"},
}

// sourceFile is one Go file of the module. Layer is its top folder.
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
		if f.test { // a test may set up what stands below it from data
			allowed = append(slices.Clone(allowed), "data")
		}
		for _, name := range f.imports() {
			for _, fault := range importFaults(f, name, allowed) {
				t.Errorf("%s imports %s: %s", f.name, name, fault)
			}
		}
	}
}

// setsUp tells of a package from which the tests of every room take what they begin with.
func setsUp(name string) bool {
	return name == "data" || strings.HasPrefix(name, "tournament/game") || name == "tournament/copies" || name == "tournament/storage/storagetest" || name == "tournament/refuse/refusetest" || name == "templates/pdf/pdftest" || name == "tournament/rights" || strings.HasPrefix(name, "engine")
}

func importFaults(f sourceFile, name string, allowed []string) (faults []string) {
	if rest, ours := strings.CutPrefix(name, module+"/"); ours {
		if layer, _, _ := strings.Cut(rest, "/"); layer != f.layer && !slices.Contains(allowed, layer) {
			faults = append(faults, "against the one-way rule")
		}
		if room, is := rooms[path.Dir(f.name)]; is && rest != path.Dir(f.name) && !slices.Contains(room, rest) && !(f.test && setsUp(rest)) {
			faults = append(faults, "a room may not know that")
		}
	}
	if strings.HasPrefix(name, "github.com/gin-gonic/") && !f.test && !slices.Contains([]string{"web", "web/formats", "web/frame", "web/hosting", "web/officials", "web/outside", "web/paper", "web/public", "web/shell", "web/wall", "web/api", "web/backup", "web/privacy"}, path.Dir(f.name)) {
		faults = append(faults, "gin is for web's requests only")
	}
	if strings.HasPrefix(name, "github.com/danielgtaylor/huma/") && path.Dir(f.name) != "web/api" &&
		f.name != "web/shell/errors.go" {
		faults = append(faults, "huma is for web/api, and for the schema of errors")
	}
	if isStore := strings.HasPrefix(name, "gorm.io/"); isStore && !f.test && !keepsRows(f.name) {
		faults = append(faults, "gorm is for tournament only, not for what lies below it")
	}
	return faults
}

// keepsRows tells whether a file may talk to the database: those of the competition, whose topics each lie together, and none of the
// mathematics below it.
func keepsRows(name string) bool {
	return slices.Contains([]string{"tournament", "tournament/storage", "tournament/game", "tournament/door", "tournament/staff",
		"tournament/copies", "tournament/embedding", "tournament/floor", "tournament/security", "tournament/export", "tournament/practice", "tournament/training", "tournament/archive",
		"tournament/rehearsal", "tournament/rulebook", "tournament/schedule", "tournament/naming", "tournament/privacy", "tournament/hosting"}, path.Dir(name))
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
		{"web/api/a.go", "web", "meldhall/web/shell", 0},
		{"web/shell/a.go", "web", "meldhall/web/api", 1},
		{"web/bots/a.go", "web", "meldhall/web/shell", 1},
		{"web/venue/a.go", "web", "meldhall/web/shell", 1},
		{"web/venue/a.go", "web", "github.com/gin-gonic/gin", 1},
		{"web/guard/a.go", "web", "meldhall/web", 1},
		{"web/guard/a.go", "web", "meldhall/web/api", 1},
		{"web/guard/a.go", "web", "meldhall/tournament", 1},
		{"web/live/a.go", "web", "meldhall/web", 1},
		{"web/live/a.go", "web", "meldhall/web/api", 1},
		{"web/live/a.go", "web", "meldhall/tournament", 1},
		{"web/live/a.go", "web", "meldhall/tournament/game", 0},
		{"tournament/game/a.go", "tournament", "meldhall/tournament", 1},
		{"tournament/game/a.go", "tournament", "meldhall/tournament/door", 1},
		{"tournament/game/a.go", "tournament", "gorm.io/gorm", 0},
		{"tournament/door/a.go", "tournament", "meldhall/tournament/staff", 1},
		{"tournament/staff/a.go", "tournament", "meldhall/tournament", 1},
		{"tournament/standing/a.go", "tournament", "meldhall/tournament", 1},
		{"web/a.go", "web", "meldhall/web/guard", 0},
		{"cmd/meldhall/a.go", "cmd", "meldhall/web", 0},
		{"data/data.go", "data", "meldhall/engine", 1},
	} {
		if got := importFaults(sourceFile{name: c.file, layer: c.layer}, c.name, mayImport[c.layer]); len(got) != c.want {
			t.Errorf("%s importing %s: %q, want %d faults", c.file, c.name, got, c.want)
		}
	}
}

// TestSizes holds files to 500 lines, functions to 70, tests to 80 and what a package is made of to 12,000, generated code apart.
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
				most = 80
			}
			if n := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1; n > most {
				t.Errorf("%s: %s has %d lines of at most %d", f.name, fn.Name.Name, n, most)
			}
		}
	}
	for name, lines := range packages {
		if lines > 12_000 {
			t.Errorf("%s has %d lines of at most 12,000: give a topic of it a room of its own", name, lines)
		}
	}
}

// TestTopLevel holds the top folder to what it may contain, hidden files apart.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(strings.Fields("go.mod go.sum cmd tournament engine web templates data README.md"), name) {
			t.Errorf("%s does not belong into the top folder", name)
		}
	}
}

// TestForbiddenNames keeps names that say nothing out of the code.
func TestForbiddenNames(t *testing.T) {
	testmode.SkipUnderRace(t)
	for _, f := range sourceFiles(t) {
		words := strings.FieldsFunc(strings.ToLower(f.name), func(r rune) bool { return r == '/' || r == '_' || r == '.' })
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

// TestLatenessIsTheEngines: whether a move is late is decided in engine.Decide alone. Nobody else asks when a game is due but
// the timer, which has to know when to wake, and tournament compares no deadline with anything.
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
