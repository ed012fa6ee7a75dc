package action

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"meldhall/engine/exact"
	"meldhall/tournament/rights"
)

// Kind describes all actions of a kind and their records. Pages, the API, the authorization matrix and the log use the
// registry of kinds.
type Kind struct {
	// Name is permanent, in records and in the API. log.action.NAME is its text.
	Name string
	// Right is the right that the action needs. With Own, the subject matters too (a player's own seat, a practice
	// table), and the action checks that in its transaction.
	Right rights.Right
	Own   bool
	// Guarded means that the action takes a secret (a password, a code, a PIN) or is open to the public. It is only
	// available at its own address, which limits the tries.
	Guarded bool
	// Final means that the action removes something that cannot be restored. The database is copied first, and pages
	// require typing the name.
	Final bool
	// Many means that everyone in a hall may perform the action at the same moment and that it is quick. Waiting
	// actions of the kind are committed together with the moves of games (game.Log.Together).
	Many bool
	// Changes lists the topics of the tournament that an action changes.
	Changes []What

	Details func() Details // returns empty details, to be filled from JSON; nil: no details
	decode  func(read func(into any) error) (Action, error)
	run     func(*Tx, Action) (any, error)
}

// Roles returns the roles that may perform the action everywhere.
func (k *Kind) Roles() []rights.Role { return rights.Holders(k.Right) }

// Does reports whether the kind has actions, rather than only records that follow from other actions.
func (k *Kind) Does() bool { return k.run != nil }

// ByKind reports whether officials may request the action by the name of its kind. Guarded actions have their own
// address.
func (k *Kind) ByKind() bool { return k.Does() && !k.Guarded && len(k.Roles()) > 0 }

// Decode reads an action of the kind from JSON, as API clients send it. It rejects unknown fields.
func (k *Kind) Decode(body []byte) (Action, error) {
	return k.decode(func(into any) error { return exact.Unmarshal(body, into) })
}

// Read is like Decode, but ignores unknown fields, because a form also contains fields of other actions.
func (k *Kind) Read(body []byte) (Action, error) {
	return k.decode(json.NewDecoder(bytes.NewReader(body)).Decode)
}

// Fill returns an action of the kind whose fields are filled by read. It passes read a pointer to the action.
func (k *Kind) Fill(read func(into any) error) (Action, error) { return k.decode(read) }

// kinds holds all kinds by name; each is defined in the file of its action. kindOf holds them by the type of the
// action.
var (
	kinds  = map[string]*Kind{}
	kindOf = map[reflect.Type]*Kind{}
)

// Kinds returns all kinds of actions and records, by name.
func Kinds() []*Kind {
	return slices.SortedFunc(maps.Values(kinds), func(a, b *Kind) int {
		return bytes.Compare([]byte(a.Name),
			[]byte(b.Name))
	})
}

// KindNamed returns the kind with a name, or nil.
func KindNamed(name string) *Kind { return kinds[name] }

// KindOf returns the kind of an action. It panics if the action's type is not registered.
func KindOf(a Action) *Kind {
	k := kindOf[reflect.TypeOf(a)]
	if k == nil {
		panic(fmt.Sprintf("a %T is not an action", a))
	}
	return k
}

// RecordKind registers a kind of records that follow from other actions. It panics if the kind's name is taken.
func RecordKind(k Kind) *Kind {
	if kinds[k.Name] != nil {
		panic("two kinds of actions have the name " + k.Name)
	}
	kinds[k.Name] = &k
	return &k
}

// NewKind registers the kind of the actions of type A, whose outcome is O. It panics if the kind's name is taken.
func NewKind[A ActionOf[O], O any](k Kind) *Kind {
	k.decode = func(read func(into any) error) (Action, error) {
		var a A
		if err := read(&a); err != nil {
			return nil, fmt.Errorf("read %s: %w", k.Name, err)
		}
		return a, nil
	}
	k.run = func(tx *Tx, a Action) (any, error) { return a.(ActionOf[O]).Do(tx) }
	made := RecordKind(k)
	kindOf[reflect.TypeFor[A]()] = made
	return made
}

// Keep returns empty details of type D. Keep[D] is the constructor to use for the field Details of a kind.
func Keep[D any, P interface {
	*D
	Details
}]() Details {
	return P(new(D))
}
