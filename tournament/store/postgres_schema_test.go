package store

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"
)

// TestMigrationsOfBothDatabases checks that both databases have the same versions, and that PostgreSQL also enforces
// every constraint that SQLite enforces with a trigger.
func TestMigrationsOfBothDatabases(t *testing.T) {
	var names [2][]string
	for i, dialect := range []goose.Dialect{goose.DialectSQLite3, goose.DialectPostgres} {
		files, err := migrations.ReadDir("migrations/" + string(dialect))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			names[i] = append(names[i], file.Name())
		}
	}
	if !slices.Equal(names[0], names[1]) {
		t.Errorf("SQLite has %v, PostgreSQL has %v", names[0], names[1])
	}
	all, err := scripts()
	if err != nil {
		t.Fatal(err)
	}
	want, err := schema(all[len(all)-1].version)
	if err != nil {
		t.Fatal(err)
	}
	made := regexp.MustCompile(`(CREATE TRIGGER|DROP TRIGGER) (\w+)`)
	kept := map[string]bool{}
	for _, m := range all {
		for _, found := range made.FindAllStringSubmatch(m.text, -1) {
			kept[found[2]] = found[1] == "CREATE TRIGGER"
		}
	}
	laws := 0
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if law, is := strings.CutPrefix(name, "trigger "); is {
			if laws++; !kept[law] {
				t.Errorf("%s is not kept on PostgreSQL", law)
			}
		}
	}
	if laws < 20 {
		t.Errorf("only %d laws", laws)
	}
}

// FuzzTextsComeBack checks that a text that PostgreSQL would reject comes back byte for byte.
func FuzzTextsComeBack(f *testing.F) {
	for _, text := range []string{"", "Ann", "\x00", "X\x00mark", "\x1f", "\x1f00", "\x1f1f\x00", "\xff", "é\xc3",
		"\x1fg", strings.Repeat("\x00", 3)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kept := escape(text)
		if strings.Contains(kept, "\x00") || strings.ToValidUTF8(kept, "") != kept {
			t.Errorf("%q is kept as %q", text, kept)
		}
		if back := unescape(kept); back != text {
			t.Errorf("%q came back as %q", text, back)
		}
	})
}

// TestShown checks that an address is shown without its password.
func TestShown(t *testing.T) {
	for _, address := range []string{"postgres://ann:s3cret@host/db", "postgres://host/db?user=ann&password=s3cret",
		"postgresql://ann:s3cret@host/db?sslmode=disable", "postgres://ann:s3cret@ho st/%zz"} {
		if shown := Shown(address); strings.Contains(shown, "s3cret") || !IsServer(address) {
			t.Errorf("%s is shown as %s", address, shown)
		}
	}
	if Shown("data/meldhall.db") != "data/meldhall.db" || IsServer("postgres.db") {
		t.Error("a file is no address")
	}
	for _, name := range []string{"postgres://ann:s3cret@host", "postgres://ann:s3cret@ho st/db",
		"postgres://ann:s3cret@host:port/db", "postgres://ann:s3cret@host/db?sslmode=perhaps"} {
		if _, err := Open(name); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
