package request

import (
	"path"
	"slices"
	"strings"

	"meldhall/tournament/refuse"
)

// begins contains the first bytes of each kind of file, by extension. Kinds not listed are text, which begins with none
// of these.
var begins = map[string][]string{
	".xlsx": {"PK\x03\x04", "\xd0\xcf\x11\xe0"}, // the second is an encrypted file, which its reader reports
	".zip":  {"PK\x03\x04"},
	".png":  {"\x89PNG"},
	".jpg":  {"\xff\xd8"},
	".jpeg": {"\xff\xd8"},
	".webp": {"RIFF"},
}

// FileFits rejects a file whose extension is not among the accepted kinds (".csv"), or whose content does not match its
// extension. The name is not stored.
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
