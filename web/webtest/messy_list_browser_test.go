package webtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// messyList returns a club's list of n players in Windows-1250, as its spreadsheet saves it: with a title, empty and
// unknown columns, the family name first, short lines and no rating in several ways.
func messyList(t *testing.T, n int, change ...string) string {
	t.Helper()
	var list strings.Builder
	list.WriteString("Klub Żory – otwarty turniej 2027;;;;;;\r\n;;;;;;\r\n" +
		"Lp.;Imię i nazwisko;Kraj;Klub;Ranking;Wpłata;\r\n")
	for i := range n {
		country := []string{"POL", "Polska", "GER", "Czechy", "SVK"}[i%5]
		rating := []string{"1500", "unr.", "-", "1 600", ""}[i%5]
		fmt.Fprintf(&list, "%d;\"Wójcik%d, Łukasz\";%s;Żory %d;%s;tak;\r\n", i+1, i+1, country, i%3, rating)
	}
	text := strings.NewReplacer(change...).Replace(list.String())
	bytes, err := charmap.Windows1250.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// upload chooses a file in a field.
func (w *eventWalk) upload(selector, name, content string) {
	w.t.Helper()
	bytes := make([]int, len(content))
	for i := range len(content) {
		bytes[i] = int(content[i])
	}
	data, err := json.Marshal(bytes)
	if err != nil {
		w.t.Fatal(err)
	}
	eval[bool](w.p, fmt.Sprintf(`(() => {
		const chosen = new DataTransfer();
		chosen.items.add(new File([new Uint8Array(%s)], %q));
		document.querySelector(%q).files = chosen.files;
		return true;
	})()`, data, name, selector))
}

// TestBrowserAMessyList enters a club's list of 33 players, mends it in the page, and brings it up to date with a newer
// list: only what is new is entered, and one choice takes what has changed. Searches then find the players by plain
// letters.
func TestBrowserAMessyList(t *testing.T) {
	b := startChromium(t)
	e := newEntered(t, "Club", "name\nFinn\n", nil)
	w := asOrganizer(t, b, e, 1280, 800)
	w.open(w.desk() + "/roster")
	w.p.reach("#import")
	w.upload("#file", "list.csv", messyList(t, 33, ";POL;Żory 2;", ";BRN;Żory 2;", "1 600;tak", "1600,5;tak"))
	w.press(`form[action$="/roster/preview"] .btn`)
	w.says(".mend", "Read as Windows-1250")
	w.says("#left-out", "Klub Żory – otwarty turniej 2027 (line 1)")
	w.says("#left-out", "1 empty column left out: G")
	w.says(".flash", "The column “Lp.” is not recognized")
	w.says(".mend .facts", "which country?")
	w.p.picture("messy")
	w.p.size(390, 844)
	w.p.picture("messy-phone")
	w.p.size(1280, 800)
	w.p.tap(w.p.reach(`label:has(> input[name="ignore"])`), w.p.reach(`label:has(> input[name="cut"])`))
	eval[bool](w.p, `(document.querySelector("select[name='country-BRN']").value = "BH", true)`)
	w.press("#lines .primary")
	w.says("#left-out", "2 columns left out: Lp., Wpłata")
	w.says(".mend", "Wójcik33, Łukasz")
	w.p.picture("mended")
	w.press(`button[name="edit"][value="6"]`)
	w.fill("m-6-club", "Rybnik")
	w.p.picture("edited")
	w.press(`#lines button[formaction$="/preview"]`)
	w.says("#lines .primary", "33 players")
	w.press("#lines .primary")
	w.says(".flash", "33 players")

	w.open(w.desk() + "/roster")
	w.says("#players", "Rybnik")
	w.says("#players", "Bahrain")
	for _, typed := range []string{"lukasz", "ŁUKASZ", "wojcik1, l"} {
		w.fill("find", typed)
		w.p.wait(`[...document.querySelectorAll("#players [data-name]")]
				.filter((r) => r.checkVisibility()).length >= 1 &&
			![...document.querySelectorAll("#players [data-name]")]
				.find((r) => r.dataset.name.includes("Finn")).checkVisibility()`)
	}
	w.fill("find", "  ")
	w.p.reach("#file")
	w.upload("#file", "list.csv", messyList(t, 35, ";POL;Żory 2;", ";BRN;Żory 2;", "1 600;tak", "1600,5;tak",
		"Żory 1;", "Gliwice;"))
	w.press(`form[action$="/roster/preview"] .btn`)
	w.p.tap(w.p.reach(`label:has(> input[name="ignore"])`), w.p.reach(`label:has(> input[name="cut"])`))
	eval[bool](w.p, `(document.querySelector("select[name='country-BRN']").value = "BH", true)`)
	w.press("#lines .primary")
	w.says("#entered", "33 players are entered already")
	w.says("#entered", "Gliwice")
	w.p.picture("update")
	w.p.size(390, 844)
	w.p.picture("update-phone")
	w.p.size(1280, 800)
	w.choose("take", "yes")
	w.press("#lines .primary")
	w.says(".flash", "2 players")
	w.open(w.desk() + "/roster")
	w.says("#players", "Gliwice")
	w.says("#players", "Wójcik35, Łukasz")
	w.open(w.desk() + "/people")
	w.p.picture("people")
	w.open(w.desk() + "/log")
	w.says("main", "Gliwice")
	w.p.picture("log")
}
