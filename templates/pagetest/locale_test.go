package pagetest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/language"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/referee"
	"meldhall/templates/regulations"
	"meldhall/templates/screens"
	"meldhall/templates/tablet"
)

// inside returns the built-in language files.
func inside(t *testing.T) fs.FS {
	t.Helper()
	files, err := fs.Sub(data.Locales, "locales")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func texts(t *testing.T, name string) map[string]locale.Forms {
	t.Helper()
	all, err := locale.ReadTexts(inside(t), name)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestLanguagesAgree checks that each whole language has every English text, with matching placeholders. For the other
// languages, see TestReadersTexts.
func TestLanguagesAgree(t *testing.T) {
	english := texts(t, "en.json")
	if len(english) < 400 {
		t.Fatalf("got %d English texts, want at least 400: the file was not read", len(english))
	}
	for _, name := range []string{"en.json", "he.json", "it.json"} {
		other := texts(t, name)
		if err := locale.CheckTexts(language.MustParse(strings.TrimSuffix(name, ".json")), true, english,
			other); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, key := range slices.Sorted(maps.Keys(english)) {
			if _, ok := other[key]; !ok {
				t.Errorf("%s lacks %q", name, key)
			}
		}
	}
	var whole []string
	for _, l := range locale.Carried.Whole().Languages {
		whole = append(whole, l.Tag)
	}
	if !slices.Equal(whole, []string{"en", "he", "it"}) {
		t.Errorf("officials are offered %q, want English, Hebrew and Italian", whole)
	}
}

// literalKey matches a string in the source code that looks like a key or the beginning of one.
var literalKey = regexp.MustCompile(`"([a-z]+\.[a-z0-9_.-]*)"`)

// trainingWords returns the keys of a training's verdicts and disputes, with their texts.
func trainingWords() []string {
	words := []string{"unruled", "right", "amount", "ground", "other"}
	for _, name := range []string{"timeout", "mixed", "joker", "count", "absent", "tablet"} {
		words = append(words, name, name+".text", name+".answer")
	}
	return words
}

// trustTexts returns the keys of the page's instructions for each system.
func trustTexts() (words []string) {
	for _, system := range public.TrustSystems {
		words = append(words, system, system+".1", system+".2", system+".3")
	}
	return words
}

// families maps each prefix of keys that are built from words to all of its words.
func families() map[string][]string {
	printed := []string{"by-name", "by-table", "standings", "crosstable", "podium", "announcer", "cards", "scores",
		"blank", "pairing", "check-in", "tickets"}
	shownParts, shownHows := []string{"tables", "standings", "results", "pairing", "all"},
		[]string{"public", "hidden", "delayed", "frozen"}
	roles := []string{string(part.RolePlayer)}
	for _, role := range part.Officials {
		roles = append(roles, string(role))
	}
	fields := formatFamilies()
	return map[string][]string{
		"qualify.is.": {"qualifies", "reserve", "open", "qualified_already", "not_eligible", "declined"},
		"ffield.":     fields["ffield."], "fword.": fields["fword."],
		"gate.":       {"ready", "waits", "held", "started"},
		"face.state.": part.States,
		"board.": {"names", "tables", "standings", "clock", "called", "results", "code", "news", "champion",
			"text", "test"},
		"board.head.":      {"names", "tables", "called"},
		"board.place.":     {"1", "2", "3"},
		"board.theme.":     {"dark", "light"},
		"overlay.kind.":    screens.Overlays,
		"overlay.place.":   {"usual", "top-left", "top-right", "bottom-left", "bottom-right"},
		"overlay.colours.": {"standard", "event"},
		"embed.allow.":     {"any", "listed", "none"},
		"status.":          part.Statuses,
		"practice.":        {"novice", "club", "master", "lesson"},
		"lesson.": {"run", "run.text", "group", "group.text", "points", "points.text", "split", "split.text", "joker",
			"joker.text", "good", "good.text", "again", "again.text", "done", "done.text"},
		"settings.":         {"slop", "press", "dead"},
		"check.hand.":       {"wobble", "dwell", "twice", "gap", "rests"},
		"step.":             {"lay", "extend", "take", "split", "join", "swap", "order"},
		"role.":             roles,
		"role.may.":         roles[1:],
		"guide.":            guideTexts(),
		"guide.desk.":       {"answers", "referee", "organizer"},
		"check.":            tablet.Checks,
		"check.sum.":        {"running", "pass", "warn", "fail"},
		"setup.":            tablet.Setup,
		"trust.":            trustTexts(),
		"rule.":             ruleTexts(),
		"rule.penalties.":   desk.RuleValues["penalties"],
		"rule.assist.":      desk.RuleValues["assist"],
		"event_rules.part.": {"turn", "play", "start", "score", "event"},
		"event_rules.":      {"all_games", "back", "back_from", "games_from", "none", "stage_keeps"},
		"method.": {"plan", "standings", "random", "chart", "snake", "interval", "winners", "script",
			"manual"},
		"draw.why.":   {"apart", "family", "club", "country"},
		"draw.apart_": {"a", "b"},
		"draw.cost.": {"consecutive", "repeats", "wishes", "threes", "starts", "seats", "neighbours",
			"rank_gap"},
		"people.do.":     peopleKinds,
		"security.kind.": {"sign_in", "refused", "throttled", "foreign", "forged", "denied", "input", "rights"},
		"copies.made.":   {"hand", "auto", "version", "restore"},
		"security.what.": {"password", "code", "passkey", "passkey_copied", "invite", "setup", "join", "pin"},
		"log.about.":     {"player", "announcement", "screen", "stage"},
		"log.is.":        {"true", "false", "set", "seconded", "cancelled"},
		"people.did.":    peopleKinds,
		"people.state.":  peopleStates,
		"privacy.what.":  {"names", "contact", "play", "records", "sign_ins", "copies"},
		"privacy.until.": {"names", "contact", "play", "records", "sign_ins", "copies"},
		"naming.":        {"whole", "short", "number"},
		"people.missed.": {"late", "left", "no_show", "late.none", "left.none", "no_show.none"},
		"tap.":           play.TapColours,
		"sanction.":      {"proposed", "in_force", "cancelled"},
		"sanction.you.":  {"points", "disqualification"},
		"sanction.back.": {"points", "disqualification"},
		"cause.":         {engine.CauseTimeout, engine.CauseIdle, engine.CauseIllegal},
		"reason.":        reasonCodes(),
		"protest.":       {"rejected", "upheld"},
		"confirm.":       rulingNames(anyRuling),
		"say.rule.":      append(rulingNames(anyRuling), "penalty.none", "penalty_free", "time.back", "rewind.now"),
		"ruled.": append(rulingNames(func(k engine.RulingKind) bool { return !k.Apart }), "penalty.none",
			"acknowledge", "answer"),
		"say.all.":        rulingNames(func(k engine.RulingKind) bool { return k.WholeRound }),
		"card.ruled.":     engine.RulingEvents(func(k engine.RulingKind) bool { return k.Against }),
		"alert.":          {"called", "offline", "unlinked", "protest", "proposal"},
		"look.":           {"auto", "dark", "light"},
		"ready.":          referee.ReadyKeys,
		"rehearsal.":      desk.RehearsedBy,
		"training.":       trainingWords(),
		"announce.level.": referee.AnnounceLevels, "announce.level_text.": referee.AnnounceLevels,
		"paper.sheet.": printed, "paper.what.": printed, "paper.size.": {"a4", "letter"},
		"paper.place.": {"1", "2", "3", "n"}, "paper.shared.": {"1", "2", "3", "n"},
		"publish.part.": shownParts, "publish.safe.": {"draft", "people", "racks", "results"},
		"publish.what.": shownParts, "publish.is.": shownHows, "publish.how.": shownHows,
		"publish.effect.": shownHows, "publish.follows.": shownParts[:3],
		"schedule.state.": public.ScheduleStates,
		"devices.state.":  referee.DeviceStates,
		"settings.sort.":  {"hand", "colour", "number"},
		"tile.":           {"black", "red", "blue", "orange"},
		"diff.": {"add", "added", "join", "joker_now", "move", "new_group", "split", "swap", "swap_from",
			"took"},
		"diff.run.":     {"black", "red", "blue", "orange"},
		"diff.colour.":  {"black", "red", "blue", "orange"},
		"command.some.": {"black", "red", "blue", "orange"},
		"wait.":         {"waiting", "seated", "between", "finished"},
		"phase.": {string(engine.PhaseNew), string(engine.PhaseDealt), string(engine.PhasePlaying),
			string(engine.PhaseOver)},
		"end.":        {ruleset.EndedEmptied, ruleset.EndedLastLap, ruleset.EndedStuck, ruleset.EndedTimeCalled},
		"end.you.":    {ruleset.EndedEmptied, ruleset.EndedLastLap, ruleset.EndedStuck, ruleset.EndedTimeCalled},
		"end.shared.": {ruleset.EndedEmptied, ruleset.EndedLastLap, ruleset.EndedStuck, ruleset.EndedTimeCalled},
		"outcome.": {"play", "draw", "pass", "ready", "redeal", "call", "agree", "starter", "end_turn",
			"pool_empty", "count_racks"},
		"real.last.": {"turn_ended", "turn_expired", "penalty_given", "pool_emptied", "illegal_ruled"},
		"book.": append(engine.RulingEvents(func(k engine.RulingKind) bool { return k.Booked }),
			"turn_expired"),
		"tiles.": {"digital", "real", "digital.text", "real.text"},
		"sheet.why.": {ruleset.EndedForfeit, ruleset.EndedEmptied, ruleset.EndedLastLap, ruleset.EndedStuck,
			ruleset.EndedTimeCalled},
		"charge.": {score.ReasonNoMeldAble, score.ReasonNoMeldUnable},
		"tie.": {"wins", "points", "lowest", "table_points", "best_game", "opponents", "turn_order",
			"play_off", "lot", "reached", "min_games"},
		"why.": {"wins", "points", "lowest", "table_points", "best_game", "opponents", "turn_order", "play_off", "lot",
			"reached", "min_games",
			"shared", "stage", "disqualified", "withdrawn", "played"},
		"fault.": {tile.FaultTooShort, tile.FaultTooLong, tile.FaultJokersAlone, tile.FaultColourRepeats,
			tile.FaultMixed, tile.FaultRunOrder, tile.FaultRunGap, tile.FaultOffEnd},
		"refused.": refusals,
		"told.": append(engine.RulingEvents(anyRuling),
			"time_given.you", "penalty_given.you", "leftovers_ruled.you", "notice_given.you", "warning_given.you",
			"penalty_waived.you",
			"turn_skipped.you", "illegal_ruled.you", "redeal_refused.you", "seat_forfeited.you"),
		"replay.did.": append(engine.TurnEnds(), "seat_forfeited", "turn_expired.none", "illegal_played.none",
			"illegal_ruled.none"),
		"display.did.": append(engine.TurnEnds(), "seat_forfeited"),
		"since.": {"tiles_played", "tile_drawn", "turn_passed", "turn_expired", "illegal_played", "penalty_given",
			"turn_expired.none", "illegal_played.none"},
		"last.": {"tiles_played", "tile_drawn", "turn_passed", "turn_expired", "illegal_played", "penalty_given",
			"redeal_asked", "leftovers_ruled",
			"tiles_played.you", "tile_drawn.you", "turn_passed.you", "turn_expired.you", "illegal_played.you",
			"penalty_given.you", "redeal_asked.you", "leftovers_ruled.you",
			"turn_expired.none", "illegal_played.none", "turn_expired.you.none", "illegal_played.you.none",
			"turn_expired.none.kept", "illegal_played.none.kept", "turn_expired.you.none.kept",
			"illegal_played.you.none.kept",
			"turn_expired.you.kept", "illegal_played.you.kept"},
		"lost.": {engine.NoneDrawn, engine.NonePool, engine.NoneProposed, engine.NoneWaived, engine.NoneNotice},
	}
}

// ruleTexts returns the keys of all rule texts: names, explanations and words.
func ruleTexts() (keys []string) {
	for _, f := range ruleset.RuleFields() {
		keys = append(keys, f.Name, f.Name+".text")
		if f.Hi == 0 {
			for _, word := range desk.RuleWords(f) {
				keys = append(keys, f.Name+"."+word)
			}
		}
	}
	return keys
}

// TestRuleParts checks that the form contains every rule once, each with an existing article.
func TestRuleParts(t *testing.T) {
	want := []string{}
	for _, f := range ruleset.RuleFields() {
		want = append(want, f.Name)
		if !hasArticle(desk.RuleArticle(f.Name)) {
			t.Errorf("%s has no article %q", f.Name, desk.RuleArticle(f.Name))
		}
	}
	got := desk.RuleOrder()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// refusals lists the codes with which the engine refuses a command.
var refusals = []string{
	judge.CodeInvalidSet, judge.CodeTileLost, judge.CodeNotOnRack, judge.CodeNothingPlayed,
	judge.CodeTableTouched, judge.CodeMeldShort, judge.CodeJokerWithoutRackTile, judge.CodeJokerNotReplaced,
	engine.RefusedAlreadyStarted, engine.RefusedNotStarted, engine.RefusedNotBegun, engine.RefusedGameOver,
	engine.RefusedBadDeal, engine.RefusedSeats, engine.RefusedSeat, engine.RefusedNotYourTurn, engine.RefusedStaleTurn,
	engine.RefusedPaused, engine.RefusedNotPaused, engine.RefusedPoolEmpty, engine.RefusedPoolNotEmpty,
	engine.RefusedRedealOff, engine.RefusedRedealClosed, engine.RefusedRedealRefused, engine.RefusedRedealRight,
	engine.RefusedNoDoubles, engine.RefusedAlreadyReady, engine.RefusedAlreadyCalled, engine.RefusedTimeCalled,
	engine.RefusedPhysical, engine.RefusedDigital, engine.RefusedNoStarter, engine.RefusedCounting,
	engine.RefusedPassed,
	engine.RefusedCountSeats, engine.RefusedCountEnding, engine.RefusedCountFace, engine.RefusedCountFew,
	engine.RefusedCountMany,
	engine.RefusedCountAble, engine.RefusedCountEmpty, engine.RefusedCountLoser, engine.RefusedCountWinner,
	engine.RefusedCountUnopened, engine.RefusedCountSum, engine.RefusedCountRack, engine.RefusedCountTiles,
	engine.RefusedCountOut, engine.RefusedCountLowest,
	engine.RefusedNotCalled, engine.RefusedReason, engine.RefusedAmount, engine.RefusedNotDue, engine.RefusedNoLimit,
	engine.RefusedLeftovers, engine.RefusedCallTaken, engine.RefusedRuledSince, engine.RefusedSeatOut,
	engine.RefusedNoProposal,
	engine.RefusedNoRuling, engine.RefusedCancelLate, engine.RefusedRewind, engine.RefusedPosition,
	engine.RefusedTilesLie, engine.RefusedHeld,
}

// formatFamilies groups the keys of formatTexts by the part before their first dot.
func formatFamilies() map[string][]string {
	fields := map[string][]string{}
	for _, key := range formatTexts() {
		subject, rest, _ := strings.Cut(key, ".")
		fields[subject+"."] = append(fields[subject+"."], rest)
	}
	return fields
}

// formatTexts returns the keys that the fields and words of a format's form need.
func formatTexts() []string {
	var keys []string
	for _, i := range slices.Concat(desk.FormatEntry, desk.FormatScoring, desk.FormatStage) {
		keys = append(keys, "ffield."+i.Name)
		for _, word := range i.Words {
			if i.Name != "first_seating" {
				keys = append(keys, "fword."+i.Name+"."+word)
			}
		}
		if i.Free {
			keys = append(keys, "fword."+i.Name+".none")
		}
	}
	return keys
}

// Names from the tournament package: actions on people and their states.
var (
	peopleKinds = []string{"enter", "check_in", "check_out", "all_here", "remove_absent", "leave", "no_show", "back",
		"move_up", "substitute", "return", "fix_table",
		"close_table", "open_table", "missed", "correct", "settings"}
	peopleStates = []string{"waiting", "registered", "checked_in", "withdrawn", "no_show", "substituted"}
)

func anyRuling(engine.RulingKind) bool { return true }

func rulingNames(is func(engine.RulingKind) bool) (names []string) {
	for _, kind := range engine.RulingKinds() {
		if is(kind) {
			names = append(names, kind.Name)
		}
	}
	return names
}

func guideTexts() (texts []string) {
	parts := slices.Clone(regulations.GuideSteps)
	for _, desk := range regulations.GuideDesks {
		for _, part := range desk.Parts {
			parts = append(parts, desk.Name+"."+part)
		}
	}
	for _, part := range parts {
		texts = append(texts, part, part+".text")
	}
	return texts
}

func reasonCodes() (codes []string) {
	for _, kind := range engine.RulingKinds() {
		for _, r := range kind.Reasons {
			codes = append(codes, r.Code)
		}
	}
	return codes
}

// actionCall matches a form's reference to an action by its kind.
var actionCall = regexp.MustCompile(`\bActionPath\("([^"]*)"\)`)

func TestEveryUsedTextExists(t *testing.T) {
	known := families()
	for prefix, words := range known {
		for _, word := range words {
			if !locale.HasText(prefix + word) {
				t.Errorf("no text for %q", prefix+word)
			}
		}
	}
	subjects := map[string]bool{} // the part of a key before its first dot
	for key := range texts(t, "en.json") {
		subject, _, _ := strings.Cut(key, ".")
		subjects[subject] = true
	}
	used := 0
	for name, source := range sources(t) {
		for _, call := range actionCall.FindAllStringSubmatch(source, -1) { // the name of a kind of action, not a key
			if !locale.HasText("log.action." + call[1]) {
				t.Errorf("%s asks for the action %q, which the log has no text for", name, call[1])
			}
		}
		source = actionCall.ReplaceAllString(source, "")
		for _, found := range literalKey.FindAllStringSubmatch(source, -1) {
			key := found[1]
			subject, rest, _ := strings.Cut(key, ".")
			switch {
			case !subjects[subject] || rest == "js":
			case strings.HasSuffix(key, "."):
				if _, ok := known[key]; !ok {
					t.Errorf("%s builds keys from %q, which families does not list", name, key)
				}
			case !locale.HasText(key):
				t.Errorf("%s uses %q, which has no text", name, key)
			default:
				used++
			}
		}
	}
	if used < 250 {
		t.Fatalf("got %d keys out of the sources, want at least 250: the search is broken", used)
	}
}

// TestEveryTextIsUsed checks that no unused text is kept or translated.
func TestEveryTextIsUsed(t *testing.T) {
	literal := regexp.MustCompile(`"([a-z_]+\.[a-z0-9_.-]*)`)
	said := map[string]bool{}
	for _, place := range []string{"../*/*.go", "../*/*.templ", "../../web/*.go", "../../web/*/*.go",
		"../../tournament/*.go", "../../tournament/*/*.go", "../../web/assets/js/*.js"} {
		names, err := filepath.Glob(place)
		if err != nil || len(names) == 0 {
			t.Fatal(place, err)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, found := range literal.FindAllStringSubmatch(string(source), -1) {
				said[found[1]] = true
			}
		}
	}
	for key := range texts(t, "en.json") {
		used := said[key] || !strings.Contains(key, ".") // another test covers errors
		for i, c := range key {
			used = used || (c == '.' || c == '_') && said[key[:i+1]]
		}
		if !used {
			t.Errorf("nothing says %q", key)
		}
	}
}

// sources returns the handwritten source files of the templates by name.
func sources(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(source)
	}
	return all
}

func TestPluralAndLanguage(t *testing.T) {
	for _, test := range []struct {
		wish string
		n    int
		want string
	}{
		{"en", 1, "1 player"}, {"en", 2, "2 players"}, {"it", 1, "1 giocatore"}, {"it-CH", 33, "33 giocatori"},
		{"fi;q=0.9, it;q=0.5", 2, "2 giocatori"}, {"pl", 2, "2 uczestników"}, {"de", 1, "1 Person"}, {"ja", 5, "5人"},
		{"xx", 2, "2 players"}, {"", 0, "0 players"},
		{"he", 1, "שחקן אחד"}, {"he-IL", 2, "שני שחקנים"}, {"he", 33, "33 שחקנים"},
	} {
		if got := locale.T(locale.WithLanguage(t.Context(), test.wish), "event.players", "n",
			test.n); got != test.want {
			t.Errorf("%q, %d: got %q, want %q", test.wish, test.n, got, test.want)
		}
	}
	for wish, want := range map[string]string{"en": "1 recovery code left.", "it": "1 codice di recupero rimasto.",
		"he": "נותר קוד שחזור אחד."} {
		if got := locale.T(locale.WithLanguage(t.Context(), wish), "second.left", "n", 1); got != want {
			t.Errorf("%q: got %q, want %q", wish, got, want)
		}
	}
	if got := locale.T(t.Context(), "no.such.key"); got != "no.such.key" {
		t.Errorf("a key without a text: got %q, want the key", got)
	}
}
