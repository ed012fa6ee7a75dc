package request

import "testing"

// TestFileFits checks that a file's extension must match its first bytes and the accepted kinds.
func TestFileFits(t *testing.T) {
	roster := []string{".csv", ".xlsx"}
	for _, c := range []struct {
		name, content string
		kinds         []string
		fits          bool
	}{
		{"a.csv", "name\nAnn\n", roster, true}, {"A.CSV", "", roster, true}, {"a.xlsx", "PK\x03\x04…", roster, true},
		{"a.xlsx", "\xd0\xcf\x11\xe0", roster, true},
		{"a.zip", "PK\x03\x04", []string{".zip"}, true}, {"b.jpeg", "\xff\xd8\xff", []string{".png", ".jpeg"}, true},
		{"a.csv", "PK\x03\x04", roster, false}, {"a.xlsx", "name\n", roster, false},
		{"a.zip", "PK\x03\x04", roster, false}, {"a.csv.exe", "name\n", roster, false},
		{"a", "name\n", roster, false}, {"a.png", "\xff\xd8\xff", []string{".png", ".jpeg"}, false},
		{"a.html", "<p>", roster, false},
	} {
		if err := FileFits(c.name, c.content, c.kinds...); (err == nil) != c.fits {
			t.Errorf("%s, %q: %v", c.name, c.content, err)
		}
	}
}
