package exact

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

type inner struct {
	ID   json.RawMessage `json:"id"`
	Name string          `json:"name"`
}

type Embedded struct {
	Turn int `json:"turn"`
}

type outer struct {
	Embedded
	Key    string           `json:"key"`
	List   []inner          `json:"list"`
	Map    map[string]inner `json:"map"`
	One    *inner           `json:"one"`
	Any    any              `json:"any"`
	Same   *outer           `json:"same"`
	Plain  int
	Hidden int `json:"-"`
}

func TestUnmarshalTakesNamesAsTheyAreWritten(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{`{}`, ""},
		{`{"turn":1,"key":"a","list":[{"id":1,"name":"x"},{"id":2}],"map":{"A":{"id":1},"a":{}},"one":null,
			"any":{"x":1,"X":2},"same":{"turn":2},"Plain":1}`, ""},
		{` { "key" : "a\"b\\" , "list" : [ ] } `, ""},
		{`{"\u006bey":"a"}`, ""},
		{`{"Key":"a"}`, `field "Key": unknown field; it is written "key"`},
		{`{"TURN":1}`, `field "TURN": unknown field; it is written "turn"`},
		{`{"plain":1}`, `field "plain": unknown field; it is written "Plain"`},
		{`{"\u212aey":"a"}`, "field \"\u212aey\": unknown field; it is written \"key\""},
		{`{"hidden":1}`, `field "hidden": unknown field`},
		{`{"other":1}`, `field "other": unknown field`},
		{`{"key":"a","key":"b"}`, `field "key": is there twice`},
		{`{"key":"a","\u006bey":"b"}`, `field "key": is there twice`},
		{`{"list":[{"id":1},{"ID":2}]}`, `field "list[1].ID": unknown field; it is written "id"`},
		{`{"list":[{"id":{"a":1,"a":2}}]}`, `field "list[0].id.a": is there twice`},
		{`{"map":{"a":{},"a":{}}}`, `field "map.a": is there twice`},
		{`{"map":{"a":{"Name":"x"}}}`, `field "map.a.Name": unknown field; it is written "name"`},
		{`{"any":[[{"x":{"y":1,"y":2}}]]}`, `field "any[0][0].x.y": is there twice`},
		{`{"same":{"same":{"Turn":1}}}`, `field "same.same.Turn": unknown field; it is written "turn"`},
		{`{"one":{"name":"}","id":"{"},"one":null}`, `field "one": is there twice`},
	} {
		got := ""
		if err := Unmarshal([]byte(row.text), new(outer)); err != nil {
			got = err.Error()
			if !errors.As(err, new(*NameError)) {
				t.Errorf("%s: %v", row.text, err)
			}
		}
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.text, got, row.want)
		}
	}
}

// TestCheckOfOthersFields checks that, with unknown fields allowed, Check refuses only names that encoding/json would
// match to a field.
func TestCheckOfOthersFields(t *testing.T) {
	for text, wrong := range map[string]bool{`{"id":1,"other":2}`: false, `{"Id":1}`: true,
		`{"other":1,"other":2}`: true} {
		if err := new(Names).Check([]byte(text), reflect.TypeFor[inner](), false); (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzUnmarshal checks that any JSON can be checked, and that a value that passes has the same names when it is encoded
// again.
func FuzzUnmarshal(f *testing.F) {
	f.Add(`{"list":[{"id":{"a":[1,"]"]}}],"map":{"":{}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var v outer
		if Unmarshal([]byte(text), &v) != nil {
			return
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w outer
		if err := Unmarshal(again, &w); err != nil {
			t.Errorf("%s became %s: %v", text, again, err)
		}
	})
}
