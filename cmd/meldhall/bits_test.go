package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// TestOneTurnedBitIsFound flips one bit in each column of each table of a tournament's file, one at a time, and checks
// that verify finds it. SQLite's own table of the last row numbers is left out.
func TestOneTurnedBitIsFound(t *testing.T) {
	testmode.SkipUnlessLong(t)
	path := filepath.Join(t.TempDir(), "event.db")
	simulated(t, simulateCmd{Players: 4, Format: "quick", Rules: "wrc", Seed: 11, Workers: 2, DB: path})
	roots := fillTables(t, path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := verified(t.Context(), path); err != nil {
		t.Fatalf("before any bit was turned over: %v", err)
	}
	random, columns, turned := rand.New(rand.NewPCG(17, 0)), 0, filepath.Join(t.TempDir(), "turned.db")
	for table, root := range roots {
		for column, at := range columnsOf(content, root) {
			columns++
			damaged, bit := slices.Clone(content), byte(1)
			if len(at) > 1 { // first the type, then the bytes of the value, if any
				at, bit = at[1:], 1<<random.IntN(8)
			}
			damaged[at[random.IntN(len(at))]] ^= bit
			if err := os.WriteFile(turned, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if verified(t.Context(), turned) == nil {
				t.Errorf("%s: a bit of column %d was not found", table, column)
			}
		}
	}
	t.Logf("%d columns of %d tables, in a file of %d KiB", columns, len(roots), len(content)>>10)
}

// verified does what verify --all does.
func verified(ctx context.Context, path string) error {
	db, err := store.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := verifyFile(ctx, io.Discard, db); err != nil {
		return err
	}
	games, err := export.GameIDs(ctx, db)
	if err == nil {
		err = verifyGames(ctx, io.Discard, db, games)
	}
	return err
}

// fillTables inserts a row into each empty table, and returns the root page of each table.
func fillTables(t *testing.T, path string) map[string]int {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	rows, err := db.Query(`SELECT name, sql, rootpage FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'`)
	if err != nil {
		t.Fatal(err)
	}
	roots, definitions := map[string]int{}, map[string]string{}
	for rows.Next() {
		var name, definition string
		var root int
		if err := rows.Scan(&name, &definition, &root); err != nil {
			t.Fatal(err)
		}
		roots[name], definitions[name] = root, definition
	}
	for name, definition := range definitions {
		var filled bool
		if err := db.QueryRow(`SELECT EXISTS (SELECT 1 FROM ` + name + `)`).Scan(&filled); err != nil {
			t.Fatal(err)
		}
		if !filled {
			insertAny(t, db, name, definition)
		}
	}
	return roots
}

// insertAny inserts a row with a value in each column that the constraints allow to have one.
func insertAny(t *testing.T, db *sql.DB, table, definition string) {
	t.Helper()
	rows, err := db.Query(`SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0`, table)
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	var values []any
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			t.Fatal(err)
		}
		value := any("text")
		if kind == "INTEGER" {
			value = 1
		}
		if one := regexp.MustCompile(`CHECK \(` + name + ` IN \('(\w+)'`).FindStringSubmatch(definition); one != nil {
			value = one[1]
		}
		if name == "correction" || table == "showings" && (name == "minutes" || name == "since") {
			value = map[bool]any{true: "", false: 0}[name == "correction"] // the value for rows of a kind that has none
		}
		columns, values = append(columns, name), append(values, value)
	}
	if _, err := db.Exec(`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (?`+strings.Repeat(", ?",
		len(columns)-1)+`)`, values...); err != nil {
		t.Fatalf("%s: %v", table, err)
	}
}

const pageSize = 4096

// columnsOf returns the file offsets of the type and the bytes of each column in a table's first row. For a column that
// is the row's number it returns that number's offset.
func columnsOf(content []byte, root int) (columns [][]int) {
	page := (root - 1) * pageSize
	kind, first := content[page], int(binary.BigEndian.Uint16(content[page+8:]))
	if kind == 2 || kind == 5 { // an interior page: follow it down
		return columnsOf(content,
			int(binary.BigEndian.Uint32(content[page+int(binary.BigEndian.Uint16(content[page+12:])):])))
	}
	at := page + first
	size, n := varint(content[at:])
	at += n
	number := at
	if kind == 13 {
		_, n = varint(content[at:])
		at += n
	}
	payload := payloadOf(content, at, size, kind)
	header, to := varint(gather(content, payload[:min(9, size)]))
	for value := header; to < header; {
		serial, n := varint(gather(content, payload[to:min(to+9, size)]))
		length := []int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[min(serial, 9)]
		if serial >= 12 {
			length = (serial - 12) / 2
		}
		column := append([]int{payload[to]}, payload[value:value+length]...)
		if serial == 0 && len(columns) == 0 && kind == 13 {
			column = []int{number}
		}
		columns = append(columns, column)
		to, value = to+n, value+length
	}
	return columns
}

// payloadOf returns the file offset of each byte of a row, on its page and its overflow pages.
func payloadOf(content []byte, at, size int, kind byte) (places []int) {
	most := pageSize - 35
	if kind == 10 {
		most = (pageSize-12)*64/255 - 23
	}
	local := size
	if size > most {
		least := (pageSize-12)*32/255 - 23
		if local = least + (size-least)%(pageSize-4); local > most {
			local = least
		}
	}
	for i := range local {
		places = append(places, at+i)
	}
	for next := at + local; len(places) < size; {
		next = int(binary.BigEndian.Uint32(content[next:])-1) * pageSize
		for i := 4; i < pageSize && len(places) < size; i++ {
			places = append(places, next+i)
		}
	}
	return places
}

func gather(content []byte, places []int) (gathered []byte) {
	for _, at := range places {
		gathered = append(gathered, content[at])
	}
	return gathered
}

func varint(b []byte) (value, length int) {
	for i, c := range b {
		if value = value<<7 | int(c&0x7f); c < 0x80 {
			return value, i + 1
		}
	}
	return value, len(b)
}
