package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// localeFolder creates a folder of presets with one custom language.
func localeFolder(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "locales"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "locales", name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func page(t *testing.T, client *http.Client, address, accept string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Language", accept)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", address, resp.StatusCode, err)
	}
	return string(body)
}

// TestServeLearnsALanguage checks that a language file in the presets folder is used after the next start.
func TestServeLearnsALanguage(t *testing.T) {
	s := launch(t, filepath.Join(t.TempDir(), "hall.db"), "--presets", localeFolder(t, "pt.json",
		`{"language.name": "Português", "language.dir": "ltr", "home.title": "Eventos", "look.language": "Idioma"}`))
	t.Cleanup(s.Kill)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}

	byBrowser := page(t, client, s.Base+"/", "pt-BR, en;q=0.3")
	for _, want := range []string{`<html lang="pt" dir="ltr"`, "Eventos", "Join a table", `lang="it"`, `lang="he"`} {
		if !strings.Contains(byBrowser, want) {
			t.Errorf("a Portuguese browser does not get %q", want)
		}
	}
	english := page(t, client, s.Base+"/", "en")
	if !strings.Contains(english, `value="pt" lang="pt"`) || !strings.Contains(english, "Português") ||
		strings.Contains(english, "Eventos") {
		t.Error("an English page does not offer Portuguese, or speaks it")
	}
	resp, err := client.PostForm(s.Base+"/look", url.Values{"lang": {"pt"}, "back": {"/"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if !strings.Contains(page(t, client, s.Base+"/", "en"), "Eventos") {
		t.Error("the language that was chosen does not come")
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

func TestServeRefusesABrokenLanguage(t *testing.T) {
	dir := localeFolder(t, "fr.json",
		`{"language.name": "Français", "language.dir": "ltr", "turn.other": "Au tour de {{.nom}}."}`)
	var out bytes.Buffer
	err := serveCmd{DB: filepath.Join(t.TempDir(), "hall.db"), Listen: "127.0.0.1:0", Presets: dir}.serve(t.Context(),
		&out)
	if err == nil || out.Len() > 0 {
		t.Fatalf("it started: %s", out.String())
	}
	for _, want := range []string{"locales/fr.json", `"turn.other"`, "{{.nom}}", "{{.name}}"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %q, want %q in it", err, want)
		}
	}
}
