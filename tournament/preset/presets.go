// Package preset loads the built-in rule sets and formats, and those of a custom folder.
package preset

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"meldhall/engine/ruleset"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
)

// Library holds the rule sets and formats by name.
type Library struct {
	Rules   map[string]ruleset.Ruleset
	Formats map[string]format.Format
}

// Usual is the name of the default rule set and of the default format, which are listed first.
const Usual = "wrc"

// UsualFirst returns the names of presets in the order in which they are offered.
func UsualFirst[P any](presets map[string]P) []string {
	return slices.SortedFunc(maps.Keys(presets), func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == Usual:
			return -1
		case b == Usual:
			return 1
		}
		return strings.Compare(a, b)
	})
}

// Load reads rules/*.json and formats/*.json from the folders. A preset is named after its file, and later folders take
// precedence.
func Load(folders ...fs.FS) (Library, error) {
	p := Library{Rules: map[string]ruleset.Ruleset{}, Formats: map[string]format.Format{}}
	for _, folder := range folders {
		err := eachJSON(folder, "rules", func(name string, data []byte) (err error) {
			p.Rules[name], err = ruleset.ParseRuleset(ruleset.Ruleset{}, data)
			return err
		})
		if err != nil {
			return Library{}, fmt.Errorf("rule presets: %w", err)
		}
		err = eachJSON(folder, "formats", func(name string, data []byte) (err error) {
			p.Formats[name], err = format.Parse(data)
			return err
		})
		if err != nil {
			return Library{}, fmt.Errorf("format presets: %w", err)
		}
	}
	return p, nil
}

// Ruleset returns a copy of the named preset with the fields of a JSON object changed; nil changes nothing. For an
// unknown name or an invalid field, it returns an Invalid error that names it.
func (p Library) Ruleset(name string, changes []byte) (ruleset.Ruleset, error) {
	base, ok := p.Rules[name]
	if !ok {
		return ruleset.Ruleset{}, refuse.Invalid("err_rules_unknown", "name", name, "known",
			strings.Join(slices.Sorted(maps.Keys(p.Rules)), ", "))
	}
	if len(changes) == 0 {
		return base, nil
	}
	rules, err := ruleset.ParseRuleset(base, changes)
	return rules, AsRefusal(err)
}

// RulesetFor is like Ruleset, but first applies the format's rule changes; changes are applied last.
func (p Library) RulesetFor(f format.Format, name string, changes []byte) (ruleset.Ruleset, error) {
	base, err := p.Ruleset(name, nil)
	if err != nil {
		return ruleset.Ruleset{}, err
	}
	if base, err = WithRules(base, f.Rules); err != nil || len(changes) == 0 {
		return base, err
	}
	base, err = ruleset.ParseRuleset(base, changes)
	return base, AsRefusal(err)
}

// WithRules applies a format's rule changes to a rule set.
func WithRules(base ruleset.Ruleset, fields map[string]any) (ruleset.Ruleset, error) {
	rules, err := base.With(fields)
	return rules, AsRefusal(err)
}

// Format returns the named preset. For an unknown name, it returns an Invalid error that contains the name.
func (p Library) Format(name string) (format.Format, error) {
	f, ok := p.Formats[name]
	if !ok {
		return format.Format{}, refuse.Invalid("err_format_unknown", "name", name, "known",
			strings.Join(slices.Sorted(maps.Keys(p.Formats)), ", "))
	}
	return f, nil
}

// ParseFormat parses an organizer's format. For a problem, it returns an Invalid error that names it.
func ParseFormat(data []byte) (format.Format, error) {
	f, err := format.Parse(data)
	return f, AsRefusal(err)
}

func eachJSON(fsys fs.FS, dir string, use func(name string, data []byte) error) error {
	files, err := fs.Glob(fsys, dir+"/*.json")
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		if err := use(strings.TrimSuffix(path.Base(file), ".json"), data); err != nil {
			return fmt.Errorf("%s: %w", path.Base(file), err)
		}
	}
	return nil
}

// AsRefusal converts a problem with a format or a rule set to a refuse.Error; other errors are returned unchanged.
func AsRefusal(err error) error {
	var problem *format.Problem
	if errors.As(err, &problem) {
		return &refuse.Error{Kind: refuse.KindInvalid, Key: problem.Key, Args: problem.Args}
	}
	var field *ruleset.FieldError
	if errors.As(err, &field) {
		return refuse.Invalid("err_rules_field", "field", field.Field, "why", field.Why)
	}
	return err
}
