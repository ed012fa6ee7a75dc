package webtest

import (
	"net/http"
	"net/url"
	"testing"
)

func TestLook(t *testing.T) {
	h := newHall(t)
	r := h.reader()
	if got := attr(find(r.get(t, "/").doc, "html")[0], "lang"); got != "en" {
		t.Errorf("language %q", got)
	}
	page := r.get(t, "/sign-in").submit("/look", "lang", "it", "theme", "dark")
	root := find(page.doc, "html")[0]
	if page.path != "/sign-in" || attr(root, "lang") != "it" || attr(root, "data-theme") != "dark" {
		t.Errorf("at %s: %v", page.path, root.Attr)
	}
	page = r.post(t, "/look", url.Values{"back": {"https://evil.example/"}, "theme": {"auto"}})
	if root := find(page.doc, "html")[0]; page.path != "/" || attr(root, "data-theme") != "" {
		t.Errorf("at %s: %v", page.path, root.Attr)
	}
	if got := page.send("/", "Accept-Language", "it-CH"); attr(find(got.doc, "html")[0], "lang") != "it" {
		t.Error("the browser's language is not asked")
	}
	page = h.reader().send(t, http.MethodGet, "/nothing/here", nil, "", "Accept-Language", "it")
	page.is(http.StatusNotFound)
	if root := find(page.doc, "html")[0]; attr(root, "lang") != "it" {
		t.Error("an error speaks another language")
	}
}

func (p *leaf) send(path string, headers ...string) *leaf {
	return p.reader.hall.reader().send(p.t, http.MethodGet, path, nil, "", headers...)
}
