package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"meldhall/tournament/refuse"
)

// entry is a file of an archive built by a test.
type entry struct {
	name string
	data []byte
}

// entries returns the files of an archive, the manifest first.
func (a *Archive) entries() []entry {
	all := []entry{{manifestName, a.files[manifestName]}}
	for _, f := range a.Manifest.Files {
		all = append(all, entry{f.Name, a.files[f.Name]})
	}
	return all
}

func zipped(t testing.TB, all []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range all {
		f, err := z.Create(e.name)
		if err == nil {
			_, err = f.Write(e.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func with(all []entry, name string, change func(data []byte) []byte) []entry {
	changed := append([]entry(nil), all...)
	for i, e := range changed {
		if e.name == name {
			changed[i].data = change(bytes.Clone(e.data))
		}
	}
	return changed
}

// named returns the file that an error is about.
func named(err error) string {
	var refused *refuse.Error
	var fault *Fault
	switch {
	case errors.As(err, &refused):
		name, _ := refused.Args["file"].(string)
		return name
	case errors.As(err, &fault):
		return fault.File
	}
	return ""
}

// TestOneByte changes one byte in each file in turn, in its content and in its compressed form, and checks that the
// error names that file.
func TestOneByte(t *testing.T) {
	h := newHall(t)
	a, data := h.packed(h.whole(7))
	for _, e := range a.entries() {
		for _, at := range []int{0, len(e.data) / 2, len(e.data) - 1} {
			_, err := Read(zipped(t, with(a.entries(), e.name,
				func(data []byte) []byte { data[at] ^= 1; return data })))
			if named(err) != e.name && !(e.name == manifestName && errors.Is(err, refuse.Invalid("err_archive_none"))) {
				t.Errorf("%s, byte %d: %v", e.name, at, err)
			}
		}
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		at, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(data)
		changed[at+int64(f.CompressedSize64)/2] ^= 1
		if _, err := Read(changed); named(err) != f.Name {
			t.Errorf("%s as it is packed: %v", f.Name, err)
		}
	}
}

// forged returns an archive with a text of a file replaced and all hashes recomputed.
func forged(t *testing.T, a *Archive, name, old, new string) *Archive {
	t.Helper()
	if !bytes.Contains(a.files[name], []byte(old)) {
		t.Fatalf("%s has no %q", name, old)
	}
	all := with(a.entries(), name, func(data []byte) []byte { return bytes.Replace(data, []byte(old), []byte(new), 1) })
	m := a.Manifest
	m.Files = append([]File(nil), m.Files...)
	for i := range m.Files {
		m.Files[i].Size, m.Files[i].SHA256 = len(all[i+1].data), hashOf(all[i+1].data)
	}
	all[0].data = m.text()
	read, err := Read(zipped(t, all))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestForgedWithItsHashes checks that recomputing all hashes does not hide a change, because derived data reveals it.
func TestForgedWithItsHashes(t *testing.T) {
	h := newHall(t)
	a, _ := h.packed(h.whole(7))
	game := a.gameFiles()[0]
	for _, row := range []struct{ file, old, new, named string }{
		{standingsName, `"place": 1`, `"place": 2`, standingsName},
		{seatingName, `"extra": `, `"extra": 1`, seatingName},
		{resultsName, `"wins":12`, `"wins":0`, ""},
		{game, `"status":"confirmed"`, `"status":"provisional"`, game},
		{game, `"kind":"tile_drawn"`, `"kind":"turn_passed"`, game},
		{roundsName, `"number":1,"stage":0`, `"number":1,"stage":1`, ""},
		{eventName, `"place":"Genova"`, `"place":"Genova" `, eventName},
		{playersName, `"apart":`, `"shoes":1,"apart":`, playersName},
		{actionsName, `"at":`, `"at": `, actionsName},
	} {
		_, err := forged(t, a, row.file, row.old, row.new).Verify(t.Context())
		if err == nil || !strings.Contains(names(err), row.named) {
			t.Errorf("%s, %s: %v", row.file, row.new, err)
		}
	}
}

// names returns all files that joined errors are about.
func names(err error) string {
	text := named(err)
	if all, is := err.(interface{ Unwrap() []error }); is {
		for _, one := range all.Unwrap() {
			text += " " + named(one)
		}
	}
	return text
}

// many adds games with the same content.
func many(all []entry, data []byte) []entry {
	all = append([]entry(nil), all...)
	for i := range int64(100) {
		all = append(all, entry{gameName(i + 1), data})
	}
	return all
}

// TestHostileArchives checks that files that are no archive or exceed the limits are refused with a specific error
// before anything is done.
func TestHostileArchives(t *testing.T) {
	h := newHall(t)
	a, good := h.packed(h.event(3))
	all := a.entries()
	manifest := func(change func(m *Manifest)) []entry {
		m := a.Manifest
		change(&m)
		return with(all, manifestName, func([]byte) []byte { return m.text() })
	}
	without := append(append([]entry(nil), all[:3]...), all[4:]...)
	bomb := bytes.Repeat([]byte{' '}, 2<<20)
	for _, row := range []struct {
		name      string
		data      []byte
		key, file string
	}{
		{"nothing", nil, "err_archive_none", ""},
		{"a text", []byte("hello"), "err_archive_none", ""},
		{"half of one", good[:len(good)/2], "err_archive_none", ""},
		{"another ZIP file", zipped(t, []entry{{"a.txt", []byte("a")}}), "err_archive_none", ""},
		{"another format", zipped(t, manifest(func(m *Manifest) { m.Format = "zip" })), "err_archive_none", ""},
		{"no version", zipped(t, manifest(func(m *Manifest) { m.Version = 0 })), "err_archive_none", ""},
		{"of a newer program", zipped(t, append(manifest(func(m *Manifest) { m.Version = 3 }), entry{"new.json", nil})),
			"err_archive_newer", ""},
		{"a path upwards", zipped(t, append(all[:len(all):len(all)], entry{"../../etc/passwd", nil})),
			"err_archive_foreign", "../../etc/passwd"},
		{"a whole path", zipped(t, append(all[:len(all):len(all)], entry{"/etc/passwd", nil})), "err_archive_foreign",
			"/etc/passwd"},
		{"a game of no number", zipped(t, append(all[:len(all):len(all)], entry{"games/../a.json", nil})),
			"err_archive_foreign", "games/../a.json"},
		{"a game that the manifest does not know", zipped(t,
			append(all[:len(all):len(all)], entry{"games/0007.json", nil})), "err_archive_foreign", "games/0007.json"},
		{"a file twice", zipped(t, append(all[:len(all):len(all)], all[1])), "err_archive_twice", all[1].name},
		{"a file missing", zipped(t, without), "err_archive_missing", all[3].name},
		{"a game missing", zipped(t, manifest(func(m *Manifest) {
			m.Files = append(m.Files[:len(m.Files):len(m.Files)], File{Name: "games/0001.json"})
		})), "err_archive_missing", "games/0001.json"},
		{"a bomb", zipped(t, with(all, eventName, func([]byte) []byte { return bomb })), "err_archive_bomb", eventName},
		{"many small bombs", zipped(t, many(all, bytes.Repeat([]byte{' '}, 900<<10))), "err_archive_bomb", "any"},
		{"a manifest of its own", zipped(t, with(all, manifestName,
			func(data []byte) []byte { return append(data, ' ') })), "err_archive_changed", manifestName},
	} {
		_, err := Read(row.data)
		if !errors.Is(err, refuse.Invalid(row.key)) || named(err) != row.file && row.file != "any" {
			t.Errorf("%s: %v, want %s %s", row.name, err, row.key, row.file)
		}
	}
}
