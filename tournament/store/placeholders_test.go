package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlaceholdersAreNumbered checks that the statements that run without gorm number their placeholders, which both
// databases accept. Only SQLite accepts a question mark, and most tests run on SQLite only.
func TestPlaceholdersAreNumbered(t *testing.T) {
	without := []string{"QueryContext", "QueryRowContext", "ExecContext", "PrepareContext", "EachRow", "IDs"}
	checked := 0
	for _, root := range []string{"..", "../../web", "../../cmd/meldhall", "../../cmd/internal"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				if to, is := call.Fun.(*ast.SelectorExpr); !is || !slices.Contains(without, to.Sel.Name) {
					return true
				}
				checked++
				for _, arg := range call.Args {
					ast.Inspect(arg, func(n ast.Node) bool {
						text, is := n.(*ast.BasicLit)
						if is && text.Kind == token.STRING && strings.Contains(text.Value, "?") {
							t.Errorf("%s: the placeholders have no numbers", files.Position(text.Pos()))
						}
						_, inner := n.(*ast.FuncLit)
						return !inner
					})
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 100 {
		t.Errorf("only %d statements were found", checked)
	}
}
