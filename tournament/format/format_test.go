package format

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	for _, row := range []struct {
		n    int
		want string
	}{
		{0, "[] false"}, {1, "[] false"}, {2, "[2] true"}, {3, "[3] true"}, {4, "[4] true"}, {5, "[] false"},
		{6, "[3 3] true"}, {7, "[4 3] true"}, {8, "[4 4] true"}, {9, "[3 3 3] true"}, {10, "[4 3 3] true"},
		{33, "[4 4 4 4 4 4 3 3 3] true"}, {37, "[4 4 4 4 4 4 4 3 3 3] true"},
	} {
		sizes, ok := Tables(row.n)
		if got := fmt.Sprint(sizes, " ", ok); strings.ReplaceAll(got, "]  ", "] ") != row.want {
			t.Errorf("%d players: got %s, want %s", row.n, got, row.want)
		}
	}
	for n := 6; n <= 500; n++ {
		sizes, ok := Tables(n)
		sum, threes := 0, 0
		for _, size := range sizes {
			sum += size
			if size == 3 {
				threes++
			}
		}
		if !ok || sum != n || threes > 3 {
			t.Fatalf("%d players: got %v, %v", n, sizes, ok)
		}
	}
}

const good = `{"name":"x","version":1,"source":"","stages":[
	{"name":"preliminary","kind":"preliminary","rounds":2,"games_per_round":2,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"},
	{"name":"final","kind":"final","rounds":1,"games_per_round":2,"cut":4,"seating":"standings","seat_change":"keep","carry_over":"none"}]}`

func TestParse(t *testing.T) {
	if _, err := Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, old, new, field, key string }{
		{"unknown field", `"source"`, `"sauce"`, "", "err_format_unreadable"},
		{"no name", `"name":"x"`, `"name":""`, "name", "err_format_field"},
		{"no stages", `"stages":[`, `"stages":[],"source":[`, "", "err_format_unreadable"},
		{"unknown kind", `"kind":"final"`, `"kind":"finale"`, "stages[1].kind", "err_format_field"},
		{"no rounds", `"rounds":1`, `"rounds":0`, "stages[1].rounds", "err_format_field"},
		{"too many games", `"games_per_round":2,"cut":4`, `"games_per_round":99,"cut":4`, "stages[1].games_per_round", "err_format_field"},
		{"cut to five", `"cut":4`, `"cut":5`, "stages[1].cut", "err_format_field"},
		{"cut to one", `"cut":4`, `"cut":1`, "stages[1].cut", "err_format_field"},
		{"cut of the first stage", `"cut":0`, `"cut":8`, "stages[0].cut", "err_format_field"},
		{"two values", `"none"}]}`, `"none"}]} {}`, "", "err_format_unreadable"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := strings.Replace(good, row.old, row.new, 1)
			if text == good {
				t.Fatalf("%q is not in the format", row.old)
			}
			_, err := Parse([]byte(text))
			var p *Problem
			if !errors.As(err, &p) || p.Field != row.field || p.Key != row.key {
				t.Errorf("got %v, want %s at %q", err, row.key, row.field)
			}
		})
	}
}

func TestFor(t *testing.T) {
	f, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		n, min, max int
		key         string
	}{
		{4, 2, 4, ""}, {33, 2, 4, ""}, {6, 3, 4, ""},
		{1, 2, 4, "err_players_too_few"}, {5, 2, 4, "err_players_unseatable"},
		{3, 2, 4, "err_cut_above_players"}, {7, 4, 4, "err_table_size"}, {8, 2, 3, "err_table_size"}, {2, 3, 4, "err_table_size"},
	} {
		err := f.For(row.n, row.min, row.max)
		var p *Problem
		if row.key == "" && err != nil || row.key != "" && (!errors.As(err, &p) || p.Key != row.key) {
			t.Errorf("%d players, tables of %d to %d: got %v, want %q", row.n, row.min, row.max, err, row.key)
		}
	}
}

func TestShippedFormats(t *testing.T) {
	files, err := filepath.Glob("../../data/formats/*.json")
	if err != nil || len(files) < 3 {
		t.Fatalf("got %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(data)
		if err != nil || f.Name+".json" != filepath.Base(file) || f.Source == "" {
			t.Errorf("%s: got %+v, %v", file, f, err)
		}
		if err := f.For(33, 2, 4); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
