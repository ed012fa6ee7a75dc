package webtest

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
)

// reader is a browser without scripts: it keeps cookies, follows redirects and submits forms.
type reader struct {
	*hall
	client *http.Client
}

// leaf is a loaded page.
type leaf struct {
	t      *testing.T
	reader *reader
	status int
	path   string // the path after redirects
	header http.Header
	doc    *html.Node
}

func (h *hall) reader() *reader {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return &reader{h, &http.Client{Jar: jar, Transport: h.http.Client().Transport}}
}

// as returns a browser that holds a caller's token.
func (h *hall) as(c *caller) *reader {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	base, err := url.Parse(h.http.URL)
	if err != nil {
		h.t.Fatal(err)
	}
	name := "meldhall-staff"
	if strings.HasPrefix(c.name, "table ") || strings.HasPrefix(c.name, "device ") {
		name = "meldhall-seat"
	}
	if c.token != "" {
		jar.SetCookies(base, []*http.Cookie{{Name: name, Value: c.token, Path: "/"}})
	}
	return &reader{h, &http.Client{Jar: jar, Transport: h.http.Client().Transport}}
}

// signedIn returns a reader with an official's session, which it creates through the form if there is none.
func (h *hall) signedIn(name string) *reader {
	h.t.Helper()
	if c, ok := h.officials[name]; ok {
		return h.as(c)
	}
	return h.signsIn(name)
}

// signsIn signs an official in through the form and returns the reader.
func (h *hall) signsIn(name string) *reader {
	h.t.Helper()
	r := h.reader()
	p := r.get(h.t, "/sign-in").submit("/sign-in", "name", name, "password", password)
	if p.path == "/sign-in" {
		h.t.Fatalf("%s is not signed in: %s", name, p.text("main"))
	}
	return r
}

func (r *reader) get(t *testing.T, path string) *leaf {
	t.Helper()
	return r.send(t, http.MethodGet, path, nil, "")
}

// post sends a form that is on no page; headers are alternating names and values.
func (r *reader) post(t *testing.T, path string, form url.Values, headers ...string) *leaf {
	t.Helper()
	return r.send(t, http.MethodPost, path, strings.NewReader(form.Encode()), "application/x-www-form-urlencoded",
		headers...)
}

func (r *reader) send(t *testing.T, method, path string, body io.Reader, kind string, headers ...string) *leaf {
	t.Helper()
	req, err := http.NewRequest(method, r.http.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if method != http.MethodGet && req.Header.Get("Origin")+req.Header.Get("Sec-Fetch-Site") == "" {
		req.Header.Set("Sec-Fetch-Site", "same-origin") // as browsers do
	}
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	doc, err := html.Parse(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return &leaf{t, r, res.StatusCode, res.Request.URL.RequestURI(), res.Header, doc}
}

// upload submits a form with a file.
func (r *reader) upload(t *testing.T, path, field, content string) *leaf {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	kind := ".csv"
	switch {
	case !strings.HasPrefix(content, "PK") && !strings.HasPrefix(content, "\xd0\xcf"):
	case strings.Contains(path, "roster"):
		kind = ".xlsx"
	default:
		kind = ".zip"
	}
	file, err := form.CreateFormFile(field, field+kind)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(file, content)
	form.Close()
	return r.send(t, http.MethodPost, path, &body, form.FormDataContentType())
}

// find returns all elements that match a selector of the form tag, tag.class, .class, #id or tag[name=value].
func find(n *html.Node, selector string) (found []*html.Node) {
	if n.Type == html.ElementNode && selects(n, selector) {
		found = append(found, n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		found = append(found, find(c, selector)...)
	}
	return found
}

func selects(n *html.Node, selector string) bool {
	if tag, condition, ok := strings.Cut(selector, "["); ok {
		name, value, _ := strings.Cut(strings.TrimSuffix(condition, "]"), "=")
		return (tag == "" || n.Data == tag) && attr(n, name) == value
	}
	if id, ok := strings.CutPrefix(selector, "#"); ok {
		return attr(n, "id") == id
	}
	tag, class, hasClass := strings.Cut(selector, ".")
	if tag != "" && n.Data != tag {
		return false
	}
	return !hasClass || strings.Contains(" "+attr(n, "class")+" ", " "+class+" ")
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var text strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		text.WriteString(textOf(c))
		text.WriteByte(' ')
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// text returns the text of the first matching element, or "".
func (p *leaf) text(selector string) string {
	if all := find(p.doc, selector); len(all) > 0 {
		return textOf(all[0])
	}
	return ""
}

func (p *leaf) count(selector string) int { return len(find(p.doc, selector)) }

// value returns the value of a field.
func (p *leaf) value(name string) string {
	if inputs := find(p.doc, "input[name="+name+"]"); len(inputs) > 0 {
		return attr(inputs[0], "value")
	}
	if areas := find(p.doc, "textarea[name="+name+"]"); len(areas) > 0 {
		return textOf(areas[0])
	}
	return ""
}

// submit submits the page's form whose action ends with action, with its field values and the changes.
func (p *leaf) submit(action string, changes ...string) *leaf {
	p.t.Helper()
	for _, form := range find(p.doc, "form") {
		if !strings.HasSuffix(attr(form, "action"), action) {
			continue
		}
		values := fieldsOf(form)
		for i := 0; i+1 < len(changes); i += 2 {
			values.Set(changes[i], changes[i+1])
		}
		return p.reader.post(p.t, attr(form, "action"), values, "Referer", p.reader.http.URL+p.path)
	}
	p.t.Fatalf("%s has no form to %s: %d %s", p.path, action, p.status, p.text("main"))
	return nil
}

// look submits a GET form, with its values in the query.
func (p *leaf) look(t *testing.T, action string, changes ...string) *leaf {
	t.Helper()
	for _, form := range find(p.doc, "form[method=get]") {
		if !strings.HasSuffix(attr(form, "action"), action) {
			continue
		}
		values := fieldsOf(form)
		for i := 0; i+1 < len(changes); i += 2 {
			values.Set(changes[i], changes[i+1])
		}
		return p.reader.get(t, attr(form, "action")+"?"+values.Encode())
	}
	t.Fatalf("%s has no form that asks %s: %d %s", p.path, action, p.status, p.text("main"))
	return nil
}

// fieldsOf returns what a browser would send of a form when its first button is pressed.
func fieldsOf(form *html.Node) url.Values {
	values := url.Values{}
	for _, n := range append(find(form, "input"), find(form, "textarea")...) {
		kind := attr(n, "type")
		switch {
		case attr(n, "name") == "", kind == "file", (kind == "radio" || kind == "checkbox") && !has(n, "checked"):
		case n.Data == "textarea":
			values.Set(attr(n, "name"), textOf(n))
		default:
			values.Set(attr(n, "name"), attr(n, "value"))
		}
	}
	for _, list := range find(form, "select") {
		for _, n := range find(list, "option") {
			if has(n, "selected") {
				values.Set(attr(list, "name"), attr(n, "value"))
			}
		}
	}
	if buttons := find(form, "button"); len(buttons) > 0 && attr(buttons[0], "name") != "" {
		values.Set(attr(buttons[0], "name"), attr(buttons[0], "value"))
	}
	return values
}

// is checks the page's status.
func (p *leaf) is(status int) *leaf {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("%s: got %d, want %d: %s", p.path, p.status, status, p.text("main"))
	}
	return p
}

// says checks that an element's text contains want.
func (p *leaf) says(selector, want string) *leaf {
	p.t.Helper()
	if got := p.text(selector); !strings.Contains(got, want) {
		p.t.Fatalf("%s, %s: got %q, want %q in it", p.path, selector, got, want)
	}
	return p
}

// account creates an official's account.
func (h *hall) account(role rights.Role) {
	h.t.Helper()
	if _, err := action.Do(h.t.Context(), h.desk, rights.Staff(rights.RoleOrganizer, "test"),
		account.CreateAccount{Name: string(role), Password: password, Role: role}); err != nil {
		h.t.Fatal(err)
	}
}
