package api

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"meldhall/engine"
	"meldhall/engine/exact"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// RulingBody contains the fields of every ruling.
type RulingBody struct {
	Key    string `json:"key" minLength:"8" maxLength:"64" doc:"a unique key chosen by the client for each command"`
	Seen   int    `json:"seen,omitempty" minimum:"0" doc:"the last seq the official saw: a later ruling by another official refuses this one (ruled_since); 0: no check"`
	Rule   string `json:"rule,omitempty" maxLength:"20" doc:"the article of the regulations"`
	Reason string `json:"reason,omitempty" maxLength:"500"`
}

// rulingOperations registers the officials' commands in a game: one for each kind of ruling, with the fields that it
// needs.
func (a *api) rulingOperations() {
	for _, kind := range engine.RulingKinds() {
		if kind.Apart {
			continue // these concern a player of the tournament, not a game
		}
		officially(a, kind.Name, kind.Does, func(by rights.Actor, body json.RawMessage) (string, engine.Command,
			error) {
			return a.readRuling(kind, by, body)
		}, a.rulingBody(kind))
	}
}

// rulingBody describes the body of a kind of ruling.
func (a *api) rulingBody(kind engine.RulingKind) func(*huma.Operation) {
	registry := a.huma.OpenAPI().Components.Schemas
	body := huma.SchemaFromType(registry, reflect.TypeFor[RulingBody]())
	for _, f := range kind.Fields {
		property := *registry.Schema(rulingTypes[f.Type], true, "")
		switch least, most := float64(f.Least), float64(f.Most); f.Type {
		case engine.NumberField:
			if property.Minimum = &least; f.Most != 0 {
				property.Maximum = &most
			}
		case engine.RacksField:
			property.MaxItems = &f.Most
		}
		property.Description = f.Does
		body.Properties[f.Name] = &property
		if !f.Optional {
			body.Required = append(body.Required, f.Name)
		}
	}
	return func(op *huma.Operation) {
		op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{request.JSONKind: {Schema: body}}}
	}
}

// rulingTypes are the types of the fields of a body.
var rulingTypes = map[engine.RulingFieldType]reflect.Type{
	engine.NumberField: reflect.TypeFor[int](),
	engine.TilesField:  reflect.TypeFor[engine.RackView](),
	engine.TableField:  reflect.TypeFor[[]tile.LaidFaces](),
	engine.RacksField:  reflect.TypeFor[[]engine.RackView](),
}

// readRuling parses a body in the form that rulingBody describes.
func (a *api) readRuling(kind engine.RulingKind, by rights.Actor, body json.RawMessage) (key string, c engine.Command,
	err error) {
	var said RulingBody
	var fields map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(body, &said), exact.Unmarshal(body, &fields),
		new(exact.Names).Check(body, reflect.TypeFor[RulingBody](), false)); err != nil {
		return "", nil, request.Unreadable(err)
	}
	f := engine.RulingFields{Numbers: map[string]int{},
		Grounds: engine.Grounds{Seen: said.Seen, Rule: said.Rule, Reason: said.Reason, By: by.Name}}
	for _, field := range kind.Fields {
		if value := fields[field.Name]; value != nil {
			if err := readField(&f, field, value); err != nil {
				return "", nil, request.Unreadable(err)
			}
		}
	}
	return said.Key, kind.Command(f), nil
}

func readField(f *engine.RulingFields, field engine.RulingField, value json.RawMessage) error {
	switch field.Type {
	case engine.TilesField:
		var tiles engine.RackView
		err := json.Unmarshal(value, &tiles)
		f.Tiles = tiles
		return err
	case engine.TableField:
		return json.Unmarshal(value, &f.Table)
	case engine.RacksField:
		var racks []engine.RackView
		err := json.Unmarshal(value, &racks)
		f.Racks = make([][]tile.Face, len(racks))
		for seat, rack := range racks {
			f.Racks[seat] = rack
		}
		return err
	}
	var n int
	err := json.Unmarshal(value, &n)
	f.Numbers[field.Name] = n
	return err
}

func officially[R any](a *api, name, summary string, command func(rights.Actor, R) (string, engine.Command, error),
	options ...func(*huma.Operation)) {
	operation(a, forReferee, "POST /games/{id}/"+name, summary,
		func(ctx context.Context, in *idWith[R]) (*with[request.CommandAnswer], error) {
			official := a.Request.Staff(requestOf(ctx))
			key, c, err := command(official, in.Body)
			if err != nil {
				return nil, err
			}
			result, err := a.View.Games.Submit(ctx, official, in.ID, key, c)
			if err != nil {
				return nil, err
			}
			return answer(request.NewCommandAnswer(result), nil)
		}, options...)
}
