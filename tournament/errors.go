package tournament

import "fmt"

// Kind is what sort of refusal an Error is; the edge makes a status of it.
type Kind string

// The kinds of refusals.
const (
	NotFound        Kind = "not_found"
	Unauthenticated Kind = "unauthenticated"
	Forbidden       Kind = "forbidden"
	Conflict        Kind = "conflict"
	Invalid         Kind = "invalid"
	TooMany         Kind = "too_many"
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
	ErrNotFound        = &Error{Kind: NotFound}
	ErrUnauthenticated = &Error{Kind: Unauthenticated}
	ErrForbidden       = &Error{Kind: Forbidden}
	ErrConflict        = &Error{Kind: Conflict}
	ErrInvalid         = &Error{Kind: Invalid}
	ErrTooMany         = &Error{Kind: TooMany}
)

// Refuse makes an Error. The arguments are given as name, value, name, value.
func Refuse(kind Kind, key string, nameValues ...any) *Error {
	e := &Error{Kind: kind, Key: key}
	for i := 0; i+1 < len(nameValues); i += 2 {
		if e.Args == nil {
			e.Args = Args{}
		}
		e.Args[fmt.Sprint(nameValues[i])] = nameValues[i+1]
	}
	return e
}

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
