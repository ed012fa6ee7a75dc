package embedding

import (
	"reflect"
	"strings"
	"testing"

	"meldhall/tournament/refuse/refusetest"
)

func TestOrigins(t *testing.T) {
	for _, row := range []struct {
		typed string
		want  string // the stored value, or ! and the rejected input
	}{
		{"", ""}, {" \n ", ""},
		{"https://club.example", "https://club.example"},
		{"club.example", "https://club.example"},
		{"HTTPS://Club.Example/our/page?x=1#y", "https://club.example"},
		{"http://localhost:3000", "http://localhost:3000"},
		{"https://*.club.example", "https://*.club.example"},
		{"https://münchen.example", "https://xn--mnchen-3ya.example"},
		{"http://192.168.1.20:8080", "http://192.168.1.20:8080"}, {"http://[fe80::1]", "http://[fe80::1]"},
		{"a.example, b.example\r\na.example; https://c.example",
			"https://a.example https://b.example https://c.example"},
		{"javascript:alert(1)", "!javascript:alert(1)"}, {"ftp://a.example", "!ftp://a.example"},
		{"https://", "!https://"},
		{"https://me@club.example", "!https://me@club.example"}, {"*", "!*"}, {"https://*", "!https://*"},
		{"https://*.example", "!https://*.example"},
		{"'self'", "!'self'"}, {"https://a.example:x", "!https://a.example:x"}, {"a.example data:", "!data:"},
		{"https://a_b'.example", "!https://a_b'.example"},
		{"https://" + strings.Repeat("a", 200), "!https://" + strings.Repeat("a", 200)},
	} {
		sites, err := origins(row.typed)
		if bad, refused := strings.CutPrefix(row.want, "!"); refused {
			if err == nil {
				t.Errorf("%q is kept as %q", row.typed, sites)
			} else if text := refusetest.Text(t, err); !strings.Contains(text, bad) {
				t.Errorf("%q: %s", row.typed, text)
			}
			continue
		}
		if want := strings.Fields(row.want); err != nil || len(sites)+len(want) > 0 && !reflect.DeepEqual(sites, want) {
			t.Errorf("%q: got %q %v, want %q", row.typed, sites, err, want)
		}
	}
	var many []string
	for i := range sitesMost + 1 {
		many = append(many, strings.Repeat("a", i+1)+".example")
	}
	if _, err := origins(strings.Join(many, " ")); err == nil {
		t.Error("too many are kept")
	}
	if sites, err := origins(strings.Join(many[1:], " ")); err != nil || len(sites) != sitesMost {
		t.Errorf("%d are kept, %v", len(sites), err)
	}
}
