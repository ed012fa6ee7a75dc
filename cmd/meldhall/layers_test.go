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

// levels lists every package below cmd, from the bottom up. A package imports packages of earlier lines only.
var levels = strings.Fields(`
	data engine/exact engine/testmode engine/tile tournament/colourtest tournament/pairing tournament/refuse
		tournament/secret tournament/spelling tournament/store/ownserver tournament/transparency templates
		templates/packed |
	engine/shuffle engine/solve engine/steps tournament/listfile tournament/refuse/refusetest tournament/rights
		templates/pdf templates/pdf/pdftest |
	templates/letters templates/preview |
	engine/ruleset tournament/rosterfile |
	engine/judge |
	engine/score |
	engine |
	engine/audit engine/bot tournament/format tournament/store templates/locale |
	tournament/game/shares tournament/signing |
	tournament/displayname tournament/game tournament/preset tournament/security tournament/standing
		tournament/store/storetest templates/part web/guard |
	tournament/action tournament/game/cluster tournament/game/gametest tournament/game/record templates/play templates/regulations web/bundle |
	tournament/organization templates/public web/live |
	tournament/account templates/tablet |
	tournament templates/referee templates/screens |
	templates/accounts templates/desk |
	templates/pagetest templates/paper web/formfault |
	tournament/ranking |
	tournament/draw |
	tournament/people |
	tournament/result |
	tournament/action/actiontest tournament/embedding tournament/eventtest
		tournament/housekeeping tournament/past
		tournament/privacy tournament/rulebook tournament/schedule tournament/screen |
	tournament/export tournament/practice tournament/transparency/sequencer |
	tournament/archive tournament/copies tournament/textrecord |
	web/view |
	web/bots web/formatform |
	web/signin |
	web/request |
	web/api web/countform web/page |
	web/accounts web/backup web/feeds web/formats web/organizations web/privacy web/rulingform web/screens |
	web/desk web/public web/referee web/tablet |
	web/paper |
	web |
	web/webtest`)

// level returns the line of a package in levels; -1 if it has none.
func level(name string) int {
	i := slices.Index(levels, name)
	if i < 0 {
		return -1
	}
	line := 0
	for _, word := range levels[:i] {
		if word == "|" {
			line++
		}
	}
	return line
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

func importFaults(f sourceFile, name string, allowed []string) (faults []string) {
	if rest, ours := strings.CutPrefix(name, module+"/"); ours {
		if layer, _, _ := strings.Cut(rest, "/"); layer != f.layer && !slices.Contains(allowed, layer) {
			faults = append(faults, "against the one-way rule")
		} else if from := path.Dir(f.name); f.layer != "cmd" && !f.test && level(rest) >= level(from) {
			faults = append(faults, "it is not on an earlier line of levels")
		}
	}
	if strings.HasPrefix(name, "github.com/gin-gonic/") && !f.test &&
		(f.layer != "web" || level(path.Dir(f.name)) < level("web/signin")) {
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

// keepsRows reports whether a file may access the database: in package tournament and those of its packages that are
// above the store.
func keepsRows(name string) bool {
	dir := path.Dir(name)
	layer, _, _ := strings.Cut(dir, "/")
	return dir == "tournament/store" || layer == "tournament" && level(dir) > level("tournament/store") &&
		!slices.Contains([]string{"tournament/preset", "tournament/standing"}, dir)
}

// TestLevelsNameEveryPackage checks that levels has every package below cmd once, and no other.
func TestLevelsNameEveryPackage(t *testing.T) {
	found := map[string]int{"|": 1}
	for _, f := range sourceFiles(t) {
		if f.layer != "cmd" {
			found[path.Dir(f.name)] = 0
		}
	}
	for _, name := range levels {
		if _, is := found[name]; !is {
			t.Errorf("levels has %s, which is no package", name)
		}
		if found[name]++; name != "|" && found[name] > 1 {
			t.Errorf("levels has %s twice", name)
		}
	}
	for name, times := range found {
		if times == 0 {
			t.Errorf("levels lacks %s", name)
		}
	}
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

// TestSizes limits files to 500 lines, functions to 70, tests with their tables to 110, and a package without its tests
// to 6,000 lines in 35 files. Generated code does not count, nor does the module of meldbench for packages.
func TestSizes(t *testing.T) {
	packages, inside := map[string]int{}, map[string]int{}
	for _, f := range sourceFiles(t) {
		if f.generated {
			continue
		}
		if dir := path.Dir(f.name); !f.test && dir != "cmd/meldbench" {
			packages[dir] += f.lines
			inside[dir]++
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
		if lines > 6000 || inside[name] > 35 {
			t.Errorf("%s has %d lines in %d files, at most 6,000 in 35: split it", name, lines, inside[name])
		}
	}
}

// routed lists the types whose methods are the handlers of routes: a list of addresses, not an interface.
var routed = []string{"web/api.api", "web/desk.Pages", "web/referee.Pages"}

// TestMethods checks that no type has more than 60 methods.
func TestMethods(t *testing.T) {
	methods := map[string]int{}
	for _, f := range sourceFiles(t) {
		if f.test {
			continue
		}
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[path.Dir(f.name)+"."+receiver(fn.Recv.List[0].Type)]++
			}
		}
	}
	if methods["engine.State"] == 0 {
		t.Fatal("the methods of engine.State were not found")
	}
	for name, n := range methods {
		if n > 60 && !slices.Contains(routed, name) {
			t.Errorf("%s has %d methods of at most 60: give its parts types of their own", name, n)
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
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
