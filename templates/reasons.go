package templates

import (
	"context"
	"strings"

	"meldhall/engine"
)

// reasonsFor are the canned reasons of a ruling, the usual one first.
func reasonsFor(ruling string) []engine.RulingReason {
	kind, _ := engine.RulingKindNamed(ruling)
	return kind.Reasons
}

// cannedMark stands before the code of a canned reason in a ruling's reason; free text may follow after a space.
const cannedMark = "@"

// PackReason writes a canned reason, a free text, or both, as a ruling keeps them. An unknown code is left out.
func PackReason(code, text string) string {
	text = strings.TrimPrefix(strings.TrimSpace(text), cannedMark)
	if code == "" || !HasText("reason."+code) {
		return text
	}
	return strings.TrimSpace(cannedMark + code + " " + text)
}

// ReasonWords is a ruling's reason in the reader's language: the canned part translated, free text as it was written.
func ReasonWords(ctx context.Context, reason string) string {
	packed, ok := strings.CutPrefix(reason, cannedMark)
	code, text, _ := strings.Cut(packed, " ")
	switch {
	case !ok:
		return reason
	case !HasText("reason." + code):
		return packed
	case text == "":
		return T(ctx, "reason."+code)
	}
	return T(ctx, "reason."+code) + " " + isolate(text)
}
