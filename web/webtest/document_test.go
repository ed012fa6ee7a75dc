package webtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"meldhall/web/request"
)

func TestTheDocumentHasEveryOperation(t *testing.T) {
	h := newHall(t)
	_, _, text := h.public().send(http.MethodGet, "/openapi.json", nil)
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			Responses   map[string]json.RawMessage
			RequestBody json.RawMessage
		}
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(text, &document); err != nil || !strings.HasPrefix(document.OpenAPI, "3.1") {
		t.Fatalf("%v in %.300s", err, text)
	}
	for _, route := range h.server.Routes() {
		path, ok := strings.CutPrefix(route.Path, request.APIBase)
		if !ok || strings.HasPrefix(path, "/openapi") {
			continue
		}
		operation, ok := document.Paths[regexp.MustCompile(`:(\w+)`).ReplaceAllString(path,
			"{$1}")][strings.ToLower(route.Method)]
		if !ok || operation.Responses["200"] == nil {
			t.Errorf("%s %s is not described", route.Method, path)
		}
	}
	play := string(document.Components.Schemas["PlayRequest"])
	if !strings.Contains(play, "LaidFaces") || !strings.Contains(string(document.Components.Schemas["LaidFaces"]),
		`"items":{"type":"string"}`) {
		t.Errorf("a play is described as %s of %s", play, document.Components.Schemas["LaidFaces"])
	}
	if strings.Contains(string(text), "base64") {
		t.Error("something is described as base64: faces are text")
	}
}

// TestTheDocumentIsRenderedOnce checks that repeated requests for the document cost no more than its bytes.
func TestTheDocumentIsRenderedOnce(t *testing.T) {
	h := newHall(t)
	for _, name := range []string{"/openapi.json", "/openapi.yaml", "/openapi-3.0.json"} {
		ask := func() {
			w := httptest.NewRecorder()
			w.Body = nil
			h.server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, request.APIBase+name, nil))
			if w.Code != http.StatusOK {
				t.Error(w.Code)
			}
		}
		ask()
		if n := testing.AllocsPerRun(20, ask); n > 200 {
			t.Errorf("%s takes %.0f allocations each time", name, n)
		}
	}
}
