package door

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

// Kind is what is true of all actions of a kind, and of their records. The registry of kinds is where pages, the interface for
// programs, the authorization matrix and the log read it.
type Kind struct {
	// Name is the same for ever, in records and for programs; log.action.NAME is its text.
	Name string
	// Right is what somebody needs to do it. With Own the place decides as well (a player's own seat, a practice table), which
	// the action asks in its transaction.
	Right rights.Right
	Own   bool
	// Guarded says that it takes a secret (a password, a code, a PIN) or is open to the public: it is asked for at its own address
	// alone, which bounds the tries.
	Guarded bool
	// Final says that what it takes away does not come back: a copy of the database is made before, and pages have the name typed.
	Final bool
	// Many says that a whole hall does it at once, and that it takes little time: those that wait are committed together, and with what is
	// played (Games.Together).
	Many bool
	// Changes is what of the event an action changes.
	Changes []What

	Details func() Details // what its records keep, to be filled from JSON; nil for nothing
	decode  func(read func(into any) error) (Action, error)
	run     func(*Tx, Action) (any, error)
}

// Roles are those who may do it anywhere.
func (k *Kind) Roles() []rights.Role { return rights.Holders(k.Right) }

// Does tells whether it is an action; else it is a record of what follows from one.
func (k *Kind) Does() bool { return k.run != nil }

// ByKind tells whether an official may ask for it by its kind alone; what is guarded has an address of its own.
func (k *Kind) ByKind() bool { return k.Does() && !k.Guarded && len(k.Roles()) > 0 }

// Decode reads an action of the kind from JSON, as programs send it. Fields that it does not have are refused.
func (k *Kind) Decode(body []byte) (Action, error) {
	return k.decode(func(into any) error { return exact.Unmarshal(body, into) })
}

// Read is Decode without refusing fields that the action does not have: a form has those of others too.
func (k *Kind) Read(body []byte) (Action, error) {
	return k.decode(json.NewDecoder(bytes.NewReader(body)).Decode)
}

// Fill makes an action of the kind from whatever fills its fields, given as a pointer to it.
func (k *Kind) Fill(read func(into any) error) (Action, error) { return k.decode(read) }

// kinds are all kinds by name. Each stands in the file of its action. kindOf finds that of an action by its type.
var (
	kinds  = map[string]*Kind{}
	kindOf = map[reflect.Type]*Kind{}
)

// Kinds are all kinds of actions and records, by name.
func Kinds() []*Kind {
	return slices.SortedFunc(maps.Values(kinds), func(a, b *Kind) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
}

// KindNamed is the kind of a name, nil for none.
func KindNamed(name string) *Kind { return kinds[name] }

// KindOf is the kind of an action.
func KindOf(a Action) *Kind {
	k := kindOf[reflect.TypeOf(a)]
	if k == nil {
		panic(fmt.Sprintf("a %T is not an action", a))
	}
	return k
}

// RecordKind makes a kind of records that follow from other actions.
func RecordKind(k Kind) *Kind {
	if kinds[k.Name] != nil {
		panic("two kinds are named " + k.Name)
	}
	kinds[k.Name] = &k
	return &k
}

// NewKind makes the kind of the actions of type A, whose outcome is O.
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

// Keep makes the details of type D, for the field Details of a kind.
func Keep[D any, P interface {
	*D
	Details
}]() Details {
	return P(new(D))
}
