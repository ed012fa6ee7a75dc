package pagetest

import (
	"testing"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
)

func TestStepsAreSaidInWords(t *testing.T) {
	run := &steps.Change{Before: faces("J B12 B13")}
	for name, test := range map[string]struct {
		step   steps.Step
		en, it string
	}{
		"two tiles of a run that a joker begins are kept at hand": {
			steps.Step{Kind: steps.StepTake, Tiles: faces("J B12"), From: run},
			"Take joker, blue 12 out of joker, blue 12, 13 and keep at hand.",
			"Prendi jolly, 12 blu da jolly, 12, 13 blu e tieni da parte."},
		"two tiles go from a run to another": {
			steps.Step{Kind: steps.StepTake, Tiles: faces("O5 O6"), From: &steps.Change{Before: faces("O5 O6 J O8")},
				To: &steps.Change{Before: faces("O7 O8 O9")}},
			"Move orange 5, 6 from orange 5, 6, joker, 8 to orange 7, 8, 9.",
			"Sposta 5, 6 arancio da 5, 6, jolly, 8 arancio a 7, 8, 9 arancio."},
		"a group names every colour": {
			steps.Step{Kind: steps.StepLay, Tiles: faces("J K4 R4"), To: &steps.Change{After: faces("J K4 R4")}},
			"Lay joker, black 4, red 4 as a new set.", "Cala jolly, 4 nero, 4 rosso come nuova combinazione."},
		"jokers alone": {
			steps.Step{Kind: steps.StepExtend, Tiles: []tile.Face{tile.Joker},
				To: &steps.Change{Before: faces("J J K4")}},
			"Add joker to joker, joker, black 4.", "Aggiungi jolly a jolly, jolly, 4 nero."},
	} {
		t.Run(name, func(t *testing.T) {
			for tag, want := range map[string]string{"en": test.en, "it": test.it} {
				if got := play.StepWords(locale.WithLanguage(t.Context(), tag), test.step); got != want {
					t.Errorf("%s: got %q, want %q", tag, got, want)
				}
			}
		})
	}
}
