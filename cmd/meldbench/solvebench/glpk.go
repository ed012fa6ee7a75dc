//go:build glpk && cgo

package main

/*
#cgo LDFLAGS: -lglpk -lm
#include <glpk.h>
#include "glpk_model.h"
*/
import "C"

import (
	"errors"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// glpkAnswers returns the baseline: the compact integer program, built and solved with GLPK in this process for each
// position. With plain, GLPK's default settings are used. Jokers are always free, whatever the position's rules.
func glpkAnswers(plain bool) (answers baseline, name string) {
	name = "GLPK " + C.GoString(C.glp_version()) + ", fastest settings"
	if plain {
		name = "GLPK " + C.GoString(C.glp_version()) + ", default settings"
	}
	return func(p solve.Position, aim solve.Aim) (optimum, error) {
		q := C.struct_meldhall_question{joker_points: C.int(p.Rules.JokerPoints)}
		if aim == solve.MostValue {
			q.most_value = 1
		}
		if plain {
			q.plain_settings = 1
		}
		for f, n := range tile.CountFaces(p.Table...) {
			q.table[f] = C.uchar(n)
		}
		for f, n := range p.Rack {
			q.rack[f] = C.uchar(n)
		}
		var tiles, value C.int
		if C.meldhall_compact(&q, &tiles, &value) == 0 {
			return optimum{}, errors.New("GLPK found no proven optimum")
		}
		return optimum{int(tiles), int(value)}, nil
	}, name
}
