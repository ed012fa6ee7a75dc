package templates

import (
	"context"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// NameOrder compares names as the context's language orders them, whatever their case; it is for one goroutine.
func NameOrder(ctx context.Context) func(a, b string) int {
	return collate.New(language.Make(LanguageOf(ctx).Tag), collate.IgnoreCase).CompareString
}
