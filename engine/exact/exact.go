// Package exact checks the member names of JSON against the Go types that it is decoded into. encoding/json accepts a
// name in any case, and uses the last of two members with the same name. This package requires each name to be written
// as in the field's tag and to occur once.
package exact

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// NameError reports a member with a wrong name.
type NameError struct {
	Path string // of the object around it, such as entrants[2]; empty for the outermost
	Name string
	Why  string
}

// Error names the member first.
func (e *NameError) Error() string { return fmt.Sprintf("field %q: %s", e.Field(), e.Why) }

// Field returns the member's name with the path to it.
func (e *NameError) Field() string {
	if e.Path == "" {
		return e.Name
	}
	return e.Path + "." + e.Name
}

// Unmarshal is json.Unmarshal with a check of all names. It refuses unknown names as well.
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if errors.As(err, new(*json.SyntaxError)) {
		return err
	}
	// This comes first, so that a wrong name is reported before a value of a wrong type.
	if wrong := new(Names).Check(data, reflect.TypeOf(v).Elem(), true); wrong != nil {
		return wrong
	}
	return err
}

// Names checks the names of members. It caches the types, and is not safe for concurrent use.
type Names struct {
	shapes map[reflect.Type]*shape
}

// shape holds the names that a type allows in JSON. A nil shape allows every name. It stands for the type any, for
// basic types and for types with their own unmarshaler.
type shape struct {
	names  map[string]int // index in values, by member of an object
	values []*shape
	each   *shape // of the values of a list or a map
}

// Check checks the names in data, which encoding/json can decode into a value of type t. It refuses a name in another
// case and a name that occurs twice, and if known is set, also an unknown name.
func (n *Names) Check(data []byte, t reflect.Type, known bool) error {
	c := checker{data: data, known: known}
	if err := c.value(n.shape(t)); err != nil {
		return err
	}
	return nil
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textual     = reflect.TypeFor[interface{ UnmarshalText([]byte) error }]()
)

func (n *Names) shape(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if p := reflect.PointerTo(t); p.Implements(unmarshaler) || p.Implements(textual) {
		return nil
	}
	if s, ok := n.shapes[t]; ok {
		return s
	}
	var s *shape
	keep := func() *shape { // cached before its parts, since a type may contain itself
		if n.shapes == nil {
			n.shapes = map[reflect.Type]*shape{}
		}
		s = &shape{}
		n.shapes[t] = s
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		keep().names = map[string]int{}
		n.fields(s, t)
	case reflect.Slice, reflect.Array, reflect.Map:
		keep().each = n.shape(t.Elem())
	}
	return s
}

// fields adds the fields of a struct and of the structs that it embeds. A field hides deeper ones of the same name.
func (n *Names) fields(s *shape, t reflect.Type) {
	var inside []reflect.Type
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case name == "-":
		case f.Anonymous && name == "" && embedded.Kind() == reflect.Struct:
			inside = append(inside, embedded)
		case f.IsExported():
			if name == "" {
				name = f.Name
			}
			if _, taken := s.names[name]; !taken {
				s.names[name] = len(s.values)
				s.values = append(s.values, n.shape(f.Type))
			}
		}
	}
	for _, t := range inside {
		n.fields(s, t)
	}
}

// checker walks through valid JSON.
type checker struct {
	data  []byte
	at    int
	known bool
}

func (c *checker) space() {
	for c.at < len(c.data) && strings.IndexByte(" \t\r\n", c.data[c.at]) >= 0 {
		c.at++
	}
}

// text skips a string. It returns the bytes between the quotes, and whether any of them are escaped.
func (c *checker) text() (inside []byte, escaped bool) {
	c.at++
	for from := c.at; c.at < len(c.data); c.at++ {
		switch c.data[c.at] {
		case '\\':
			c.at++
			escaped = true
		case '"':
			c.at++
			return c.data[from : c.at-1], escaped
		}
	}
	return nil, false
}

func (c *checker) value(s *shape) *NameError {
	c.space()
	if c.at >= len(c.data) {
		return nil
	}
	switch c.data[c.at] {
	case '{':
		return c.object(s)
	case '[':
		return c.list(s)
	case '"':
		c.text()
	default:
		for c.at < len(c.data) && strings.IndexByte(",]} \t\r\n", c.data[c.at]) < 0 {
			c.at++
		}
	}
	return nil
}

// more skips the comma or the end after a value, and reports whether another value follows.
func (c *checker) more(end byte) bool {
	c.space()
	if c.at >= len(c.data) {
		return false
	}
	c.at++
	return c.data[c.at-1] != end
}

// empty skips the start of an object or a list, and if it is empty, also its end. It reports whether it is empty.
func (c *checker) empty(end byte) bool {
	c.at++
	c.space()
	if c.at < len(c.data) && c.data[c.at] == end {
		c.at++
		return true
	}
	return false
}

func (c *checker) list(s *shape) *NameError {
	var each *shape
	if s != nil {
		each = s.each
	}
	if c.empty(']') {
		return nil
	}
	for i := 0; ; i++ {
		if err := c.value(each); err != nil {
			return err.in(fmt.Sprintf("[%d]", i))
		}
		if !c.more(']') {
			return nil
		}
	}
}

func (c *checker) object(s *shape) *NameError {
	if c.empty('}') {
		return nil
	}
	var seen [4]uint64 // bits of the first 256 fields
	var names map[string]bool
	for {
		c.space()
		raw, escaped := c.text()
		name := raw
		if escaped {
			var text string
			if json.Unmarshal(c.data[c.at-len(raw)-2:c.at], &text) == nil {
				name = []byte(text)
			}
		}
		of, twice := (*shape)(nil), false
		switch i, field := s.member(name); {
		case field && i < 64*len(seen):
			of, twice = s.values[i], seen[i/64]>>(i%64)&1 != 0
			seen[i/64] |= 1 << (i % 64)
		default:
			if err := c.unknown(s, string(name)); err != nil {
				return err
			}
			if s != nil {
				of = s.each
			}
			if names == nil {
				names = map[string]bool{}
			}
			twice = names[string(name)]
			names[string(name)] = true
		}
		if twice {
			return &NameError{Name: string(name), Why: "is there twice"}
		}
		c.space()
		c.at++ // the colon
		if err := c.value(of); err != nil {
			return err.in(string(name))
		}
		if !c.more('}') {
			return nil
		}
	}
}

// member returns the index of a name in s.values. The result is false if the type has no such field.
func (s *shape) member(name []byte) (int, bool) {
	if s == nil {
		return 0, false
	}
	i, ok := s.names[string(name)]
	return i, ok
}

// unknown returns an error for a name that a struct does not have, if the name differs from a field's only in case or
// if c.known is set. It returns nil for values other than structs.
func (c *checker) unknown(s *shape, name string) *NameError {
	if s == nil || s.names == nil {
		return nil
	}
	for field := range s.names {
		if strings.EqualFold(field, name) {
			return &NameError{Name: name, Why: fmt.Sprintf("unknown field; it is written %q", field)}
		}
	}
	if c.known {
		return &NameError{Name: name, Why: "unknown field"}
	}
	return nil
}

// in prepends a step to the path.
func (e *NameError) in(step string) *NameError {
	switch {
	case e.Path == "":
		e.Path = step
	case e.Path[0] == '[':
		e.Path = step + e.Path
	default:
		e.Path = step + "." + e.Path
	}
	return e
}
