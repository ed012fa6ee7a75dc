package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/rights"
)

// walker is one of equal events that are walked forward together, each by another way of asking.
type walker struct {
	*event
	head    *caller // the head referee, where there is one
	newest  int64   // the last record that was looked at
	left    map[string]string
	mu      sync.Mutex
	changes []door.Changed
}

// asked is an action in the ways that somebody can ask for it: a page's form, its own address for programs, and its kind. A way
// that there is not is empty.
type asked struct {
	by   *caller // the organizer if it is nobody else
	page string
	form url.Values
	own  string
	send any // to its own address
	body any // to its kind
}

// tried is an action that is asked for, or with no kind what has to be there for the next one. Code is what refuses it.
type tried struct {
	kind string
	code string
	ask  func(w *walker) asked
	step func(w *walker)
}

// topic is a walk: the event that it begins with, and what is tried there one after the other.
type topic struct {
	name string
	set  func(t *testing.T) *event
	rows []tried
}

// topics are all walks. Together they try every action that there is.
func topics() []topic {
	return []topic{peopleTopic(), roundsTopic(), hallTopic(), officialsTopic(), firstTopic(), penaltiesTopic(), eventsTopic(), resultsTopic(), cutTopic(), privacyTopic(), hostingTopic()}
}

// What is true of a few kinds alone, and why. A walk that finds it otherwise fails.
var (
	pageOnly = map[string]string{
		"account.passkey":     "a device answers what the page has asked it through a browser",
		"account.passkey_off": "beside adding one, on the page that lists them",

		"badge.show":   "opens the one tablet on which the PIN is typed",
		"display.pair": "takes the code that a screen shows at the moment, from who stands before it",
	}
	byItself = map[string]string{"copy.gone_on": "the program does it, once it has gone on with a copy"}
)

// TestAnActionIsOne walks equal events forward: through a page, its address for programs and its kind an action writes the same
// records, wakes for the same topics, and is refused for the same reason, in which case nothing is written and nobody wakes.
func TestAnActionIsOne(t *testing.T) {
	t.Parallel()
	for _, topic := range topics() {
		t.Run(topic.name, func(t *testing.T) {
			t.Parallel()
			var walks [3]*walker
			for way := range walks {
				walks[way] = newWalker(topic.set(t))
			}
			for i, row := range topic.rows {
				if row.step != nil {
					for _, w := range walks {
						row.step(w)
						w.told()
					}
					continue
				}
				row.try(t, i, walks)
			}
		})
	}
}

// TestEveryActionIsTried holds that no kind of action is left out, done or refused, by page or program.
func TestEveryActionIsTried(t *testing.T) {
	t.Parallel()
	done, refused := map[string]bool{}, map[string]bool{}
	for _, topic := range topics() {
		for _, row := range topic.rows {
			if row.code == "" {
				done[row.kind] = true
			} else {
				refused[row.kind] = true
			}
		}
	}
	for _, k := range door.Kinds() {
		if k.Does() && (done[k.Name] && refused[k.Name]) == (byItself[k.Name] != "") {
			t.Errorf("walks in which %s is done: %t, is refused: %t", k.Name, done[k.Name], refused[k.Name])
		}
	}
}

func newWalker(e *event) *walker {
	w := &walker{event: e, left: map[string]string{}}
	e.desk.OnChanged(func(c door.Changed) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changes = append(w.changes, c)
	})
	w.told()
	return w
}

// try asks in every way and compares what came of it.
func (row tried) try(t *testing.T, n int, walks [3]*walker) {
	t.Helper()
	ways := [3]string{"its page", "its address", "its kind"}
	var told, refusals [3]string
	tries := 0
	for way, w := range walks {
		a := row.ask(w)
		if a.by == nil {
			a.by = w.organizer
		}
		refusal, ok := a.refusal(t, w, row.kind, way)
		if refusals[way], told[way] = refusal, w.told(); told[way] != told[0] {
			t.Errorf("%d %s by its page:\n%s\nby %s:\n%s", n, row.kind, told[0], ways[way], told[way])
		}
		if way == 0 && !ok {
			t.Fatalf("%d %s has no page", n, row.kind)
		}
		if way == 0 || !ok {
			continue
		}
		tries++
		code, message, _ := strings.Cut(refusal, ": ")
		status, message, _ := strings.Cut(message, " ")
		if code == "err_roster_problems" { // the page says at each line what is wrong there
			_, message, _ = strings.Cut(message, ": Line")
		}
		if code != row.code {
			t.Errorf("%d %s: %s answers %q, want %q", n, row.kind, ways[way], refusal, row.code)
		}
		if !strings.HasPrefix(refusals[0], status) || !saysSo(refusals[0], code, message) {
			t.Errorf("%d %s: its page says %q, and %s %q", n, row.kind, refusals[0], ways[way], message)
		}
	}
	if (refusals[0] == "") != (row.code == "") {
		t.Errorf("%d %s, to be refused with %q: its page says %q", n, row.kind, row.code, refusals[0])
	}
	if (row.code != "") != (told[0] == "") {
		t.Errorf("%d %s, to be refused with %q, leaves %q", n, row.kind, row.code, told[0])
	}
	if (tries == 0) != (pageOnly[row.kind] != "") {
		t.Errorf("%d %s is tried in %d ways by programs", n, row.kind, tries)
	}
}

// saysSo tells whether a page says why it was refused: as programs are told, or in a form's words at the field.
func saysSo(page, code, message string) bool {
	return strings.Contains(page, message) || strings.Contains(page, "it is marked") &&
		(templates.HasText("field."+code) || strings.Contains(page, "choose one from the list"))
}

// refusal asks in one way, or in the next one that there is, and gives the code and text of what refused it: of a page all its text.
// It tells whether there is this way.
func (a asked) refusal(t *testing.T, w *walker, kind string, way int) (text string, ok bool) {
	t.Helper()
	has := [3]bool{a.page != "", a.own != "", a.body != nil}
	is := way
	for !has[is] {
		is = (is + 1) % len(has)
	}
	switch is {
	case 0:
		p := w.as(a.by).post(t, a.page, a.form)
		if p.status < 400 {
			return "", is == way
		}
		return fmt.Sprint(p.status, " ", flat(p.text("body"))), is == way
	case 1:
		return refusalOf(a.by.send(http.MethodPost, a.own, a.send)), is == way
	}
	return refusalOf(a.by.send(http.MethodPost, "/actions/"+kind, a.body)), is == way
}

func refusalOf(status int, _ http.Header, text []byte) string {
	var f struct{ Code, Message string }
	if status < 400 {
		return ""
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return string(text)
	}
	return fmt.Sprint(f.Code, ": ", status, " ", flat(f.Message))
}

// flat leaves out what keeps directions apart, and spaces that a page's lines bring.
func flat(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)), " ")
}

// byChance is what differs between equal events.
var byChance = regexp.MustCompile(
	`"(seed|hash|sha256|head|erased|bytes|took_ms|until)":("[^"]*"|\d+)|"(name|file)":"hall-[-.\d]+db"`)

// told are the records and wake-ups since it was last asked, as a text; empty for none.
func (w *walker) told() string {
	w.t.Helper()
	var lines []string
	for _, r := range slices.Backward(w.recordsOf(w.t)) {
		if r.ID > w.newest {
			line := fmt.Sprint(r.Kind, " v", r.Version, " | ", r.Actor, " | ", r.AboutJSON, " | ", r.Data, " | ", r.Topics, " | ", r.Why)
			lines = append(lines, byChance.ReplaceAllString(line, `"$1$3":…`))
		}
	}
	for _, r := range w.recordsOf(w.t) {
		w.newest = max(w.newest, r.ID)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.changes {
		text, err := json.Marshal(c)
		if err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, "wakes "+string(text))
	}
	w.changes = nil
	return strings.Join(lines, "\n")
}

// recordsOf are all records, those of no event too, the newest first.
func (e *event) recordsOf(t *testing.T) []door.Record {
	t.Helper()
	events, err := tournament.Tournaments(t.Context(), e.store)
	if err != nil {
		t.Fatal(err)
	}
	var all []door.Record
	for _, one := range append(events, tournament.Tournament{}) {
		some, err := door.Records(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "test"), one.ID, 1000)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b door.Record) int { return int(b.ID - a.ID) })
	return all
}

// tooLong is an action that its own address refuses by the length of a field, before it is one.
func tooLong(row tried) tried {
	ask := row.ask
	row.ask = func(w *walker) asked {
		a := ask(w)
		a.own = ""
		return a
	}
	return row
}

// form is what a form sends: names and values.
func form(nameValues ...any) url.Values {
	values := url.Values{}
	for i := 0; i+1 < len(nameValues); i += 2 {
		values.Set(fmt.Sprint(nameValues[i]), fmt.Sprint(nameValues[i+1]))
	}
	return values
}

// fields is what a program sends.
type fields = map[string]any

// desk, referee and round are addresses of pages, tournament and drawn of programs.
func (w *walker) desk(rest string) string     { return fmt.Sprintf("/desk/%d%s", w.id, rest) }
func (w *walker) hallPage(rest string) string { return fmt.Sprintf("/referee/%d%s", w.id, rest) }
func (w *walker) own(rest string) string      { return fmt.Sprintf("/tournaments/%d%s", w.id, rest) }
func (w *walker) roundPage(rest string) string {
	return w.desk(fmt.Sprintf("/rounds/%d%s", w.round.ID, rest))
}
func (w *walker) roundOwn(rest string) string { return fmt.Sprintf("/rounds/%d%s", w.round.ID, rest) }

// Nobody is who has no account and no seat.
func (w *walker) nobody() *caller { return w.public() }

// player is who sits at a seat of the round, both from 0.
func (w *walker) player(table, seat int) int64 { return w.round.Tables[table].Seats[seat].Player.ID }
