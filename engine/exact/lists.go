package exact

import (
	"encoding/json"
	"reflect"
	"strings"
)

// WithLists returns v for encoding as JSON without null lists and maps: they become empty ones. Fields with omitempty
// stay out. It does not change v, which other goroutines may read at the same time.
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

// plain reports whether JSON encodes a type as a list; bytes become a string.
func plain(t reflect.Type) bool {
	return t.Elem().Kind() != reflect.Uint8 && !t.Implements(marshaler)
}

// lacks reports whether a value contains a null list or map.
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

// lacksField is lacks for a field of a struct. It skips fields that the encoding leaves out.
func lacksField(v reflect.Value, i int) bool {
	f := v.Field(i)
	if !f.CanInterface() && (f.Kind() != reflect.Struct || !v.Type().Field(i).Anonymous) {
		return false // unexported; an embedded struct may still have exported fields
	}
	if !lacks(f) {
		return false
	}
	name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
	null := (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.IsNil()
	return !(name == "-" && options == "") && !(null && strings.Contains(options, "omit"))
}

// fill replaces the null lists and maps in a settable value. It copies what the value refers to first.
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
