package webtest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/result"
	"meldhall/web/api"
)

// A speech is what testdata/speech.txt expects of one situation: the announcements, by live region, and nodes of
// the accessibility tree.
type speech struct {
	said, tree []string
	anyOrder   bool     // the reply to the player and the table's update race
	may        []string // announcements that may come or not, such as what is superseded at once
}

// speeches reads the expected speech of each situation.
func speeches(t *testing.T) map[string]*speech {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "speech.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*speech{}
	var now *speech
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "", "#":
		case "##":
			now = &speech{}
			all[rest] = now
		case "may":
			now.may = append(now.may, rest)
		case "tree":
			now.tree = append(now.tree, rest)
		case "any":
			now.anyOrder = true
		default:
			now.said = append(now.said, line)
		}
	}
	return all
}

// time matches a time of day, which differs between runs.
var timeOfDay = regexp.MustCompile(`\d{1,2}:\d\d:\d\d`)

// taken matches the time that a referee takes away, which depends on how long the test has run.
var taken = regexp.MustCompile(`took \d+ s`)

// heard compares the announcements since the last call, up to a last one, and the accessibility tree with
// the table of speeches. The order counts within each live region.
func (e *ear) heard(t *testing.T, want *speech, last string) {
	t.Helper()
	within(t, &e.p.t)
	e.read = max(e.read, e.mark)
	e.until(last)
	e.read = e.mark
	regions := map[string][]string{}
	all := e.more()
	e.mark = e.read
	for _, line := range all {
		line = strings.NewReplacer("\u2068", "", "\u2069", "").Replace(line) // isolates names; not spoken
		line = taken.ReplaceAllString(timeOfDay.ReplaceAllString(line, "TIME"), "took N s")
		region, _, _ := strings.Cut(line, ": ")
		if !slices.Contains(want.may, line) {
			regions[region] = append(regions[region], line)
		}
	}
	expected := map[string][]string{}
	for _, line := range want.said {
		region, _, _ := strings.Cut(line, ": ")
		expected[region] = append(expected[region], line)
	}
	for region := range expected {
		if regions[region] == nil {
			regions[region] = []string{}
		}
	}
	for region, said := range regions {
		if want.anyOrder {
			slices.Sort(said)
			slices.Sort(expected[region])
		}
		if some := expected[region]; len(some) == 1 && strings.HasPrefix(some[0], region+": … ") {
			if !slices.Contains(said, region+": "+strings.TrimPrefix(some[0], region+": … ")) {
				t.Errorf("announced %q, want at least %q", said, some)
			}
		} else if !slices.Equal(said, expected[region]) {
			t.Errorf("announced:\n%s\nwant:\n%s", strings.Join(said, "\n"), strings.Join(expected[region], "\n"))
		}
	}
	var tree []string
	for _, s := range (listener{e.p}).hears() {
		line := s.role + " " + s.name
		if s.off {
			line += " (off)"
		}
		tree = append(tree, strings.TrimSpace(line))
	}
	for _, node := range want.tree {
		if !slices.Contains(tree, node) {
			t.Errorf("the accessibility tree has no %q, but\n%s", node, strings.Join(tree, "\n"))
		}
	}
}

// left moves the page's clock on, so that the player's turn has a number of seconds left.
func (p *tab) left(seconds float64) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const tick = () => document.dispatchEvent(new Event("visibilitychange"));
		const clock = document.getElementById("clock");
		tick(); // --left is as old as the last one
		const left = 10 * Number(clock.dataset.limit) * parseFloat(clock.style.getPropertyValue("--left"));
		window.ahead += left - 1000 * %v;
		tick();
		return true;
	})()`, seconds))
}

// fastClock lets a test move the page's clock on.
const fastClock = `window.ahead = 0; { const now = performance.now.bind(performance); performance.now = () => now() + window.ahead; };`

// TestSpeech plays through twelve situations and compares the announcements and the accessibility tree with
// testdata/speech.txt.
func TestSpeech(t *testing.T) {
	b := startChromium(t)
	want := speeches(t)
	e, game := newPreparedTable(t, preparedRacks...)
	p := b.tab(t, 1280, 800)
	p.still()
	p.atStart(fastClock)
	player := listen(p)
	check := func(situation, last string) {
		t.Helper()
		t.Run(situation, func(t *testing.T) {
			if want[situation] == nil {
				want[situation] = &speech{}
				t.Error("testdata/speech.txt has no such situation")
			}
			player.heard(t, want[situation], last)
		})
	}
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.getElementById("link").classList.contains("live")`)
	player.mark = eval[int](p, `window.earFrom`) // what other pages announced is theirs
	check("joining", "live")
	e.readyBut(1, game)
	player.opensLine()
	player.types("ready")
	check("own turn begins", "Your turn.")
	player.types("rack")
	check("reading the rack", "Rack, 14")
	player.types("lay O10-12")
	check("laying an opening", "33 of 30")
	player.types("lay K4 K6")
	check("an invalid set and why", "not valid")
	player.types("undo")
	check("undo", "33 of 30")
	player.types("done")
	player.until("Accepted")
	p.wait(`document.getElementById("game").dataset.turn === "2"`)
	e.play(1, game, 39, "R9 R10 J R12")
	check("another player’s turn", "new run")
	player.types("referee")
	p.said("has been called")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/acknowledge", game), api.SeatBody{Key: e.key(), Seat: 0}, nil)
	player.until("on the way")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/answer", game), api.SeatBody{Key: e.key(), Seat: 0}, nil)
	player.until("has arrived")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/warning", game), map[string]any{"key": e.key(), "seat": 0,
		"reason": "talking"}, nil)
	check("the referee rules", "warned you")
	p.offline(true)
	player.until("Connection lost")
	p.offline(false)
	check("the connection is lost and comes back", "live")
	e.draw(2, game)
	e.draw(3, game)
	player.until("Your turn.")
	player.until(e.round.Tables[0].Seats[3].Player.Name)
	player.mark = player.read
	for _, mark := range []float64{30, 15, 10, 5} {
		p.left(mark - 0.1)
		p.wait(fmt.Sprintf(`document.getElementById("alarm").textContent === "%v seconds"`, mark))
	}
	check("time runs out", "5 seconds")
	view := e.public().view(game)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game), map[string]any{"key": e.key(),
		"seconds": 3 - int(view.Turn.Due-view.Now)/1000, "reason": "test"}, nil)
	check("time is over", "New on your rack")
}

// TestSpeechOfAResult hears how a game ends and that its result counts.
func TestSpeechOfAResult(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, "O10 O11 O12 O13 K4 K5 K6 K7 B1 B2 B3 R7 R8 R9", "", "", "")
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 1280, 800)
	p.still()
	player := listen(p)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	player.until("Your turn.")
	player.opensLine()
	for _, set := range []string{"O10-13", "K4-7", "B1-3", "R7-9"} {
		player.types("lay " + set)
		player.until("Set ")
	}
	player.mark = player.read
	player.types("done")
	player.until("Rummikub! You win.")
	player.types("agree")
	player.until("confirm it")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	player.heard(t, speeches(t)["a result is counted"], "Arrange your rack")
}
