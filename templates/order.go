package templates

import (
	"context"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// NameOrder returns a case-insensitive comparison of names in the collation order of the context's language. The
// returned function is not safe for concurrent use.
func NameOrder(ctx context.Context) func(a, b string) int {
	return collate.New(language.Make(LanguageOf(ctx).Tag), collate.IgnoreCase).CompareString
}
