package main

import (
	"encoding/json"
	"fmt"
	"io"
)

var headings = map[string]string{
	"classes": "Classes of positions",
	"tiles":   "Growth with the tiles on the table, 10 tiles on the rack",
	"jokers":  "Growth with the jokers among table and rack, mid (40 + 12 tiles) and late (80 + 10)",
}

// report prints rows as they come, one table after the other, and afterwards as JSON lines if asked for.
type report struct {
	out   io.Writer
	json  bool
	glpk  bool // there is a baseline
	table string
	rows  []row
}

func (r *report) add(measured row) {
	if measured.Table != r.table {
		r.table = measured.Table
		r.heading()
	}
	r.rows = append(r.rows, measured)
	fmt.Fprintf(r.out, "%-16s%5d |%s |%s |", measured.Class, measured.Positions, times(measured.Ours), times(measured.Kept))
	if measured.GLPK != nil {
		fmt.Fprintf(r.out, "%s |%8.1f%8.1f |", times(*measured.GLPK), measured.RatioMedian, measured.RatioP99)
	}
	fmt.Fprintf(r.out, "%9d%9d\n", measured.Disagree, measured.Unproven)
}

func (r *report) heading() {
	const columns = "    median       p99       max"
	fmt.Fprintf(r.out, "\n%s\n%-21s |%-30s |%-30s |", headings[r.table], "", " ours", " ours, most sets kept")
	if r.glpk {
		fmt.Fprintf(r.out, "%-30s |%-16s |", " GLPK", " GLPK / ours")
	}
	fmt.Fprintf(r.out, "\n%-16s%5s |%s |%s |", "class", "n", columns, columns)
	if r.glpk {
		fmt.Fprintf(r.out, "%s |%8s%8s |", columns, "median", "p99")
	}
	fmt.Fprintf(r.out, "%9s%9s\n", "disagree", "unproven")
}

func times(s spread) string { return fmt.Sprintf("%10.1f%10.1f%10.1f", s.Median, s.P99, s.Max) }

// close prints the JSON lines.
func (r *report) close() error {
	if !r.json {
		return nil
	}
	fmt.Fprintln(r.out)
	lines := json.NewEncoder(r.out)
	for _, measured := range r.rows {
		if err := lines.Encode(measured); err != nil {
			return err
		}
	}
	return nil
}
