// Package preset is the rule sets and formats that the program comes with, and those of a folder of one's own.
package preset

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
)

// Library is the rule sets and formats that the program comes with, by name.
type Library struct {
	Rules   map[string]engine.Ruleset
	Formats map[string]format.Format
}

// Usual is the name of the rule set and of the format that stand first, and are chosen where nothing else is.
const Usual = "wrc"

// UsualFirst are the names of presets in the order in which they are offered.
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

// Load reads rules/*.json and formats/*.json of some folders; a preset's name is its file's, and a later folder's wins
// over others of its name.
func Load(folders ...fs.FS) (Library, error) {
	p := Library{Rules: map[string]engine.Ruleset{}, Formats: map[string]format.Format{}}
	for _, folder := range folders {
		err := eachJSON(folder, "rules", func(name string, data []byte) (err error) {
			p.Rules[name], err = engine.ParseRuleset(engine.Ruleset{}, data)
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

// Ruleset gives a copy of the named preset with the fields of a JSON object changed; nil changes
// nothing. A name or field that does not exist is Invalid and named.
func (p Library) Ruleset(name string, changes []byte) (engine.Ruleset, error) {
	base, ok := p.Rules[name]
	if !ok {
		return engine.Ruleset{}, refuse.Invalid("err_rules_unknown", "name", name, "known", strings.Join(slices.Sorted(maps.Keys(p.Rules)), ", "))
	}
	if len(changes) == 0 {
		return base, nil
	}
	rules, err := engine.ParseRuleset(base, changes)
	return rules, AsRefusal(err)
}

// RulesetFor is Ruleset with the fields that the format needs otherwise; changes come last.
func (p Library) RulesetFor(f format.Format, name string, changes []byte) (engine.Ruleset, error) {
	base, err := p.Ruleset(name, nil)
	if err != nil {
		return engine.Ruleset{}, err
	}
	if base, err = WithRules(base, f.Rules); err != nil || len(changes) == 0 {
		return base, err
	}
	base, err = engine.ParseRuleset(base, changes)
	return base, AsRefusal(err)
}

// WithRules changes fields of a rule set as a format says.
func WithRules(base engine.Ruleset, fields map[string]any) (engine.Ruleset, error) {
	rules, err := base.With(fields)
	return rules, AsRefusal(err)
}

// Format gives the named preset. A name that does not exist is Invalid and named.
func (p Library) Format(name string) (format.Format, error) {
	f, ok := p.Formats[name]
	if !ok {
		return format.Format{}, refuse.Invalid("err_format_unknown", "name", name, "known", strings.Join(slices.Sorted(maps.Keys(p.Formats)), ", "))
	}
	return f, nil
}

// ParseFormat reads a format that an organizer wrote; what is wrong with it is Invalid and named.
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
		if err := use(strings.TrimSuffix(path.Base(file), ".json"), data); err != nil {
			return fmt.Errorf("%s: %w", path.Base(file), err)
		}
	}
	return nil
}

// AsRefusal makes an Error of a problem with a format or a rule set; other errors stay.
func AsRefusal(err error) error {
	var problem *format.Problem
	if errors.As(err, &problem) {
		return &refuse.Error{Kind: refuse.KindInvalid, Key: problem.Key, Args: problem.Args}
	}
	var field *engine.FieldError
	if errors.As(err, &field) {
		return refuse.Invalid("err_rules_field", "field", field.Field, "why", field.Why)
	}
	return err
}
