package webtest

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

	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
)

// A walker is one of three identical tournaments that a walk advances in parallel, each by another way of requesting
// actions.
type walker struct {
	*event
	head    *caller // the head referee, or nil
	newest  int64   // the last record read
	left    map[string]string
	mu      sync.Mutex
	changes []action.Changed
}

// asked is a request for an action in each possible way: a page's form, the action's own API address, and its kind. An
// empty field means that the way does not exist.
type asked struct {
	by   *caller // nil means the organizer
	page string
	form url.Values
	own  string
	send any // body sent to its own address
	body any // body sent to its kind
}

// tried is a row of a walk: an action to request and the error code that rejects it, or without a kind a step that
// prepares the next row.
type tried struct {
	kind string
	code string
	ask  func(w *walker) asked
	step func(w *walker)
}

// A topic is a walk: how its tournament is made, and the rows to try in order.
type topic struct {
	name string
	set  func(t *testing.T) *event
	rows []tried
}

// topics returns all walks. Together they try every action.
func topics() []topic {
	return []topic{peopleTopic(), roundsTopic(), hallTopic(), officialsTopic(), firstTopic(), penaltiesTopic(),
		eventsTopic(), resultsTopic(), cutTopic(), privacyTopic(), hostingTopic()}
}

// Exceptions for a few kinds, each with its reason. A walk that contradicts them fails.
var (
	pageOnly = map[string]string{
		"account.passkey":     "a device answers what the page has asked it through a browser",
		"account.passkey_off": "beside adding one, on the page that lists them",

		"badge.show":   "opens the one tablet on which the PIN is typed",
		"display.pair": "takes the code that a screen shows at the moment, from who stands before it",
	}
	byItself = map[string]string{"copy.gone_on": "the program does it, once it has gone on with a copy",
		"device.signed": "the program does it after a signed ruling"}
)

// TestAnActionIsOne walks identical tournaments forward. An action must write the same records, wake the same topics
// and be rejected for the same reasons whether it is requested through a page, its API address or its kind. A rejected
// action writes nothing and wakes no topic.
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

// TestEveryActionIsTried checks that the walks perform and reject every kind of action, through pages and the API.
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
	for _, k := range action.Kinds() {
		if k.Does() && (done[k.Name] && refused[k.Name]) == (byItself[k.Name] != "") {
			t.Errorf("walks in which %s is done: %t, is refused: %t", k.Name, done[k.Name], refused[k.Name])
		}
	}
}

func newWalker(e *event) *walker {
	w := &walker{event: e, left: map[string]string{}}
	e.desk.OnChanged(func(c action.Changed) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changes = append(w.changes, c)
	})
	w.told()
	return w
}

// try requests the action in every way and compares the outcomes.
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
		if code == "err_roster_problems" { // the page shows these errors at their lines
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

// saysSo reports whether a rejected form's page shows the reason, either as the API's message or in the form's words at
// the field.
func saysSo(page, code, message string) bool {
	return strings.Contains(page, message) || strings.Contains(page, "it is marked") &&
		(locale.HasText("field."+code) || strings.Contains(page, "choose one from the list"))
}

// refusal requests the action in the given way, or in the next one that exists. It returns the code and text of the
// rejection, for a page its whole text. ok reports whether the given way exists.
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

// flat removes bidirectional isolates and collapses white space.
func flat(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)), " ")
}

// byChance matches values that differ between identical tournaments.
var byChance = regexp.MustCompile(
	`"(seed|hash|sha256|head|erased|bytes|took_ms|until)":("[^"]*"|\d+)|"(name|file)":"hall-[-.\d]+db"`)

// told returns the records and wake-ups since its last call as text, or "" if there are none.
func (w *walker) told() string {
	w.t.Helper()
	var lines []string
	for _, r := range slices.Backward(w.recordsOf(w.t)) {
		if r.ID > w.newest {
			line := fmt.Sprint(r.Kind, " v", r.Version, " | ", r.Actor, " | ", r.AboutJSON, " | ", r.Data, " | ",
				r.Topics, " | ", r.Why)
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

// recordsOf returns the records of all tournaments and of none, the newest first.
func (e *event) recordsOf(t *testing.T) []action.Record {
	t.Helper()
	events, err := tournament.Tournaments(t.Context(), e.store)
	if err != nil {
		t.Fatal(err)
	}
	var all []action.Record
	for _, one := range append(events, tournament.Tournament{}) {
		some, err := action.Records(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "test"), one.ID, 1000)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b action.Record) int { return int(b.ID - a.ID) })
	return all
}

// tooLong drops the action's own address, which already rejects a field of this length before it builds the action.
func tooLong(row tried) tried {
	ask := row.ask
	row.ask = func(w *walker) asked {
		a := ask(w)
		a.own = ""
		return a
	}
	return row
}

// form returns the form values of alternating names and values.
func form(nameValues ...any) url.Values {
	values := url.Values{}
	for i := 0; i+1 < len(nameValues); i += 2 {
		values.Set(fmt.Sprint(nameValues[i]), fmt.Sprint(nameValues[i+1]))
	}
	return values
}

// fields is the body of an API request.
type fields = map[string]any

// desk, hallPage and roundPage return addresses of pages, own and roundOwn those of the API.
func (w *walker) desk(rest string) string     { return fmt.Sprintf("/desk/%d%s", w.id, rest) }
func (w *walker) hallPage(rest string) string { return fmt.Sprintf("/referee/%d%s", w.id, rest) }
func (w *walker) own(rest string) string      { return fmt.Sprintf("/tournaments/%d%s", w.id, rest) }
func (w *walker) roundPage(rest string) string {
	return w.desk(fmt.Sprintf("/rounds/%d%s", w.round.ID, rest))
}
func (w *walker) roundOwn(rest string) string { return fmt.Sprintf("/rounds/%d%s", w.round.ID, rest) }

// nobody returns a caller without an account or a seat.
func (w *walker) nobody() *caller { return w.public() }

// player returns the player at a seat of the round; table and seat count from 0.
func (w *walker) player(table, seat int) int64 { return w.round.Tables[table].Seats[seat].Player.ID }
