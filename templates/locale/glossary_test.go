package locale

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// term is an entry of a glossary in data/glossary: what a thing is called in a language. Say lists its forms; each text
// in In has one of them. Never lists expressions for other words, which no text may contain beside Say, apart from the
// texts in Except, such as lists of words to search for.
type term struct {
	Say, Never, In, Except []string
	Why                    string
}

func glossary(t *testing.T, tag string) []term {
	t.Helper()
	content, err := os.ReadFile("../../data/glossary/" + tag + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var terms []term
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&terms); err != nil || len(terms) < 5 {
		t.Fatalf("%s: %v, %d terms", tag, err, len(terms))
	}
	return terms
}

// carriedTexts returns the built-in texts of each language.
func carriedTexts(t *testing.T) map[string]map[string]Forms {
	t.Helper()
	files, err := filepath.Glob("../../data/locales/*.json")
	if err != nil || len(files) < 11 {
		t.Fatal(files, err)
	}
	all := map[string]map[string]Forms{}
	for _, file := range files {
		texts, err := ReadTexts(os.DirFS(filepath.Dir(file)), filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = texts
	}
	return all
}

// bare returns the text of all forms without placeholders.
func (f Forms) bare() string {
	text := strings.Join(slices.Collect(maps.Values(f)), "\n")
	return placeholder.ReplaceAllString(text, "1")
}

// templateAction matches what a template computes within an article of the regulations.
var templateAction = regexp.MustCompile(`\{\{[^}]*\}\}`)

// articles returns the titles and texts of the regulations in a language, or nil.
func articles(t *testing.T, tag string) (texts []string) {
	t.Helper()
	content, err := os.ReadFile("../../data/regulations/" + tag + ".json")
	if os.IsNotExist(err) {
		return nil
	}
	var file struct {
		Chapters []struct {
			Articles []struct{ Title, Text string }
		}
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Chapters {
		for _, a := range c.Articles {
			texts = append(texts, a.Title, templateAction.ReplaceAllString(a.Text, "1"))
		}
	}
	return texts
}

// TestGlossary checks that the texts and the regulations of each language call things what its glossary does.
func TestGlossary(t *testing.T) {
	for tag, texts := range carriedTexts(t) {
		for _, e := range glossary(t, tag) {
			if len(e.Say) == 0 || e.Why == "" || len(e.Never)+len(e.In) == 0 {
				t.Errorf("%s: %+v says too little", tag, e)
				continue
			}
			say := regexp.MustCompile("(?i)" + strings.Join(quoted(e.Say), "|"))
			for _, key := range e.In {
				if text := texts[key].bare(); !say.MatchString(text) {
					t.Errorf("%s: %q: got %q, want %q: %s", tag, key, text, e.Say, e.Why)
				}
			}
			for _, never := range e.Never {
				neverIn(t, tag, e, say, regexp.MustCompile(never), texts)
			}
		}
	}
}

func neverIn(t *testing.T, tag string, e term, say, never *regexp.Regexp, texts map[string]Forms) {
	t.Helper()
	for key, forms := range texts {
		text := say.ReplaceAllString(forms.bare(), "")
		if found := never.FindString(text); found != "" && !slices.Contains(e.Except, key) {
			t.Errorf("%s: %q says %q, want %q: %s", tag, key, found, e.Say[0], e.Why)
		}
	}
	for _, text := range articles(t, tag) {
		if found := never.FindString(say.ReplaceAllString(text, "")); found != "" {
			t.Errorf("%s: the regulations say %q, want %q: %s", tag, found, e.Say[0], e.Why)
		}
	}
}

func quoted(words []string) (all []string) {
	for _, w := range words {
		all = append(all, regexp.QuoteMeta(w))
	}
	return all
}
