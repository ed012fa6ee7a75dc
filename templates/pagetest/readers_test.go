package pagetest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/tools/go/packages"

	"meldhall/templates/locale"
)

// readerRoots lists the handlers of the pages for players and the public.
var readerRoots = []string{
	"(*meldhall/web/public.Pages).AddTo", "(*meldhall/web/public.PastPages).AddTo", "(*meldhall/web/feeds.Pages).AddTo",
	"(*meldhall/web/tablet.Pages).AddTo",
	"(*meldhall/web/screens.Screens).screenPage", "(*meldhall/web/screens.Screens).screenLive",
	"(*meldhall/web/screens.Screens).boardPage", "(*meldhall/web/screens.Screens).boardLive",
	"(*meldhall/web/screens.Screens).openBoards", "(*meldhall/web/screens.Screens).openBoardsLive",
	"(*meldhall/web/screens.Screens).overlayPage", "(*meldhall/web/screens.Screens).overlayLive",
	"(*meldhall/web/screens.Screens).commentaryPage", "(*meldhall/web/screens.Screens).commentaryLive",
	"(*meldhall/web/organizations.Pages).eventsPage", "(*meldhall/web.Server).apiPage",
}

// officialsParts lists code that those pages share with the officials' pages, or show only to officials.
var officialsParts = []string{
	"(*meldhall/web/tablet.Pages).badgePage", "(*meldhall/web/tablet.Pages).badgePost",
	"(*meldhall/web/tablet.Pages).badgeSheetPage", "(*meldhall/web/tablet.Pages).badgeSheetPost",
	"meldhall/templates/part.finder", "meldhall/templates/part.trainingLinks", "meldhall/templates/part.copiesNow",
	"(*meldhall/web/page.Base).machine", "(*meldhall/web/view.Reader).NodesSaid",
	"meldhall/web/formfault.places", "meldhall/web/formfault.Place", "meldhall/tournament/format.FieldProblem",
	"meldhall/tournament.FinishEventKind", "meldhall/tournament.FinishRoundKind",
	"(*meldhall/tournament/ranking.Board).nextCut",
	"(meldhall/tournament/draw.NextRound).next", "(*meldhall/tournament/draw.NextRound).next",
	"meldhall/tournament.PlayOffTables",
	"(meldhall/tournament/format.Stage).Seat", "meldhall/tournament/format.cutAbove",
	"meldhall/tournament/format.cutBelow",
	"(meldhall/tournament/format.Format).inStage", "(meldhall/tournament/format.Format).entry",
}

// officialsTexts lists keys or prefixes that the search below finds as part of a family or in an error's path, but that
// only officials see.
var officialsTexts = []string{
	"ffield.", "fword.", "rule.", "role.", "format_why.", "formats.all", "guide.desk.",
	"guide.search", "guide.answers.", "guide.referee.", "guide.organizer.",
	"setup.done", "setup.go", "setup.have_account", "setup.lead", "setup.password_hint", "setup.title", "setup.token",
	"protest.correct", "protest.count", "protest.list", "protest.none", "protest.reason", "protest.reject",
	"protest.uphold", "protest.upheld_now",
	"board.call", "board.champion.", "board.fit", "board.gong", "board.inches", "board.lang_own", "board.letters",
	"board.look", "board.metres", "board.names", "board.part",
	"board.revealed", "board.rotates", "board.screen", "board.set", "board.show", "board.sound", "board.tables",
	"board.test", "board.text_label", "board.theme.",
	"storage.", "err_copy_", "clock.behind", "damage.log", "damage.official", "damage.player", "damage.row", "trust.",
	"err_no_authority",
	"err_account_not_found", "err_check_in_state", "err_draw_moved", "err_format_points", "err_key_", "err_limited",
	"err_not_your_event", "err_of_house", "err_organization_",
	"err_not_your_zone", "err_player_seated_twice", "err_protest_undecided", "err_protest_upheld", "err_result_changed",
	"err_result_recorded",
	"err_roster_problems", "err_rules_", "err_second_", "second.", "err_table_size", "err_tiles", "err_tournament_name",
	"err_undo_changed", "err_zone_",
}

// readersToo lists keys that match officialsTexts but are for all readers.
var readersToo = []string{"protest.rejected", "board.test_read"}

func onlyOfficials(key string) bool {
	return !slices.Contains(readersToo, key) && slices.ContainsFunc(officialsTexts,
		func(p string) bool { return strings.HasPrefix(key, p) })
}

// TestReadersTexts checks that every language has the texts for players and the public, in all plural forms and with
// the same placeholders. It finds these texts by following the code from the routes of their pages.
func TestReadersTexts(t *testing.T) {
	keys := readersKeys(t)
	for _, sure := range []string{"game.end_turn", "join.title", "err_code_wrong", "refused.not_your_turn",
		"last.tile_drawn.you", "past.statistics", "tie.wins", "say.your_turn"} {
		if keys[sure] == "" {
			t.Errorf("%q is not found: the search is broken", sure)
		}
	}
	if len(keys) < 1000 {
		t.Fatalf("found %d keys, want at least 1000: the search is broken", len(keys))
	}
	for _, not := range []string{"draw.title", "accounts.add", "rule.turn_ms", "confirm.pause", "guide.referee.need"} {
		if keys[not] != "" {
			t.Errorf("%q is found, by %s: it is an official's", not, keys[not])
		}
	}
	english := texts(t, "en.json")
	names, err := fs.Glob(inside(t), "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		have := texts(t, name)
		if err := locale.CheckTexts(language.MustParse(strings.TrimSuffix(name, ".json")), true, english,
			have); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if have[key] == nil {
				t.Errorf("%s lacks %q, read by way of %s: %s", name, key, keys[key], english[key])
			}
		}
		if len(have) == len(english) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(have)) {
			if keys[key] == "" {
				t.Errorf("%s has %q, which no player and nobody of the public reads: on officials' pages the language is not offered", name, key)
			}
		}
	}
}

// reach traverses the code from function to function.
type reach struct {
	declared map[types.Object]declaration
	seen     map[types.Object]bool
	next     []types.Object
	all      []string // all keys
	keys     map[string]string
}

type declaration struct {
	node ast.Node
	info *types.Info
}

// readersKeys returns the keys of the readers' texts, each with a function that uses it.
func readersKeys(t *testing.T) map[string]string {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Dir: "../..",
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo},
		"./web/...", "./templates/...", "./tournament/...", "./engine/...")
	if err != nil {
		t.Fatal(err)
	}
	r := &reach{declared: map[types.Object]declaration{}, seen: map[types.Object]bool{}, keys: map[string]string{}}
	r.all = slices.Sorted(maps.Keys(texts(t, "en.json")))
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				r.declare(p.TypesInfo, d)
			}
		}
	}
	roots := 0
	for o := range r.declared {
		if slices.Contains(readerRoots, objectName(o)) {
			roots++
			r.follow(o)
		}
	}
	if roots != len(readerRoots) {
		t.Fatalf("found %d of the roots %q", roots, readerRoots)
	}
	for len(r.next) > 0 {
		o := r.next[0]
		r.next = r.next[1:]
		r.visit(o)
	}
	// read only by the language switch, before there is a page
	for _, key := range []string{"language.name", "language.dir"} {
		r.keys[key] = "the switch of languages"
	}
	return r.keys
}

func (r *reach) declare(info *types.Info, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		r.declared[info.Defs[d.Name]] = declaration{d, info}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, n := range v.Names {
					r.declared[info.Defs[n]] = declaration{v, info}
				}
			}
		}
	}
}

func (r *reach) follow(o types.Object) {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	if _, ours := r.declared[o]; ours && !r.seen[o] && !slices.Contains(officialsParts, objectName(o)) {
		r.seen[o] = true
		r.next = append(r.next, o)
	}
}

// visit follows what a declaration refers to and, for every action that it constructs, the Do method.
func (r *reach) visit(o types.Object) {
	d := r.declared[o]
	ast.Inspect(d.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && d.info.Uses[id] != nil && d.info.Uses[id].Pkg() != nil {
			r.follow(d.info.Uses[id])
		}
		if made, ok := n.(*ast.CompositeLit); ok {
			if named, ok := d.info.TypeOf(made).(*types.Named); ok {
				for m := range named.Methods() {
					if m.Name() == "Do" {
						r.follow(m)
					}
				}
			}
		}
		if e, ok := n.(ast.Expr); ok {
			if v := d.info.Types[e].Value; v != nil && v.Kind() == constant.String {
				r.said(constant.StringVal(v), objectName(o))
			}
		}
		return true
	})
}

// said records a string in the code that is a key or the prefix of a family of keys.
func (r *reach) said(text, by string) {
	family := len(text) > 2 && text != "err_" && (strings.HasSuffix(text, ".") || strings.HasSuffix(text, "_"))
	for _, key := range r.all {
		if (key == text || family && strings.HasPrefix(key, text)) && !onlyOfficials(key) {
			r.keys[key] = by
		}
	}
}

func objectName(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		return f.FullName()
	}
	if o == nil || o.Pkg() == nil {
		return fmt.Sprint(o)
	}
	return o.Pkg().Path() + "." + o.Name()
}
