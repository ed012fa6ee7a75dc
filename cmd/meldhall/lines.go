package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"meldhall/engine/exact"
	"meldhall/engine/ruleset"
)

// maxLine limits an input line to far more than any position needs.
const maxLine = 1 << 20

// errBadLines is returned after all lines have been answered, so that the exit status is 1.
var errBadLines = errors.New("some lines could not be read; see the errors in the output")

// fieldError names the invalid field of an input line.
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string { return fmt.Sprintf("field %q: %v", e.field, e.err) }

func (e *fieldError) Unwrap() error { return e.err }

var errLongLine = fmt.Errorf("the line is longer than %d bytes", maxLine)

// withoutMark returns a reader without the byte order mark that some editors write at the beginning of a file.
func withoutMark(in io.Reader) io.Reader {
	return transform.NewReader(in, unicode.BOMOverride(transform.Nop))
}

// nextLine reads one line into buf without its line ending. It returns io.EOF if there is none, and errLongLine for a
// line that is too long, which it skips.
func nextLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(buf)+len(part) > maxLine; !long {
			buf = append(buf, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(buf) == 0 && !long, err != nil && err != io.EOF:
			return nil, err
		case long:
			return buf[:0], errLongLine
		}
		return bytes.TrimRight(buf, "\r\n"), nil
	}
}

// readLine decodes a JSON object into the struct that into points to. Only fields tagged omitempty are optional. For an
// unknown field, a missing field or a wrong type, it returns a *fieldError.
func readLine(line []byte, into any) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return fmt.Errorf("not a JSON object: %w", lineCause(line, err))
	}
	if err := exact.Unmarshal(line, &fields); err != nil {
		return nameError("", err)
	}
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		raw, there := fields[name]
		delete(fields, name)
		if !there || string(raw) == "null" {
			if options != "omitempty" {
				return &fieldError{name, errors.New("missing")}
			}
			continue
		}
		if err := exact.Unmarshal(raw, v.Field(i).Addr().Interface()); err != nil {
			return nameError(name, err)
		}
	}
	if len(fields) > 0 {
		return exact.Unmarshal(line, into) // returns an error that names the unknown field
	}
	return nil
}

// nameError returns a fieldError for a member inside field, or for the field itself.
func nameError(field string, err error) error {
	var wrong *exact.NameError
	switch {
	case !errors.As(err, &wrong):
		return &fieldError{field, fieldCause(err)}
	case field == "":
		return &fieldError{wrong.Field(), errors.New(wrong.Why)}
	case strings.HasPrefix(wrong.Path, "["):
		return &fieldError{field + wrong.Field(), errors.New(wrong.Why)}
	}
	return &fieldError{field + "." + wrong.Field(), errors.New(wrong.Why)}
}

// lineCause explains why a line is not a JSON object.
func lineCause(line []byte, err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return errors.New("the line is empty")
	case errors.As(err, &wrong):
		return fmt.Errorf("it has type %s", wrong.Value)
	}
	return err
}

// fieldCause explains a JSON error to people who do not know Go.
func fieldCause(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if number, ok := strings.CutPrefix(wrong.Value, "number "); ok {
			return fmt.Errorf("%s must be a whole number%s", number, wholeRange(wrong.Type))
		}
		return fmt.Errorf("must be %s, not of type %s", jsonKind(wrong.Type), wrong.Value)
	}
	return err
}

// wholeRange describes the range of an integer type.
func wholeRange(t reflect.Type) string {
	if t.Kind() != reflect.Int && t.Kind() != reflect.Int64 {
		return ""
	}
	most := int64(1)<<(t.Bits()-1) - 1
	return fmt.Sprintf(" from %d to %d", -most-1, most)
}

func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Bool:
		return "true or false"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.String, reflect.Uint8: // a face is a text
		return "a string"
	}
	return "a number"
}

// ruleNames resolves a line's rules to a rule set. A line's rules are a preset's name, or an object of changed fields
// and the preset that they apply to, wrc by default.
type ruleNames map[string]ruleset.Ruleset

func (known ruleNames) ruleset(raw json.RawMessage) (ruleset.Ruleset, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return known.preset("rules", name)
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return ruleset.Ruleset{}, &fieldError{"rules",
			errors.New("must be the name of a preset or an object of fields")}
	}
	name = "wrc"
	if preset, ok := fields["preset"]; ok {
		if err := json.Unmarshal(preset, &name); err != nil {
			return ruleset.Ruleset{}, &fieldError{"rules.preset", fieldCause(err)}
		}
		delete(fields, "preset")
	}
	base, err := known.preset("rules.preset", name)
	if err != nil {
		return ruleset.Ruleset{}, err
	}
	changes, err := json.Marshal(fields)
	if err != nil {
		return ruleset.Ruleset{}, err
	}
	return ruleset.ParseRuleset(base, changes)
}

func (known ruleNames) preset(field, name string) (ruleset.Ruleset, error) {
	r, ok := known[name]
	if !ok {
		names := strings.Join(slices.Sorted(maps.Keys(known)), ", ")
		return r, &fieldError{field, fmt.Errorf("unknown preset %q; the presets are %s", name, names)}
	}
	return r, nil
}
