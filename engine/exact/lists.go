package exact

import (
	"encoding/json"
	"reflect"
	"strings"
)

// WithLists returns a value to be written as JSON in which no list and no map is null: one that has nothing is empty. Those that are left
// out when they are empty stay out. The value itself, which others may read at the same time, is not changed.
func WithLists(v any) any {
	if !lacks(reflect.ValueOf(v)) {
		return v
	}
	filled := reflect.New(reflect.TypeOf(v)).Elem()
	filled.Set(reflect.ValueOf(v))
	fill(filled)
	return filled.Interface()
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// plain reports whether a value of a type is written as a list of values; bytes are written as a text.
func plain(t reflect.Type) bool {
	return t.Elem().Kind() != reflect.Uint8 && !t.Implements(marshaler)
}

// lacks reports whether a list or a map is null in a value.
func lacks(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && lacks(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if lacksField(v, i) {
				return true
			}
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			if lacks(each.Value()) {
				return true
			}
		}
		return v.IsNil()
	case reflect.Slice, reflect.Array:
		switch v.Type().Elem().Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Map, reflect.Slice, reflect.Array:
			for i := range v.Len() {
				if lacks(v.Index(i)) {
					return true
				}
			}
		}
		return v.Kind() == reflect.Slice && v.IsNil() && plain(v.Type())
	}
	return false
}

// lacksField is lacks for a field of a struct, which may be hidden or left out.
func lacksField(v reflect.Value, i int) bool {
	f := v.Field(i)
	if !f.CanInterface() && (f.Kind() != reflect.Struct || !v.Type().Field(i).Anonymous) {
		return false // hidden; a struct that is embedded may hold fields that are not
	}
	if !lacks(f) {
		return false
	}
	name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
	null := (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.IsNil()
	return !(name == "-" && options == "") && !(null && strings.Contains(options, "omit"))
}

// fill replaces what lacks in a value that can be set. What the value refers to is copied first.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(v.Elem())
		fill(c.Elem())
		v.Set(c)
	case reflect.Interface:
		v.Set(reflect.ValueOf(WithLists(v.Interface())))
	case reflect.Struct:
		for i := range v.NumField() {
			if lacksField(v, i) {
				fill(v.Field(i))
			}
		}
	case reflect.Map:
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for each := v.MapRange(); each.Next(); {
			one := reflect.New(v.Type().Elem()).Elem()
			one.Set(each.Value())
			fillLacking(one)
			c.SetMapIndex(each.Key(), one)
		}
		v.Set(c)
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fillLacking(v.Index(i))
		}
	}
}

func fillLacking(v reflect.Value) {
	if lacks(v) {
		fill(v)
	}
}
