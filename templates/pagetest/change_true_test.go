package pagetest

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"meldhall/data"
	"meldhall/engine/bot"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
)

// plainTable reports whether each set can be told from the others and is either a run or a group.
func plainTable(table [][]tile.Face) bool {
	for i, row := range table {
		if len(tile.Readings(row)) != 1 || slices.ContainsFunc(table[:i], func(other []tile.Face) bool {
			return tile.CountFaces(row) == tile.CountFaces(other)
		}) {
			return false
		}
	}
	return true
}

// TestChangesAreTrue plays games of bots. A listener who hears only the changes of a turn knows the table after it.
// Changes that were cut end with the number of those that were left out.
func TestChangesAreTrue(t *testing.T) {
	ctx := locale.WithLanguage(t.Context(), "en")
	more := regexp.MustCompile(`; and (\d+) more changes?$`)
	followed, cuts := 0, 0
	for seed := range uint64(60) {
		style := bot.Styles[seed%3]
		for _, pair := range playsOf(t, style, seed) {
			whole := play.ChangeWords(ctx, pair[0], pair[1], 0)
			cut := play.ChangeWords(ctx, pair[0], pair[1], play.MostSaid)
			changes := strings.Split(whole, "; ")
			if cut != whole {
				cuts++
				n, _ := strconv.Atoi(more.FindStringSubmatch(cut)[1])
				if left := strings.Split(more.ReplaceAllString(cut, ""), "; "); len(left)+n != len(changes) {
					t.Errorf("%d and %d changes of %d: %q", len(left), n, len(changes), cut)
				}
				if utf8.RuneCountInString(cut) > play.MostSaid && strings.Count(cut, ";") > 1 {
					t.Errorf("too long: %q", cut)
				}
			}
			if !plainTable(pair[0]) || !plainTable(pair[1]) {
				continue
			}
			followed++
			if err := follow(whole, pair[0], pair[1]); err != nil {
				t.Errorf("%v to %v\n%s\n%v", pair[0], pair[1], whole, err)
			}
		}
	}
	t.Logf("%d turns followed, %d cut", followed, cuts)
	if followed < 500 || cuts < 10 {
		t.Errorf("only %d turns followed, %d cut", followed, cuts)
	}
}

// playsOf returns the tables before and after each play of a game of four bots.
func playsOf(t *testing.T, style bot.Style, seed uint64) (pairs [][2][][]tile.Face) {
	t.Helper()
	var rules ruleset.Ruleset
	text, err := fs.ReadFile(data.Rules, "rules/wrc.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &rules); err != nil {
		t.Fatal(err)
	}
	pool := tile.FacesOf(tile.All())
	rand.New(rand.NewPCG(seed, 7)).Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var racks [4][]tile.Face
	for i := range racks {
		racks[i], pool = slices.Clone(pool[:14]), pool[14:]
	}
	var table [][]tile.Face
	var opened [4]bool
	for turn, idle := 0, 0; idle < 4; turn++ {
		seat := turn % 4
		after, laid := bot.Choose(style, bot.Turn{Rules: rules, Pool: len(pool), Rivals: make([]bot.Rival, 3),
			Move: judge.Move{Opened: opened[seat], Before: table, Rack: racks[seat]}})
		switch {
		case laid > 0:
			pairs = append(pairs, [2][][]tile.Face{table, after})
			played := tile.CountFaces(after...).Minus(tile.CountFaces(table...))
			racks[seat] = tile.CountFaces(racks[seat]).Minus(played).List()
			table, opened[seat], idle = after, true, 0
		case len(pool) > 0:
			racks[seat], pool = append(racks[seat], pool[0]), pool[1:]
		default:
			idle++
		}
		if len(racks[seat]) == 0 {
			break
		}
	}
	return pairs
}
