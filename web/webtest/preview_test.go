package webtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/templates"
	"meldhall/tournament"
)

// said returns the words of a card: its description contains all that is drawn on it (templates/preview).
func said(t *testing.T, picture string) string {
	t.Helper()
	const head = "iTXtDescription\x00\x00\x00\x00\x00"
	at := strings.Index(picture, head)
	if at < 4 {
		t.Fatalf("no picture with words: %.40q", picture)
	}
	size := int(binary.BigEndian.Uint32([]byte(picture[at-4 : at])))
	return picture[at+len(head) : at+4+size]
}

// previews returns the tournament's pages that have their own link preview.
func (e *event) previews() map[string]string {
	at, table := fmt.Sprintf("/events/%d", e.id), e.round.Tables[0]
	return map[string]string{"event": at, "player": fmt.Sprintf("%s/players/%d", at, table.Seats[0].Player.ID),
		"table": fmt.Sprintf("%s/tables/%d", at, table.ID), "game": fmt.Sprintf("%s/games/%d", at, table.Games[0].ID)}
}

var shared = regexp.MustCompile(`<meta (?:property|name)="(og:[a-z_:]+|twitter:card|description)" content="([^"]*)">`)

// TestPreviewsOfLinks checks that a page names its link preview in the reader's language. The picture is 1200×630
// pixels and at most 150 KB, shows the public data in that language and every script, and returns 304 to a client with
// a current copy.
func TestPreviewsOfLinks(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := cup(t)
	name := e.round.Tables[0].Seats[0].Player.Name
	wants := map[string][]string{"event": {"Cup of the lake", "欧阳修远司马相如诸葛孔明", "Final standings", "127.0.0.1"},
		"player": {"Cup of the lake", name, "Games\n\n4", "Wins", "Points"},
		"table":  {"Table 1", name, "Final, round 3"}, "game": {"Round 3, table 1, Game 1", name, "1 win"}}
	for what, path := range e.previews() {
		for _, lang := range []string{"en", "it", "he", "de", "es", "fr", "ja", "ko", "nl", "pl", "zh-Hant"} {
			_, page := e.asked(t, http.MethodGet, path, "Cookie", "lang="+lang)
			tags := map[string]string{}
			for _, m := range shared.FindAllStringSubmatch(page, -1) {
				tags[m[1]] = m[2]
			}
			if tags["og:image"] != e.http.URL+path+"/card.png?lang="+lang || tags["og:url"] != e.http.URL+path ||
				tags["og:title"] == "" || tags["og:description"] != tags["description"] ||
				!strings.Contains(tags["description"], "Cup of the lake") ||
				tags["twitter:card"] != "summary_large_image" {
				t.Errorf("%s in %s names %q", path, lang, tags)
			}
			at := strings.TrimPrefix(tags["og:image"], e.http.URL)
			res, picture := e.asked(t, http.MethodGet, at)
			config, err := png.DecodeConfig(strings.NewReader(picture))
			if err != nil || config.Width != 1200 || config.Height != 630 || len(picture) > 150_000 ||
				res.Header.Get("Content-Type") != "image/png" {
				t.Errorf("%s: %v, %d × %d, %d bytes, %v", at, err, config.Width, config.Height, len(picture),
					res.Header)
			}
			words := said(t, picture)
			for _, want := range wants[what] {
				if lang == "en" && !strings.Contains(words, want) {
					t.Errorf("%s does not say %q: %q", at, want, words)
				}
			}
			if lang != "en" && strings.Contains(words, "win") {
				t.Errorf("%s says %q", at, words)
			}
			if again, body := e.asked(t, http.MethodGet, at, "If-None-Match",
				res.Header.Get("ETag")); again.StatusCode != http.StatusNotModified || body != "" {
				t.Errorf("%s again: %d, %d bytes", at, again.StatusCode, len(body))
			}
			if _, theirs := e.asked(t, http.MethodGet, at, "Cookie",
				"meldhall-staff="+e.organizer.token); theirs != picture {
				t.Errorf("%s is another picture for an organizer", at)
			}
			if dir := os.Getenv("MELDHALL_PICTURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, what+"-"+lang+".png"), []byte(picture), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	at := fmt.Sprintf("/events/%d", e.id)
	for _, path := range []string{"/events/999", at + "/players/999", at + "/tables/999", at + "/games/999"} {
		if res, _ := e.asked(t, http.MethodGet, path+"/card.png"); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	for page, want := range map[string]string{at + "/crosstable": at, at + "/players": at, at + "/games/7/turns/2": at +
		"/games/7", at + "/tables/3": at + "/tables/3", at: at} {
		if got := templates.PreviewPath(e.id, page); string(got) != want+"/card.png" {
			t.Errorf("the picture of %s is %s", page, got)
		}
	}
}

// TestThePreviewOfTheFirstPage checks that the preview lists the running tournaments before the finished ones, and no
// draft.
func TestThePreviewOfTheFirstPage(t *testing.T) {
	t.Parallel()
	e := newNamedEvent(t, "Cup of the lake", roster(4), nil)
	e.start()
	e.organizer.must(http.MethodPost, "/tournaments", fields{"name": "欧阳修远司马相如诸葛孔明", "format": "open",
		"rules": fields{"preset": "wrc"}}, nil)
	for lang, want := range map[string][]string{"en": {"Events", "Cup of the lake", "Round 1", "127.0.0.1"},
		"he": {"אירועים", "סיבוב 1"}, "ja": {"大会", "第1ラウンド"}} {
		_, page := e.asked(t, http.MethodGet, "/", "Cookie", "lang="+lang)
		at := "/card.png?lang=" + lang
		if !strings.Contains(page, `<meta property="og:image" content="`+e.http.URL+at+`">`) ||
			!strings.Contains(page, `<meta name="description"`) {
			t.Errorf("in %s the first page names no picture: %.2000s", lang, page)
		}
		res, picture := e.asked(t, http.MethodGet, at)
		config, err := png.DecodeConfig(strings.NewReader(picture))
		if err != nil || res.StatusCode != http.StatusOK || config.Width != 1200 || config.Height != 630 ||
			len(picture) > 150_000 {
			t.Fatalf("%s: %d, %v, %d × %d, %d bytes", at, res.StatusCode, err, config.Width, config.Height,
				len(picture))
		}
		words, after := said(t, picture), 0
		for _, w := range want {
			found := strings.Index(words[after:], w)
			if found < 0 {
				t.Errorf("%s does not say %q after %q: %q", at, w, words[:after], words)
				break
			}
			after += found
		}
		if dir := os.Getenv("MELDHALL_PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, "home-"+lang+".png"), []byte(picture), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPreviewsHoldBack checks that while standings or results are frozen, a confirmed result does not change a byte of
// a picture; once it is public, the picture shows it.
func TestPreviewsHoldBack(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := holdable(t)
	frozen := e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	e.shown(tournament.SetShown{Part: tournament.PartResults, How: tournament.ShownFrozen,
		Since: frozen.Standings.Since})
	pictures := func() map[string][]byte {
		all := map[string][]byte{}
		for what, path := range e.previews() {
			res, body := e.asked(t, http.MethodGet, path+"/card.png?lang=en")
			if res.StatusCode != http.StatusOK {
				t.Fatalf("%s: %d", path, res.StatusCode)
			}
			all[what] = []byte(body)
		}
		return all
	}
	before := pictures()
	e.scores()
	for what, picture := range pictures() {
		if !bytes.Equal(picture, before[what]) || aHeldPoint.MatchString(said(t, string(picture))) {
			t.Errorf("the picture of the %s was changed by what is held back: %q", what, said(t, string(picture)))
		}
	}
	e.shown(tournament.SetShown{Part: "all", How: tournament.ShownPublic})
	for what, picture := range pictures() {
		if !aHeldPoint.MatchString(said(t, string(picture))) {
			t.Errorf("shown to all, the picture of the %s says %q", what, said(t, string(picture)))
		}
	}
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	first := pictures()["event"]
	e.count(1, e.round.Tables[1].Games[0].ID)
	e.confirmed(e.round.Tables[1].Games[0].ID)
	if again := pictures()["event"]; !bytes.Equal(first, again) ||
		!strings.Contains(said(t, string(again)), "frozen at") || !strings.Contains(said(t, string(again)), "+867") {
		t.Errorf("the standings that are frozen: %q", said(t, string(again)))
	}
	e.shown(tournament.SetShown{Part: tournament.PartPairing, How: tournament.ShownHidden})
	for _, what := range []string{"table", "game"} {
		if res, _ := e.asked(t, http.MethodGet, e.previews()[what]+"/card.png"); res.StatusCode != http.StatusNotFound {
			t.Errorf("while the pairing is hidden, the picture of a %s: %d", what, res.StatusCode)
		}
	}
}
