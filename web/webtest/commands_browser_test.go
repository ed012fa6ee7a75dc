package webtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/tournament/result"
	"meldhall/web/request"
)

// shuffledDeal returns a deal in a random order that is the same in every run. Seat 0 begins.
func shuffledDeal(t *testing.T, seed uint64) engine.Deal {
	t.Helper()
	deal := preparedDeal(t)
	deal.Pool = nil
	for _, i := range rand.New(rand.NewPCG(seed, 45)).Perm(tile.Count) {
		deal.Pool = append(deal.Pool, tile.All()[i])
	}
	return deal
}

// botPlays lets a bot take the turn of another seat over HTTP.
func (e *event) botPlays(seat int, game int64) {
	e.t.Helper()
	by := e.at(0, seat)
	view := by.view(game)
	turn := request.TurnRequest{Turn: view.Turn.Number, Key: e.key()}
	path := func(action string) string { return fmt.Sprintf("/games/%d/%s", game, action) }
	if table := bot.ForView(bot.Master, *view); table != nil {
		by.must(http.MethodPost, path("play"), request.PlayRequest{TurnRequest: turn, Table: table}, nil)
	} else if view.Pool > 0 {
		by.must(http.MethodPost, path("draw"), turn, nil)
	} else {
		by.must(http.MethodPost, path("pass"), turn, nil)
	}
}

// byEar plays a seat by typed commands. It knows the rules, and of the game only the announcements.
type byEar struct {
	*ear
	rules  ruleset.Ruleset
	opened bool
	rack   []tile.Face
	table  [][]tile.Face
}

// words splits an announcement into words and marks.
var words = regexp.MustCompile(`[a-z]+|\d+|[.,:]`)

var colourLetter = map[string]string{"black": "K", "red": "R", "blue": "B", "orange": "O"}

// facesOf reads tiles from words: "red 4 to 6, 7 black blue, joker". A number before its colours is a group's.
func facesOf(t *testing.T, heard string) (list []tile.Face) {
	t.Helper()
	add := func(letter string, n int) { list = append(list, faces(t, letter+strconv.Itoa(n))...) }
	letter, number, ranged := "", 0, false
	for _, word := range words.FindAllString(strings.ToLower(heard), -1) {
		n, err := strconv.Atoi(word)
		switch {
		case word == "," || word == ".":
			letter, number, ranged = "", 0, false
		case word == "joker":
			list = append(list, tile.Joker)
		case word == "to":
			ranged = true
		case colourLetter[word] != "" && number > 0 && letter == "":
			add(colourLetter[word], number)
		case colourLetter[word] != "":
			letter = colourLetter[word]
		case err == nil && letter == "":
			number = n
		case err == nil && ranged:
			for k := list[len(list)-1].Number() + 1; k <= n; k++ {
				add(letter, k)
			}
			ranged = false
		case err == nil:
			add(letter, n)
		}
	}
	return list
}

// gather listens until what it heard after a mark has n of something.
func (b *byEar) gather(mark string, enough func(text string) bool) string {
	b.p.t.Helper()
	heard, _ := b.until(mark)
	heard = heard[strings.LastIndex(heard, mark):]
	for !enough(heard) {
		next, _ := b.until("")
		heard += " " + next
	}
	return heard
}

func (b *byEar) hearsRack() {
	b.p.t.Helper()
	b.types("r")
	heard := b.gather("Rack, ", func(text string) bool {
		_, rest, _ := strings.Cut(text, ": ")
		n, _ := strconv.Atoi(words.FindString(strings.TrimPrefix(text, "Rack, ")))
		return len(facesOf(b.p.t, rest)) >= n
	})
	_, rest, _ := strings.Cut(heard, ": ")
	b.rack = facesOf(b.p.t, rest)
}

// row matches one set of a list: "3: red 4 to 6." It may have a fault.
var row = regexp.MustCompile(`(\d+): ([^.:]*)\.`)

func (b *byEar) hearsTable() {
	b.p.t.Helper()
	b.types("s")
	heard, found := b.until("Sets: ", "The table is empty")
	b.table = nil
	if found != "Sets: " {
		return
	}
	heard = heard[strings.LastIndex(heard, "Sets: ")+len("Sets: "):]
	count, rest, _ := strings.Cut(heard, ".")
	n, err := strconv.Atoi(count)
	if err != nil {
		b.p.t.Fatalf("%q has no number of sets", heard)
	}
	for len(row.FindAllString(rest, -1)) < n {
		next, _ := b.until("")
		rest += " " + next
	}
	for _, found := range row.FindAllStringSubmatch(rest, -1) {
		tiles, _, _ := strings.Cut(found[2], ", too short")
		b.table = append(b.table, facesOf(b.p.t, tiles))
	}
}

// number returns the number of a set of the table, from 1; 0 if there is none.
func (b *byEar) number(set []tile.Face) int {
	return 1 + slices.IndexFunc(b.table, func(have []tile.Face) bool {
		return tile.CountFaces(have) == tile.CountFaces(set)
	})
}

// spelt writes tiles as a player types them.
func spelt(list []tile.Face) string {
	var out []string
	for i := 0; i < len(list); i++ {
		end := i
		for end+1 < len(list) && !list[end+1].IsJoker() && !list[end].IsJoker() &&
			list[end+1].Colour() == list[end].Colour() && list[end+1].Number() == list[end].Number()+1 {
			end++
		}
		text := strings.ToLower(list[i].String())
		if end > i {
			text += "-" + strconv.Itoa(list[end].Number())
		}
		out = append(out, text)
		i = end
	}
	return strings.Join(out, " ")
}

// command returns what a player types for a step, and what else is typed after it; "" if it cannot be typed.
func (b *byEar) command(s steps.Step) []string {
	from, to := 0, 0
	if s.From != nil {
		if from = b.number(s.From.Before); from == 0 {
			return nil
		}
	}
	if s.To != nil && len(s.To.Before) > 0 {
		if to = b.number(s.To.Before); to == 0 {
			return nil
		}
	}
	switch s.Kind {
	case steps.StepLay:
		return []string{"l " + spelt(s.To.After)}
	case steps.StepExtend:
		return []string{fmt.Sprintf("a %s %d", spelt(s.Tiles), to)}
	case steps.StepSplit:
		return []string{"m " + spelt(s.Tiles) + " from " + strconv.Itoa(from)}
	case steps.StepTake, steps.StepJoin:
		if to > 0 {
			return []string{fmt.Sprintf("m %s from %d to %d", spelt(s.Tiles), from, to)}
		}
		var all []string
		for _, f := range s.Tiles {
			all = append(all, "m "+spelt([]tile.Face{f}))
		}
		return all
	case steps.StepSwap:
		if s.From == nil && to > 0 && len(s.Tiles) == 1 && s.Joker == nil {
			return []string{fmt.Sprintf("f %d %s", to, spelt(s.Tiles))}
		}
	case steps.StepOrder:
		return []string{}
	}
	return nil
}

// plays types the steps of a play. It reports false if one of them cannot be typed.
func (b *byEar) plays(after [][]tile.Face) bool {
	b.p.t.Helper()
	all := steps.Steps(b.table, after)
	for i, step := range all {
		commands := b.command(step)
		if commands == nil {
			return false
		}
		for _, c := range commands {
			b.types(c)
			failures := []string{"Not there", "no set", "several sets", "No room", "Not understood"}
			if _, found := b.until(append(failures, "valid", "open", "joker must", "has been laid", "Undone")...); slices.Contains(failures,
				found) {
				return false
			}
		}
		if i < len(all)-1 {
			b.hearsTable()
		}
	}
	return true
}

// turn takes one turn and returns whether the game goes on.
func (b *byEar) turn(t *testing.T) {
	b.keys = 0
	b.hearsRack()
	b.hearsTable()
	for _, style := range []bot.Style{bot.Club, bot.Novice} {
		after, laid := bot.Choose(style, bot.Turn{Rules: b.rules, Pool: 30, Rivals: []bot.Rival{{Tiles: 14, Opened: true}},
			Move: judge.Move{Opened: b.opened, Rack: b.rack, Before: b.table}})
		if laid == 0 {
			break
		}
		if !b.plays(after) {
			b.types("reset")
			b.until("Undone", "Not possible")
			b.hearsTable()
			continue
		}
		b.types("done")
		if heard, found := b.until("Accepted: ", "not ", "Refused"); found != "Accepted: " {
			t.Fatalf("the play is refused: %q", heard)
		}
		b.opened = true
		return
	}
	b.types("draw")
	if _, found := b.until("Accepted: ", "Not possible"); found != "Accepted: " {
		b.types("pass")
		b.until("Accepted: ")
	}
}

// TestBrowserPlaysByCommand plays a whole tournament game by typed commands. The player knows the rules and hears the
// announcements; the page is not looked at.
func TestBrowserPlaysByCommand(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	e.games.Deal = func() engine.Deal { return shuffledDeal(t, 3) }
	game := e.round.Tables[0].Games[0].ID
	p := b.tab(t, 1280, 800)
	p.still()
	player := &byEar{ear: listen(p), rules: wrc(t)}
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.getElementById("link").classList.contains("live")`)
	player.opensLine()
	player.types("ready")
	player.until("Ready.")
	e.readyBut(1, game)

	var keys []int
	for len(keys) < 80 {
		if _, found := player.until("Your turn.", "win", "Is the count right"); found != "Your turn." {
			break
		}
		player.turn(t)
		keys = append(keys, player.keys)
		t.Logf("turn %d: %d keystrokes, %d sets on the table", len(keys), player.keys, len(player.table))
		for view := e.public().view(game); view.Phase == engine.PhasePlaying && view.Turn.Seat > 0; view = e.public().view(game) {
			e.botPlays(view.Turn.Seat, game)
		}
	}
	player.types("agree")
	player.until("You have agreed", "Saved: you agree")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	player.until("Arrange your rack") // of the next game
	slices.Sort(keys)
	most := at95(t, keys)
	t.Logf("%d turns by command: %d keystrokes at the median, %d at p95, %d at most", len(keys), keys[len(keys)/2], most,
		keys[len(keys)-1])
	if most > 40 {
		t.Errorf("a turn takes %d keystrokes at p95, want at most 40", most)
	}
	for _, violation := range barriers(p, axeScript(t)) {
		t.Error(violation)
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// wrc returns the rules of the event's preset.
func wrc(t *testing.T) ruleset.Ruleset {
	t.Helper()
	rules, ok := presets(t).Rules["wrc"]
	if !ok {
		t.Fatal("there is no wrc")
	}
	return rules
}
