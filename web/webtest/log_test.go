package webtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament/archive"
	"meldhall/tournament/transparency"
)

// logged returns an event with a transparency log, and the address below which the log is.
func logged(t *testing.T) (*event, string) {
	t.Helper()
	e := newEvent(t, 8, nil)
	e.start()
	e.steps()
	return e, fmt.Sprintf("/events/%d/log/", e.id)
}

// steps appends to the log, which the server does in the background.
func (e *event) steps() {
	e.t.Helper()
	if n, err := e.server.View.Logs.Step(e.t.Context(), e.id); err != nil || n == 0 {
		e.t.Fatalf("%d leaves, %v", n, err)
	}
}

// TestLogIsPublic reads an event's log as anyone can, checks a proof of each leaf and adds a cosignature.
func TestLogIsPublic(t *testing.T) {
	t.Parallel()
	e, at := logged(t)
	get := func(path string, want int) string {
		t.Helper()
		res, body := e.asked(t, http.MethodGet, at+path)
		if res.StatusCode != want {
			t.Fatalf("%s: %d %.200s", path, res.StatusCode, body)
		}
		return body
	}
	vkey, _, _ := strings.Cut(get("key", http.StatusOK), "\n")
	key, err := note.NewVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	first, err := transparency.OpenCheckpoint(get("checkpoint", http.StatusOK), key)
	if err != nil {
		t.Fatal(err)
	}
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Cup"}, nil)
	e.steps()
	c, err := transparency.OpenCheckpoint(get("checkpoint", http.StatusOK), key)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := transparency.ParseHashes(get(fmt.Sprintf("consistency?from=%d&to=%d", first.N, c.N), http.StatusOK))
	if err == nil {
		err = c.Continues(first, proof)
	}
	if err != nil {
		t.Error(err)
	}
	leaves, err := transparency.ParseBundle([]byte(get("tile/"+transparency.TileAddress(0, c.N), http.StatusOK)))
	if err != nil || int64(len(leaves)) != c.N {
		t.Fatalf("%d leaves, %v", len(leaves), err)
	}
	for i, l := range leaves {
		p, err := transparency.ParseProof(get(fmt.Sprint("inclusion?index=", i), http.StatusOK))
		if err == nil {
			_, err = p.Check(l, key)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if got := get(fmt.Sprintf("tile/0/000.p/%d", c.N), http.StatusOK); int64(len(got)) != 32*c.N {
		t.Errorf("the tile has %d bytes", len(got))
	}
	for path, status := range map[string]int{"tile/0/001": 404, "tile/entries/000": 404, "tile/x": 404,
		fmt.Sprint("inclusion?index=", c.N): 404, "inclusion": 422, "consistency?from=5&to=1": 404} {
		get(path, status)
	}
	w, err := transparency.NewWitnessKey("witness/test", []byte(strings.Repeat("w", 32)))
	if err != nil {
		t.Fatal(err)
	}
	send := func(text string, want int) {
		t.Helper()
		res, err := http.Post(e.http.URL+at+"cosignature", "text/plain", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if body, _ := io.ReadAll(res.Body); res.StatusCode != want {
			t.Errorf("%d %.200s", res.StatusCode, body)
		}
	}
	text := fmt.Sprintf("%s\n%d\n%s", w.Witness, c.N, w.Cosign(c, 1777))
	send(text+"x", http.StatusUnprocessableEntity)
	send(text, http.StatusNoContent)
	if !strings.Contains(get("checkpoint", http.StatusOK), "\n— witness/test ") ||
		!strings.Contains(get("key", http.StatusOK), w.Witness.String()) {
		t.Error("the cosignature is not shown")
	}
	for range 40 {
		res, err := http.Post(e.http.URL+at+"cosignature", "text/plain", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		if res.Body.Close(); res.StatusCode == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("cosignatures are not limited")
}

// TestBrowserWarnsOfAFork checks that a page keeps the checkpoint on the device, follows the log, and warns if the
// server contradicts what it has signed.
func TestBrowserWarnsOfAFork(t *testing.T) {
	b := startChromium(t)
	e, at := logged(t)
	p := b.tab(t, 700, 900)
	p.still()
	page := fmt.Sprintf("%s/events/%d", e.http.URL, e.id)
	item := fmt.Sprintf("localStorage.getItem(%q)", "log "+at)
	p.open(page)
	p.wait(item + " !== null")
	size := func() string { return strings.Split(eval[string](p, item), "\n")[1] }
	before := size()
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Cup"}, nil)
	e.steps()
	p.open(page)
	p.wait(fmt.Sprintf(`%s.split("\n")[1] !== %q`, item, before))
	if eval[bool](p, `!document.getElementById("forked").hidden`) {
		t.Error("the page warns without a fork")
	}
	eval[bool](p, fmt.Sprintf(`(localStorage.setItem(%q, %s.replace(/^([^\n]*\n\d+\n).../, "$1AAA")), true)`, "log "+at,
		item))
	forged := eval[string](p, item)
	p.open(page)
	p.wait(`!document.getElementById("forked").hidden`)
	if got := eval[string](p, `document.querySelector("#forked textarea").value`); !strings.HasPrefix(got, forged) ||
		strings.Count(got, "\n— meldhall/") != 2 || eval[string](p, item) != forged {
		t.Errorf("the evidence is %s", got)
	}
	p.picture("forked")
}

// cosigned adds a witness's signature to the newest checkpoint of an event.
func (e *event) cosigned(name string) transparency.WitnessKey {
	e.t.Helper()
	_, text := e.asked(e.t, http.MethodGet, fmt.Sprintf("/events/%d/log/key", e.id))
	vkey, _, _ := strings.Cut(text, "\n")
	key, err := note.NewVerifier(vkey)
	if err != nil {
		e.t.Fatal(err)
	}
	_, text = e.asked(e.t, http.MethodGet, fmt.Sprintf("/events/%d/log/checkpoint", e.id))
	c, err := transparency.OpenCheckpoint(text, key)
	if err != nil {
		e.t.Fatal(err)
	}
	w, err := transparency.NewWitnessKey(name, []byte(strings.Repeat("w", 32)))
	if err == nil {
		err = e.server.View.Logs.Cosign(e.t.Context(), e.id, fmt.Sprintf("%s\n%d\n%s", w.Witness, c.N,
			w.Cosign(c, time.Now().Unix())))
	}
	if err != nil {
		e.t.Fatal(err)
	}
	return w
}

// TestProofPageShowsTheLog checks that the page that explains how to check an event shows the newest checkpoint and its
// witnesses, and that the archive satisfies the policy that it offers.
func TestProofPageShowsTheLog(t *testing.T) {
	t.Parallel()
	e, at := logged(t)
	path := fmt.Sprintf("/events/%d/proof", e.id)
	if got := e.reader().get(t, path).is(http.StatusOK); got.count("#witnesses") != 0 ||
		!strings.Contains(got.text("#log"), "No witness has signed yet") {
		t.Errorf("without a witness: %q", got.text("#log"))
	}
	w := e.cosigned("witness/club")
	_, signed := e.asked(t, http.MethodGet, at+"checkpoint")
	lines := strings.Split(signed, "\n")
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Cup"}, nil)
	e.pass()
	page := e.reader().get(t, path).is(http.StatusOK)
	if got := page.text("#checkpoint"); !strings.Contains(got, lines[1]) || !strings.Contains(got, lines[2][:12]) {
		t.Errorf("the checkpoint is shown as %q, want %q", got, lines[:3])
	}
	if got := page.text("#log"); !strings.Contains(got, lines[2]) || !strings.Contains(got, lines[4]) {
		t.Errorf("the whole checkpoint is shown as %q, want %q", got, signed)
	}
	if got := page.text("#witnesses"); !strings.Contains(got, "witness/club") ||
		!strings.Contains(got, time.Now().Format("2006")) {
		t.Errorf("the witnesses are %q", got)
	}
	res, text := e.asked(t, http.MethodGet, at+"policy")
	var policy archive.Policy
	if err := json.Unmarshal([]byte(text), &policy); err != nil || policy.Need != 1 ||
		!slices.Equal(policy.Witnesses, []string{w.Witness.String()}) ||
		!strings.Contains(res.Header.Get("Content-Disposition"), "policy.json") {
		t.Errorf("the policy is %s, %v, %v", text, res.Header, err)
	}
	e.steps()
	e.cosigned("witness/club")
	_, _, body := e.organizer.send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/archive.zip", e.id), nil)
	a, err := archive.Read(body)
	if err == nil {
		_, err = a.Verify(t.Context())
	}
	if err == nil {
		_, err = a.Trust(policy)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestBrowserProofPage checks the page that explains how to check an event at several widths, in both themes, with
// large letters and in three languages.
func TestBrowserProofPage(t *testing.T) {
	e, _ := logged(t)
	e.cosigned("witness/of-the-rummikub-club-of-the-lake")
	p := startChromium(t).tab(t, 390, 844)
	p.still()
	axe := axeScript(t)
	for _, lang := range []string{"en", "it", "he"} {
		for _, theme := range []string{"light", "dark"} {
			p.cookie(e.http.URL, "lang", lang)
			p.cookie(e.http.URL, "theme", theme)
			p.open(fmt.Sprintf("%s/events/%d/proof", e.http.URL, e.id))
			eval[bool](p, `(document.querySelectorAll("details").forEach(d => d.open = true), true)`)
			for _, of := range []struct {
				wide    int64
				letters string
			}{{320, "100%"}, {390, "100%"}, {1366, "100%"}, {390, "200%"}} {
				p.size(of.wide, 900)
				eval[bool](p, fmt.Sprintf(`(document.documentElement.style.fontSize = %q, true)`, of.letters))
				name := fmt.Sprintf("%s-%s-%d-%s", lang, theme, of.wide, of.letters[:3])
				if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: %d pixels too wide", name, over)
				}
				p.whole(name)
			}
			for _, violation := range barriers(p, axe) {
				t.Errorf("%s %s: %s", lang, theme, violation)
			}
		}
	}
}
