package shell

import (
	"path"
	"slices"
	"strings"

	"meldhall/tournament/refuse"
)

// begins is how files begin that are of a kind, by the end of their name; what is not here is text, which begins like none of them.
var begins = map[string][]string{
	".xlsx": {"PK\x03\x04", "\xd0\xcf\x11\xe0"}, // the other one is locked, which its reader says
	".zip":  {"PK\x03\x04"},
	".png":  {"\x89PNG"},
	".jpg":  {"\xff\xd8"},
	".jpeg": {"\xff\xd8"},
}

// FileFits refuses a file that is, by its name, of none of the kinds that are taken (".csv"), or that holds something else than its name
// says. A name is not kept.
func FileFits(name, content string, kinds ...string) error {
	kind := strings.ToLower(path.Ext(name))
	fits := slices.Contains(kinds, kind)
	like := func(begin string) bool { return strings.HasPrefix(content, begin) }
	if packed, known := begins[kind]; known {
		fits = fits && slices.ContainsFunc(packed, like)
	} else {
		for _, other := range begins {
			fits = fits && !slices.ContainsFunc(other, like)
		}
	}
	if !fits {
		return refuse.Invalid("err_file_kind", "kinds", strings.Join(kinds, ", "))
	}
	return nil
}
