// Package refuse defines the refusals shown to people: errors with a text key instead of a text in a language.
package refuse

import "fmt"

// Kind is the kind of a refusal; package web maps it to a status code.
type Kind string

// The kinds of refusals.
const (
	KindNotFound        Kind = "not_found"
	KindUnauthenticated Kind = "unauthenticated"
	KindForbidden       Kind = "forbidden"
	KindConflict        Kind = "conflict"
	KindInvalid         Kind = "invalid"
	KindTooMany         Kind = "too_many"
	KindBusy            Kind = "busy" // temporary: Args holds the seconds after which to retry
)

// Args holds an error's arguments by the names that the texts use. An argument that is itself an error is translated
// too.
type Args map[string]any

// Error is a refusal shown to people; nothing was changed. It has the key of a text in the locale files, and its
// arguments.
type Error struct {
	Kind Kind
	Key  string
	Args Args
}

// Sentinels for errors.Is: they match any Error of their kind.
var (
	ErrNotFound        = &Error{Kind: KindNotFound}
	ErrUnauthenticated = &Error{Kind: KindUnauthenticated}
	ErrForbidden       = &Error{Kind: KindForbidden}
	ErrConflict        = &Error{Kind: KindConflict}
	ErrInvalid         = &Error{Kind: KindInvalid}
	ErrTooMany         = &Error{Kind: KindTooMany}
)

// New returns an Error. The arguments alternate between name and value.
func New(kind Kind, key string, nameValues ...any) *Error {
	return &Error{Kind: kind, Key: key, Args: ArgsOf(nameValues...)}
}

// ArgsOf returns arguments given alternately as name and value, or nil for none.
func ArgsOf(nameValues ...any) (args Args) {
	for i := 0; i+1 < len(nameValues); i += 2 {
		if args == nil {
			args = Args{}
		}
		args[fmt.Sprint(nameValues[i])] = nameValues[i+1]
	}
	return args
}

// NotFound returns the error for something that does not exist.
func NotFound(key string, nameValues ...any) *Error { return New(KindNotFound, key, nameValues...) }

// Unauthenticated returns the error for a client that has not signed in, or not correctly.
func Unauthenticated(key string, nameValues ...any) *Error {
	return New(KindUnauthenticated, key, nameValues...)
}

// Forbidden returns the error for an actor who may not do this.
func Forbidden(key string, nameValues ...any) *Error { return New(KindForbidden, key, nameValues...) }

// Conflict returns the error for a request that is impossible in the current state.
func Conflict(key string, nameValues ...any) *Error { return New(KindConflict, key, nameValues...) }

// Invalid returns the error for a request that is impossible in any state.
func Invalid(key string, nameValues ...any) *Error { return New(KindInvalid, key, nameValues...) }

// TooMany returns the error for a request that was made too often, or for something of which there are enough.
func TooMany(key string, nameValues ...any) *Error { return New(KindTooMany, key, nameValues...) }

// Error returns the key with the arguments, for logs. Package web translates it.
func (e *Error) Error() string {
	if len(e.Args) == 0 {
		return e.Key
	}
	return fmt.Sprintf("%s %v", e.Key, map[string]any(e.Args))
}

// Is reports whether target is the sentinel of the error's kind, or an Error with the same kind and key.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && (t.Key == "" || t.Key == e.Key)
}
