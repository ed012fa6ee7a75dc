// Package refuse makes the refusals of the event desk: errors for people, in no language.
package refuse

import "fmt"

// Kind is what sort of refusal an Error is; the edge makes a status of it.
type Kind string

// The kinds of refusals.
const (
	KindNotFound        Kind = "not_found"
	KindUnauthenticated Kind = "unauthenticated"
	KindForbidden       Kind = "forbidden"
	KindConflict        Kind = "conflict"
	KindInvalid         Kind = "invalid"
	KindTooMany         Kind = "too_many"
	KindBusy            Kind = "busy" // for the moment: Args has the seconds after which to come again
)

// Args are an error's arguments by name, as the texts name them. One that is an error itself is put into words with it.
type Args map[string]any

// Error is a refusal for people: a key that the edge translates (the locale files hold it under the
// same name), its arguments, and nothing changed.
type Error struct {
	Kind Kind
	Key  string
	Args Args
}

// Sentinels for errors.Is: any Error of the kind matches.
var (
	ErrNotFound        = &Error{Kind: KindNotFound}
	ErrUnauthenticated = &Error{Kind: KindUnauthenticated}
	ErrForbidden       = &Error{Kind: KindForbidden}
	ErrConflict        = &Error{Kind: KindConflict}
	ErrInvalid         = &Error{Kind: KindInvalid}
	ErrTooMany         = &Error{Kind: KindTooMany}
)

// New makes an Error. The arguments are given as name, value, name, value.
func New(kind Kind, key string, nameValues ...any) *Error {
	return &Error{Kind: kind, Key: key, Args: ArgsOf(nameValues...)}
}

// ArgsOf are arguments given as name, value, name, value; nil for none.
func ArgsOf(nameValues ...any) (args Args) {
	for i := 0; i+1 < len(nameValues); i += 2 {
		if args == nil {
			args = Args{}
		}
		args[fmt.Sprint(nameValues[i])] = nameValues[i+1]
	}
	return args
}

// NotFound refuses what is about something that is not there.
func NotFound(key string, nameValues ...any) *Error { return New(KindNotFound, key, nameValues...) }

// Unauthenticated refuses somebody who has not signed in, or not correctly.
func Unauthenticated(key string, nameValues ...any) *Error {
	return New(KindUnauthenticated, key, nameValues...)
}

// Forbidden refuses somebody who may not do it.
func Forbidden(key string, nameValues ...any) *Error { return New(KindForbidden, key, nameValues...) }

// Conflict refuses what cannot be done as things stand.
func Conflict(key string, nameValues ...any) *Error { return New(KindConflict, key, nameValues...) }

// Invalid refuses what could not be done at any time.
func Invalid(key string, nameValues ...any) *Error { return New(KindInvalid, key, nameValues...) }

// TooMany refuses what was asked for too often, or is there often enough.
func TooMany(key string, nameValues ...any) *Error { return New(KindTooMany, key, nameValues...) }

// Error is the key with the arguments, for logs; the text is the edge's.
func (e *Error) Error() string {
	if len(e.Args) == 0 {
		return e.Key
	}
	return fmt.Sprintf("%s %v", e.Key, map[string]any(e.Args))
}

// Is matches the sentinel of the kind, and an Error of the same key.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && (t.Key == "" || t.Key == e.Key)
}
