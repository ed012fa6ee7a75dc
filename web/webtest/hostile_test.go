package webtest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// wrongTexts are wrong values for form fields.
var wrongTexts = map[string]string{"empty": "", "too long": strings.Repeat("x", 5000), "not a number": "abc",
	"negative": "-1", "huge": "99999999999999999999999",
	"the greatest": "9223372036854775807", "a fraction": "1.5", "a list": "[]", "an object": `{"a":1}`,
	"unknown": "987654321", "NUL": "a\x00b", "no UTF-8": "\xff\xfe", "spaces": " \t\n ", "a percent": "%zz"}

// wrongValues are the same for JSON fields; "nothing" omits the field.
var wrongValues = map[string]string{"nothing": "", "empty": `""`, "too long": `"` + strings.Repeat("x", 5000) + `"`,
	"text": `"abc"`, "number": "7", "negative": "-1",
	"huge": "99999999999999999999999", "the greatest": "9223372036854775807", "a fraction": "1.5", "null": "null",
	"true": "true", "list": "[]", "list of lists": "[[]]", "list of null": "[null]",
	"object": "{}", "unknown": "987654321", "NUL": `"a\u0000b"`, "no UTF-8": "\"\xff\xfe\"", "base64": `"/////w=="`,
	"deep": strings.Repeat("[", 2000) + strings.Repeat("]", 2000)}

// wrongBodies are wrong request bodies for the API.
var wrongBodies = []string{"", "null", "[]", `"x"`, "7", "{", "\xff", "{\"a\":\x00}", `{"a":1}`,
	strings.Repeat(`{"a":`, 5000) + strings.Repeat("}", 5000), "name\n\x00,\"\n"}

// hangsUp records a response, but hangs up when a stream starts.
type hangsUp struct {
	*httptest.ResponseRecorder
	hangUp context.CancelFunc
}

func (w *hangsUp) SetWriteDeadline(time.Time) error { return nil }
func (w *hangsUp) SetReadDeadline(time.Time) error  { return nil }

func (w *hangsUp) Flush() {
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		w.hangUp()
	}
}

// hostile sends wrong requests with the widest rights: as an organizer and as a seated player.
type hostile struct {
	t     *testing.T
	e     *event
	fill  *strings.Replacer
	rng   *rand.Rand
	token string // the organizer's
	seat  string // a player's
	sent  int
	by    map[int]int
}

// never sends a random eighth of the requests and checks that none causes a server error.
func (h *hostile) never(what, method, path, kind, body, token string) {
	h.t.Helper()
	if h.rng.IntN(8) > 0 {
		return
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), 10*time.Second)
	defer cancel()
	req := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
	req.URL = &url.URL{Path: path}
	if at, query, ok := strings.Cut(path, "?"); ok {
		req.URL = &url.URL{Path: at, RawQuery: query}
	}
	req.RequestURI = req.URL.RequestURI()
	req.Header.Set("Content-Type", kind)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	} else {
		req.Header.Set("Cookie", "meldhall-staff="+h.token+"; meldhall-seat="+h.seat)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	w := &hangsUp{httptest.NewRecorder(), cancel}
	h.e.server.ServeHTTP(w, req)
	h.sent++
	if h.by[w.Code]++; w.Code >= 500 {
		h.t.Errorf("%s %s with %s: %d\n%.200s\n%.200s", method, path, what, w.Code, body, flat(w.Body.String()))
	}
}

// formFields returns the field names that page handlers read from forms and queries.
func formFields(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	deeper, err := filepath.Glob("../*/*.go")
	if files = append(files, deeper...); err != nil || len(deeper) < 100 {
		t.Fatalf("%d files in the packages of web, %v", len(deeper), err)
	}
	names := map[string]bool{}
	asks := regexp.MustCompile(`(?:PostForm|Query|PostFormArray|QueryArray|Get|form|formInt|FormID|QueryID|ParseID|numberOf)\((?:c, |c\.PostForm, |c\.Query, |get, )?"([a-z][a-zA-Z_-]*)"\)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range asks.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
	}
	if len(names) < 50 {
		t.Fatalf("only %d names of fields were found", len(names))
	}
	return slices.Sorted(maps.Keys(names))
}

// TestNothingWrongIsAnErrorOfOurs sends every kind of wrong value to every form, API body and address: all fields wrong
// in the same way, and some wrong fields in a right form. No response may be a server error.
func TestNothingWrongIsAnErrorOfOurs(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	form := url.Values{"player": {""}, "state": {""}, "why": {""}, "division": {""}}
	e.signedIn("organizer").post(t, fmt.Sprintf("/desk/%d/qualification", e.id),
		form).is(http.StatusUnprocessableEntity)
	h := &hostile{t: t, e: e, by: map[int]int{}, fill: e.addresses(t, game), rng: rand.New(rand.NewPCG(17, 10)),
		seat: e.at(0, 0).token}
	var routes []string
	for _, route := range e.server.Routes() {
		for _, address := range addressesOf(route.Path) {
			routes = append(routes, route.Method+" "+address)
		}
	}
	fields := h.described()
	for _, k := range action.Kinds() {
		if route := "POST " + request.APIBase + "/actions/" + k.Name; k.ByKind() {
			routes, fields[route] = append(routes, route), actionFields(t, k)
		}
	}
	slices.SortFunc(routes, func(a, b string) int {
		return cmp.Or(cmp.Compare(lateness(a), lateness(b)),
			cmp.Compare(a, b))
	})
	asked := formFields(t)
	for _, route := range routes {
		method, pattern, _ := strings.Cut(route, " ")
		// spares the organizer's account
		pattern = strings.NewReplacer(":account", "2", "/accounts/:id", "/accounts/2").Replace(pattern)
		h.signIn()
		h.addresses(method, pattern)
		script := fields["POST "+request.APIBase+"/games/:id"+pattern[strings.LastIndex(pattern, "/"):]]
		switch {
		case strings.Contains(pattern, "/game/:id/") && method == http.MethodPost &&
			script != nil: // a tablet's script sends the same
			h.bodies(h.fill.Replace(pattern), script)
		case strings.HasPrefix(pattern, request.APIBase) && method == http.MethodPost:
			h.bodies(h.fill.Replace(pattern), fields[route])
		case !strings.HasPrefix(pattern, request.APIBase) && !strings.HasPrefix(pattern, "/assets") &&
			!strings.HasSuffix(pattern, "/live"):
			h.forms(method, h.fill.Replace(pattern), asked)
		}
	}
	t.Logf("%d requests: %v", h.sent, h.by)
	if h.sent < 3000 || h.by[401] > h.sent/10 || h.by[422] < h.sent/10 {
		t.Errorf("of %d requests the answers were %v", h.sent, h.by)
	}
}

// lateness sorts players' routes first and actions by kind last, because those revoke the player's device.
func lateness(route string) int {
	switch {
	case strings.Contains(route, "/actions/"):
		return 2
	case strings.Contains(route, "/games/:id/"), strings.Contains(route, "/game/:id/"),
		strings.Contains(route, "/seat"):
		return 0
	}
	return 1
}

// signIn starts a new organizer session, because a form may have ended the last one.
func (h *hostile) signIn() {
	h.t.Helper()
	accounts, err := account.Accounts(h.t.Context(), h.e.store, rights.Staff(rights.RoleOrganizer, "organizer"))
	if err != nil {
		h.t.Fatal(err)
	}
	me := rights.Staff(rights.RoleOrganizer, "organizer")
	i := slices.IndexFunc(accounts, func(a account.Account) bool { return a.Role == rights.RoleOrganizer })
	me.Account = accounts[i].ID
	begun, err := h.e.server.Request.Sessions.Begin(h.t.Context(), me, "a test", "")
	if h.token = begun.Token; err != nil {
		h.t.Fatal(err)
	}
}

// tokenFor returns the token for an API address, or "" for a page.
func (h *hostile) tokenFor(path string) string {
	if strings.HasPrefix(path, request.APIBase) {
		return h.token
	}
	return ""
}

// addresses requests an address with each of its parameters wrong.
func (h *hostile) addresses(method, pattern string) {
	for _, name := range regexp.MustCompile(`[:*]\w+`).FindAllString(pattern, -1) {
		for _, wrong := range []string{"987654321", "-1", "0", "99999999999999999999", "x", "a\x00b", "\xff",
			strings.Repeat("9", 300)} {
			path := h.fill.Replace(strings.Replace(pattern, name, wrong, 1))
			h.never("a wrong "+name, method, path, request.JSONKind, "{}", h.tokenFor(path))
		}
	}
}

// forms sends a form, or requests a page with the form's values in its query.
func (h *hostile) forms(method, path string, fields []string) {
	right := map[string]string{"game": "1", "key": "key-of-a-test", "reason": "r", "seat": "0", "tiles": "3",
		"seconds": "5", "rev": "1", "why": "w", "name": "X", "player": "1",
		"table": fmt.Sprint(h.e.round.Tables[0].ID), "role": "referee", "format": "open", "rules": "wrc", "a": "1",
		"b": "2", "kind": "leave", "method": "random", "turn": "1", "minutes": "5",
		"number": "1", "state": "waived", "players": "1", "stage": "0", "rounds": "2", "account": "2", "device": "2",
		"level": "note", "text": "name\nEve\n"}
	send := func(what string, form url.Values) {
		if method == http.MethodGet {
			h.never(what, method, path+"?"+form.Encode(), "", "", "")
		} else {
			h.never(what, method, path, "application/x-www-form-urlencoded", form.Encode(), "")
		}
	}
	wrongs := slices.Sorted(maps.Keys(wrongTexts))
	for _, wrong := range wrongs {
		all, some := url.Values{}, url.Values{}
		for _, name := range fields {
			all.Set(name, wrongTexts[wrong])
			if value, ok := right[name]; ok && h.rng.IntN(6) > 0 {
				some.Set(name, value)
			}
			if other := wrongs[h.rng.IntN(len(wrongs))]; h.rng.IntN(3) == 0 {
				some.Set(name, wrongTexts[other])
			}
		}
		send("everything "+wrong, all)
		send("some of it wrong", some)
	}
	send("nothing", url.Values{})
	if method == http.MethodPost {
		for _, body := range wrongBodies {
			h.never("a wrong body", method, path, request.JSONKind, body, "")
			h.never("a wrong body", method, path, "multipart/form-data; boundary=x", body, "")
		}
	}
}

// bodies sends API bodies as the organizer and, to players' addresses, also as a player.
func (h *hostile) bodies(path string, fields map[string]string) {
	tokens := []string{h.tokenFor(path)}
	if strings.HasPrefix(path, request.APIBase+"/games/") || strings.Contains(path, "/seat") {
		tokens = append(tokens, h.seat)
	}
	if strings.Contains(path, "/actions/") {
		path += "?preview=true"
	}
	names := append(slices.Sorted(maps.Keys(fields)), "") // "" stands for all fields
	for _, token := range tokens {
		for _, body := range wrongBodies {
			h.never("a wrong body", http.MethodPost, path, request.JSONKind, body, token)
		}
		for _, wrong := range slices.Sorted(maps.Keys(wrongValues)) {
			for _, name := range names {
				h.never(name+" "+wrong, http.MethodPost, path, request.JSONKind,
					bodyWith(fields, name, wrongValues[wrong]), token)
			}
		}
	}
}

// bodyWith returns a body of right values except for one field, or for all fields if wrong is "". An empty value omits
// the field.
func bodyWith(fields map[string]string, wrong, value string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		v := fields[name]
		if name == wrong || wrong == "" {
			v = value
		}
		if v != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", name, v))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// rightOf holds a valid value for each JSON Schema type.
var rightOf = map[string]string{"string": `"x"`, "integer": "1", "number": "1", "boolean": "false", "array": "[]",
	"object": "{}"}

// described returns the fields of API bodies with valid values, by route, from the OpenAPI document.
func (h *hostile) described() map[string]map[string]string {
	h.t.Helper()
	type schema struct {
		Ref        string `json:"$ref"`
		Type       any
		Properties map[string]struct{ Type any }
	}
	var document struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	_, _, text := h.e.public().send(http.MethodGet, "/openapi.json", nil)
	if err := json.Unmarshal(text, &document); err != nil {
		h.t.Fatal(err)
	}
	all, parameter := map[string]map[string]string{}, regexp.MustCompile(`\{(\w+)\}`)
	for path, operations := range document.Paths {
		for method, operation := range operations {
			route := strings.ToUpper(method) + " " + request.APIBase + parameter.ReplaceAllString(path, ":$1")
			all[route] = map[string]string{}
			for _, content := range operation.RequestBody.Content {
				body := content.Schema
				if body.Ref != "" {
					body = document.Components.Schemas[body.Ref[strings.LastIndex(body.Ref, "/")+1:]]
				}
				for name, property := range body.Properties {
					kinds, _ := property.Type.([]any)
					if kind, ok := property.Type.(string); ok {
						kinds = []any{kind}
					}
					all[route][name] = "{}"
					if len(kinds) > 0 {
						all[route][name] = rightOf[fmt.Sprint(kinds[0])]
					}
				}
			}
		}
	}
	return all
}

// actionFields returns the fields of an action with zero values.
func actionFields(t *testing.T, k *action.Kind) map[string]string {
	t.Helper()
	a, err := k.Decode([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(a)) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous || name == "" || name == "-" {
			continue
		}
		zero, err := json.Marshal(reflect.Zero(f.Type).Interface())
		if err != nil {
			t.Fatal(err)
		}
		if fields[name] = string(zero); string(zero) == "0" {
			fields[name] = "1"
		}
	}
	return fields
}
