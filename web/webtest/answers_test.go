package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"meldhall/web/request"
)

// described is the part of the served OpenAPI document that describes responses.
type described struct {
	Paths      map[string]map[string]describedOperation
	Components struct{ Schemas map[string]*answerSchema }
	Security   []map[string][]string
	routes     []describedRoute
}

type describedOperation struct {
	Security  []map[string][]string
	Responses map[string]struct {
		Content map[string]struct{ Schema *answerSchema }
	}
}

type describedRoute struct {
	method string
	path   *regexp.Regexp
	fixed  int // the number of path segments that are not parameters
	describedOperation
}

// answerSchema holds the keywords of JSON Schema that the document uses.
type answerSchema struct {
	Ref        string                   `json:"$ref"`
	Type       any                      `json:"type"`
	Enum       []any                    `json:"enum"`
	Required   []string                 `json:"required"`
	Properties map[string]*answerSchema `json:"properties"`
	Additional json.RawMessage          `json:"additionalProperties"`
	Items      *answerSchema            `json:"items"`
	AnyOf      []*answerSchema          `json:"anyOf"`
	Minimum    *float64                 `json:"minimum"`
	Maximum    *float64                 `json:"maximum"`
}

var parameter = regexp.MustCompile(`\{\w+\}`)

// document returns the OpenAPI document of a server.
func document(t testing.TB, server http.Handler) *described {
	t.Helper()
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, request.APIBase+"/openapi.json", nil))
	d := &described{}
	if err := json.Unmarshal(w.Body.Bytes(), d); err != nil {
		t.Fatal(err)
	}
	for path, operations := range d.Paths {
		for method, op := range operations {
			fixed := parameter.Split(path, -1)
			for i, part := range fixed {
				fixed[i] = regexp.QuoteMeta(part)
			}
			pattern := regexp.MustCompile("^" + strings.Join(fixed, `[^/]+`) + "$")
			d.routes = append(d.routes, describedRoute{strings.ToUpper(method), pattern,
				strings.Count(path, "/") - strings.Count(path, "{"), op})
		}
	}
	slices.SortStableFunc(d.routes, func(a, b describedRoute) int { return b.fixed - a.fixed })
	return d
}

// theDocument caches the document, which is the same for all tests.
var theDocument struct {
	sync.Once
	*described
}

// checkAnswer checks the status and the body of a response against the document.
func checkAnswer(t testing.TB, server http.Handler, method, path string, status int, header http.Header, body []byte) {
	t.Helper()
	theDocument.Do(func() { theDocument.described = document(t, server) })
	for _, fault := range theDocument.faults(method, path, status, header.Get("Content-Type"), body) {
		t.Errorf("%s %s: %d is not as the document says: %s in %.300s", method, path, status, fault, body)
	}
}

func (d *described) faults(method, path string, status int, kind string, body []byte) []string {
	path, _, _ = strings.Cut(path, "?")
	i := slices.IndexFunc(d.routes, func(r describedRoute) bool {
		return r.method == method &&
			r.path.MatchString(path)
	})
	if i < 0 || status == http.StatusNotModified {
		return nil // the document itself, or an unknown address
	}
	response, known := d.routes[i].Responses[fmt.Sprint(status)]
	if !known {
		response, known = d.routes[i].Responses["default"]
	}
	if !known {
		return []string{"the status is not described"}
	}
	content, known := response.Content[kind]
	if kind, _, _ = strings.Cut(kind, ";"); !known {
		content, known = response.Content[kind]
	}
	switch {
	case !known && len(body) == 0 && len(response.Content) == 0:
		return nil
	case !known:
		return []string{"the kind " + kind + " is not described"}
	case kind != request.JSONKind:
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return []string{err.Error()}
	}
	return d.differs(content.Schema, "", value)
}

// differs returns the places where v violates the schema.
func (d *described) differs(s *answerSchema, at string, v any) (faults []string) {
	if s == nil {
		return nil
	}
	if s.Ref != "" {
		return d.differs(d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], at, v)
	}
	if len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, func(one *answerSchema) bool {
		return len(d.differs(one, at,
			v)) == 0
	}) {
		return d.differs(s.AnyOf[0], at, v)
	}
	if !isOfType(s.Type, v) {
		return []string{fmt.Sprintf("%s is %s, not %v", at, typeOf(v), s.Type)}
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(one any) bool { return reflect.DeepEqual(one, v) }) {
		faults = append(faults, fmt.Sprintf("%s is %v, not one of %v", at, v, s.Enum))
	}
	switch v := v.(type) {
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			faults = append(faults, fmt.Sprintf("%s is %v, out of range", at, v))
		}
	case []any:
		for i, one := range v {
			faults = append(faults, d.differs(s.Items, fmt.Sprintf("%s[%d]", at, i), one)...)
		}
	case map[string]any:
		faults = append(faults, d.members(s, at, v)...)
	}
	return faults
}

func (d *described) members(s *answerSchema, at string, v map[string]any) (faults []string) {
	for _, name := range s.Required {
		if _, there := v[name]; !there {
			faults = append(faults, at+"."+name+" is missing")
		}
	}
	var each *answerSchema
	if len(s.Additional) > 0 && s.Additional[0] == '{' {
		each = &answerSchema{}
		if err := json.Unmarshal(s.Additional, each); err != nil {
			return append(faults, err.Error())
		}
	}
	for name, one := range v {
		switch p := s.Properties[name]; {
		case p != nil:
			faults = append(faults, d.differs(p, at+"."+name, one)...)
		case each != nil:
			faults = append(faults, d.differs(each, at+"."+name, one)...)
		case string(s.Additional) == "false":
			faults = append(faults, at+"."+name+" is not described")
		}
	}
	return faults
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func isOfType(want, v any) bool {
	switch want := want.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(want, func(one any) bool { return isOfType(one, v) })
	}
	is := typeOf(v)
	return want == is || want == "number" && is == "integer"
}

// TestTheDocumentDescribesErrors checks that each operation documents its errors and whether it needs a token, and that
// no documented list may be null.
func TestTheDocumentDescribesErrors(t *testing.T) {
	h := newHall(t)
	d := document(t, h.server)
	failure := d.Components.Schemas["Failure"]
	if failure == nil || !slices.Equal(failure.Required, []string{"code", "message"}) ||
		failure.Properties["Status"] != nil || string(failure.Additional) == "false" {
		t.Errorf("an error is described as %+v", failure)
	}
	for path, operations := range d.Paths {
		for method, op := range operations {
			if op.Security == nil {
				t.Errorf("%s %s does not say whether it needs a token", method, path)
			}
			if s := op.Responses["default"].Content[request.JSONKind].Schema; s == nil ||
				s.Ref != "#/components/schemas/Failure" {
				t.Errorf("%s %s does not describe all errors", method, path)
			}
		}
	}
	for _, name := range []string{"LiveState", "LiveGame", "View", "FloorLine", "ActionDone", "TournamentDetail",
		"SheetPreview"} {
		s := d.Components.Schemas[name]
		if s == nil {
			continue
		}
		for field, p := range s.Properties {
			if kinds, several := p.Type.([]any); several && slices.Contains(kinds, any("array")) {
				t.Errorf("the list %s.%s may be null", name, field)
			}
		}
	}
	for _, row := range []struct {
		status int
		body   string
		fault  string
	}{
		{404, `{"code":"err_x","message":"x","id":1}`, ""},
		{404, `{"Status":404,"Code":"err_x","Message":"x"}`, ".code is missing"},
		{429, `{"code":1,"message":"x"}`, ".code is integer, not string"},
		{200, `null`, "null"},
	} {
		got := strings.Join(d.faults("GET", "/tournaments/1", row.status, request.JSONKind, []byte(row.body)), ", ")
		if row.fault == "" && got != "" || !strings.Contains(got, row.fault) {
			t.Errorf("%d %s: %q, want %q", row.status, row.body, got, row.fault)
		}
	}
}
