package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"meldhall/tournament/action/actiontest"
)

// schema is the subset of JSON Schema that schema.json uses.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Const      any                `json:"const"`
	Enum       []any              `json:"enum"`
	Pattern    string             `json:"pattern"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Additional *bool              `json:"additionalProperties"`
	Defs       map[string]*schema `json:"$defs"`

	Schema             string `json:"$schema"`
	Title, Description string
}

// faults returns what does not match the schema in a value.
func (s *schema) faults(root *schema, at string, v any) (all []string) {
	fault := func(format string, args ...any) { all = append(all, at+": "+fmt.Sprintf(format, args...)) }
	if s.Ref != "" {
		s = root.Defs[s.Ref[len("#/$defs/"):]]
	}
	if !s.hasType(v) {
		fault("%T is no %v", v, s.Type)
	}
	if s.Const != nil && !reflect.DeepEqual(s.Const, v) || s.Enum != nil && !slices.Contains(s.Enum, v) {
		fault("%v", v)
	}
	if text, is := v.(string); is && !regexp.MustCompile(s.Pattern).MatchString(text) {
		fault("%q", text)
	}
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			if s.Items != nil {
				all = append(all, s.Items.faults(root, fmt.Sprintf("%s[%d]", at, i), one)...)
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, is := v[name]; !is {
				fault("%s is missing", name)
			}
		}
		for name, one := range v {
			if p := s.Properties[name]; p != nil {
				all = append(all, p.faults(root, at+"."+name, one)...)
			} else if s.Additional != nil && !*s.Additional {
				fault("%s is not known", name)
			}
		}
	}
	return all
}

func (s *schema) hasType(v any) bool {
	types, several := s.Type.([]any)
	if !several {
		types = []any{s.Type}
	}
	n, number := v.(float64)
	is := []any{nil}
	switch v.(type) {
	case nil:
		is = []any{"null"}
	case string:
		is = []any{"string"}
	case bool:
		is = []any{"boolean"}
	case []any:
		is = []any{"array"}
	case map[string]any:
		is = []any{"object"}
	}
	if number {
		is = []any{"number"}
		if n == float64(int64(n)) {
			is = append(is, "integer")
		}
	}
	return s.Type == nil || slices.ContainsFunc(types, func(t any) bool { return slices.Contains(is, t) })
}

// TestSchema checks that every file of archives of all kinds matches data/record/schema.json, which describes every written column.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("../../data/record/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root schema
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		def := root.Defs[p.table]
		if def == nil || !slices.Equal(def.Required, p.carry) || len(def.Properties) != len(p.carry) {
			t.Errorf("the schema of %s has not the columns %v", p.table, p.carry)
		}
	}
	h := hallAt(t, actiontest.ServedDesk(t))
	whole, _ := h.packed(h.whole(7))
	other := newHall(t)
	empty, _ := other.packed(other.event(0))
	for _, a := range []*Archive{whole, empty} {
		for name, data := range a.files {
			place, values := name, [][]byte{data}
			if gameNames.MatchString(name) {
				place = "games/"
			}
			if name == actionsName {
				values = slices.Collect(bytes.Lines(data))
			}
			for _, data := range values {
				var v any
				if err := json.Unmarshal(data, &v); err != nil {
					t.Fatal(name, err)
				}
				for _, fault := range root.Properties[place].faults(&root, name, v) {
					t.Error(fault)
				}
			}
		}
	}
}
