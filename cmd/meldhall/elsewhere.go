package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine/exact"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/standing"
	"meldhall/web/request"
)

// standingsCmd is the command meldhall standings.
type standingsCmd struct {
	File string `arg:"" optional:"" type:"existingfile" help:"The file with the events. Default: standard input."`
}

// Help returns the text of meldhall standings --help.
func (standingsCmd) Help() string {
	return `Ranks events that were played without Meldhall, each one JSON document: {"format":"belgium","players":["A","B","C","D"],` +
		`"results":[{"round":1,"players":["A","B","C","D"],"points":[24,-5,-16,-3]}]}. format is a preset's name or a format; "rules" is optional: a ` +
		`preset's name or changed fields (default wrc). A player may be an object instead of a name: {"name":"A","division":"junior","waiver":"declined","withdrawn":true,"disqualified":true}. ` +
		`In a result: players in turn order, "stage" and "table" from 1 (default 1), "wins" if the points do not determine the winner, "play_off" from 1. ` +
		`"penalties":[{"player":"A","round":1,"points":50}]; "lots":[{"stage":1,"drawn":["C","D"]}], drawn at the end of a stage. Prints one line of JSON for each: places with the criterion that ` +
		`separates them, cuts, champions, qualified players.`
}

// Run ranks the tournaments in the file or on standard input.
func (c standingsCmd) Run() error {
	presets, err := prepare.Presets("")
	if err != nil {
		return err
	}
	in := io.Reader(os.Stdin)
	if c.File != "" {
		file, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	return rankEvents(presets, in, os.Stdout)
}

// rankEvents reads documents from in and writes a line to out for each. If some could not be ranked, it returns
// errBadLines at the end.
func rankEvents(presets preset.Library, in io.Reader, out io.Writer) error {
	read, write := json.NewDecoder(withoutMark(in)), json.NewEncoder(out)
	write.SetEscapeHTML(false)
	var bad error
	for {
		var text json.RawMessage
		err := read.Decode(&text)
		if errors.Is(err, io.EOF) {
			return bad
		}
		unreadable := err != nil
		var answer any
		if err == nil {
			answer, err = rankEvent(presets, text)
		}
		if err != nil {
			answer, bad = map[string]string{"error": err.Error()}, errBadLines
		}
		if err := write.Encode(exact.WithLists(answer)); err != nil || unreadable {
			return errors.Join(err, bad)
		}
	}
}

// playedElsewhere is a tournament as described by an input document.
type playedElsewhere struct {
	Format    json.RawMessage   `json:"format"`
	Rules     json.RawMessage   `json:"rules,omitempty"`
	Players   []json.RawMessage `json:"players"`
	Results   []gameElsewhere   `json:"results"`
	Penalties []struct {
		Player string        `json:"player"`
		Round  int           `json:"round"`
		Points score.Twelfth `json:"points"`
	} `json:"penalties,omitempty"`
	Lots []struct {
		Stage int      `json:"stage"`
		Drawn []string `json:"drawn"`
	} `json:"lots,omitempty"`
}

type gameElsewhere struct {
	Stage   int             `json:"stage"`
	Round   int             `json:"round"`
	Table   int             `json:"table"`
	PlayOff int             `json:"play_off"`
	Players []string        `json:"players"`
	Points  []score.Twelfth `json:"points"`
	Wins    []score.Twelfth `json:"wins"`
}

type playerElsewhere struct {
	Name         string `json:"name"`
	Division     string `json:"division"`
	Waiver       string `json:"waiver"`
	Withdrawn    bool   `json:"withdrawn"`
	Disqualified bool   `json:"disqualified"`
}

// elsewhere is a tournament that is being ranked: its players, and the data that determines their places.
type elsewhere struct {
	format  format.Format
	rules   []ruleset.Ruleset // by stage
	players []playerElsewhere
	number  map[string]int64 // player numbers by name, from 1
	input   standing.Input
}

func rankEvent(presets preset.Library, text []byte) (any, error) {
	var in playedElsewhere
	if err := readLine(text, &in); err != nil {
		return nil, err
	}
	e := elsewhere{number: map[string]int64{}}
	for _, step := range []func(preset.Library, playedElsewhere) error{e.readFormat, e.readPlayers, e.readResults,
		e.readDecisions} {
		if err := step(presets, in); err != nil {
			return nil, err
		}
	}
	return e.answer(), nil
}

func (e *elsewhere) readFormat(presets preset.Library, in playedElsewhere) (err error) {
	var name string
	if json.Unmarshal(in.Format, &name) == nil {
		f, known := presets.Formats[name]
		if !known {
			return &fieldError{"format", fmt.Errorf("unknown preset %q", name)}
		}
		e.format = f
	} else if e.format, err = format.Parse(in.Format); err != nil {
		return &fieldError{"format", inWords(err)}
	}
	base, changes, err := baseAndChanges(in.Rules)
	if err != nil {
		return err
	}
	if _, known := presets.Rules[base]; !known {
		return &fieldError{"rules", fmt.Errorf("unknown preset %q", base)}
	}
	rules, err := presets.RulesetFor(e.format, base, changes)
	if err != nil {
		return &fieldError{"rules", inWords(err)}
	}
	e.input.Method = rules.Standings
	for i, s := range e.format.Stages {
		at, err := rules.With(s.Rules)
		if err != nil {
			return &fieldError{fmt.Sprintf("format.stages[%d].rules", i), inWords(err)}
		}
		e.rules = append(e.rules, at)
	}
	return nil
}

// baseAndChanges splits a document's rules, such as {"preset":"club","joker_points":50}, into the name of a base preset
// and the changed fields.
func baseAndChanges(raw json.RawMessage) (base string, changes []byte, err error) {
	base = "wrc"
	if len(raw) == 0 || json.Unmarshal(raw, &base) == nil {
		return base, nil, nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return "", nil, &fieldError{"rules", errors.New("must be the name of a preset or an object of fields")}
	}
	if preset, ok := fields["preset"]; ok {
		if err := json.Unmarshal(preset, &base); err != nil {
			return "", nil, &fieldError{"rules.preset", fieldCause(err)}
		}
		delete(fields, "preset")
	}
	changes, err = json.Marshal(fields)
	return base, changes, err
}

// inWords converts an error of a format or rule set to a readable message.
func inWords(err error) error { return errors.New(request.ErrorText(context.Background(), err)) }

func (e *elsewhere) readPlayers(_ preset.Library, in playedElsewhere) error {
	for i, raw := range in.Players {
		field := fmt.Sprintf("players[%d]", i)
		var p playerElsewhere
		if json.Unmarshal(raw, &p.Name) != nil {
			if err := exact.Unmarshal(raw, &p); err != nil {
				return nameError(field, err)
			}
		}
		switch {
		case p.Name == "":
			return &fieldError{field, errors.New("the player has no name")}
		case e.number[p.Name] > 0:
			return &fieldError{field, fmt.Errorf("%q is listed twice", p.Name)}
		case p.Waiver != "" && !slices.Contains(standing.Waivers, p.Waiver):
			return &fieldError{field + ".waiver", fmt.Errorf("%q must be one of %q", p.Waiver, standing.Waivers)}
		case p.Division != "" && !slices.Contains(e.format.Divisions, p.Division):
			return &fieldError{field + ".division", fmt.Errorf("%q must be one of %q", p.Division, e.format.Divisions)}
		}
		e.players = append(e.players, p)
		e.number[p.Name] = int64(len(e.players))
		e.input.Players = append(e.input.Players, standing.Player{ID: int64(len(e.players)), Number: len(e.players),
			Withdrawn: p.Withdrawn, Disqualified: p.Disqualified})
	}
	return nil
}

// named returns the numbers of the players with the given names. Each name may occur only once.
func (e *elsewhere) named(field string, names []string) ([]int64, error) {
	var numbers []int64
	for _, name := range names {
		n, known := e.number[name]
		if !known {
			return nil, &fieldError{field, fmt.Errorf("%q is not one of the players", name)}
		}
		if slices.Contains(numbers, n) {
			return nil, &fieldError{field, fmt.Errorf("%q is listed twice", name)}
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
