package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed lists what the engine may import. io is for io.EOF, time for Time and Duration, sync for Pool; see only.
var allowed = strings.Fields(`bytes cmp crypto/hmac crypto/sha256 encoding/binary encoding/hex encoding/json
	errors fmt io iter maps math math/bits reflect slices sort strconv strings sync time unicode unicode/utf8
	meldhall/engine meldhall/engine/exact meldhall/engine/judge meldhall/engine/ruleset meldhall/engine/score
	meldhall/engine/shuffle meldhall/engine/solve meldhall/engine/tile`)

// only lists, for some packages, the identifiers that may be used. A Pool is the only package variable that changes: it
// lends a search the working memory of an earlier one. The search empties that memory first, so no answer can depend on
// it.
var only = map[string][]string{
	"io":   {"EOF"},
	"sync": {"Pool"},
	"time": {"Time", "Duration", "Second", "Millisecond", "UnixMilli"},
	"fmt":  {"Sprintf", "Sprint", "Errorf", "Stringer", "Appendf", "Append"},
}

// TestEngineIsPure checks the source: no I/O, clock, randomness, goroutine or logger, and no package variable that
// could be written to.
func TestEngineIsPure(t *testing.T) {
	files := 0
	for _, dir := range []string{".", "tile", "solve", "bot", "audit", "exact", "judge", "ruleset", "score", "shuffle",
		"steps"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var parsed []*ast.File
		fset := token.NewFileSet()
		for _, entry := range entries {
			name := entry.Name()
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		files += len(parsed)
		for _, fault := range impurities(fset, parsed) {
			t.Error(fault)
		}
	}
	if files < 15 {
		t.Errorf("only %d files read", files)
	}
}

func TestImpuritiesAreFound(t *testing.T) {
	for source, want := range map[string]string{
		`import "os"`:                                             `imports "os"`,
		`import "math/rand"`:                                      `imports "math/rand"`,
		`import r "math/rand/v2"`:                                 `imports "math/rand/v2"`,
		`import "time"; func f() { time.Now() }`:                  "uses time.Now",
		`import "fmt"; func f() { fmt.Println() }`:                "uses fmt.Println",
		`import "io"; var f io.Writer`:                            "uses io.Writer",
		`import "sync"; var m = sync.Mutex{}`:                     "uses sync.Mutex",
		`import "sync"; var f = sync.OnceValue(g)`:                "uses sync.OnceValue",
		`import "sync"; var p = sync.Pool{}; func f() { _ = &p }`: "gives away the address of p",
		`func f() { go f() }`:                                     "starts a goroutine",
		`func f(c chan int) { c <- 1 }`:                           "uses a channel",
		`func init() {}`:                                          "has an init",
		`var counter int`:                                         "variable counter may be written to",
		`var memo = map[int]int{}; func f() { memo[1] = 2 }`:      "writes to memo",
		`var memo [3]int; func f() { memo[1]++ }`:                 "writes to memo",
		`var memo = []int{1}; func f() { clear(memo) }`:           "writes to memo",
		`var memo = []int{1}; func f() { memo = nil }`:            "writes to memo",
		`var memo = []int{1}; func f() *int { return &memo[0] }`:  "gives away the address of memo",
	} {
		faults := impuritiesOf(t, source)
		if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, want) }) {
			t.Errorf("%s: found %q, want %q", source, faults, want)
		}
	}
	for what, pure := range map[string]string{
		"an error and a table": `import "errors"; var ErrX = errors.New("x"); var table = build(); func build() [2]int { return [2]int{} }`,
		"working memory":       `import "sync"; var scratch = sync.Pool{New: func() any { return new([9]int) }}; func f() { scratch.Put(scratch.Get()) }`,
	} {
		if faults := impuritiesOf(t, pure); faults != nil {
			t.Errorf("%s: %q", what, faults)
		}
	}
}

func impuritiesOf(t *testing.T, source string) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", "package x\n"+source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return impurities(fset, []*ast.File{file})
}

// impurities returns the impure parts of the files of one package.
func impurities(fset *token.FileSet, files []*ast.File) (faults []string) {
	report := func(n ast.Node, what string) { faults = append(faults, fset.Position(n.Pos()).String()+" "+what) }
	var variables []string
	for _, file := range files {
		variables = append(variables, packageVariables(file, report)...)
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if !slices.Contains(allowed, name) || spec.Name != nil {
				report(spec, "imports "+spec.Path.Value+" in a way that is not allowed")
			}
		}
	}
	for _, file := range files {
		inspect(file, variables, report)
	}
	return faults
}

func inspect(file *ast.File, variables []string, report func(ast.Node, string)) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			report(n, "starts a goroutine")
		case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
			report(n, "uses a channel")
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				report(n, "has an init")
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && only[pkg.Name] != nil &&
				!slices.Contains(only[pkg.Name], n.Sel.Name) {
				report(n, "uses "+pkg.Name+"."+n.Sel.Name)
			}
		}
		if name := written(n); slices.Contains(variables, name) {
			report(n, "writes to "+name)
		}
		if name := addressed(n); slices.Contains(variables, name) {
			report(n, "gives away the address of "+name)
		}
		return true
	})
}

// packageVariables returns the package variables of a file. Each must have an initial value, so that it can be a table
// or an error.
func packageVariables(file *ast.File, report func(ast.Node, string)) (names []string) {
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			value := spec.(*ast.ValueSpec)
			for _, name := range value.Names {
				names = append(names, name.Name)
				if len(value.Values) == 0 {
					report(value, "variable "+name.Name+" may be written to: it has no value")
				}
			}
		}
	}
	return names
}

// written returns the variable at the root of what a node assigns to, copies to, deletes from or clears.
func written(n ast.Node) string {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return ""
		}
		for _, left := range n.Lhs {
			if name := root(left); name != "" && name != "_" {
				return name
			}
		}
	case *ast.IncDecStmt:
		return root(n.X)
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 &&
			slices.Contains([]string{"clear", "delete", "copy"}, f.Name) {
			return root(n.Args[0])
		}
	}
	return ""
}

func addressed(n ast.Node) string {
	if unary, ok := n.(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return root(unary.X)
	}
	return ""
}

func root(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.SliceExpr:
		return root(e.X)
	case *ast.ParenExpr:
		return root(e.X)
	case *ast.SelectorExpr:
		return root(e.X)
	}
	return ""
}
