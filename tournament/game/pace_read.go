package game

import (
	"strings"
)

// KindList formats kinds of events for a query.
func KindList(kinds []string) string { return "('" + strings.Join(kinds, "', '") + "')" }
