package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
)

// standingRow is a player's standing, as GET /tournaments/{id}/standings gives it.
type standingRow struct {
	Place   int            `json:"place"`
	Name    string         `json:"name"`
	Country string         `json:"country"`
	Wins    engine.Twelfth `json:"wins"`
	Points  engine.Twelfth `json:"points"`
	Games   int            `json:"games"`
}

func standings(ctx context.Context, api *client, tournament int64) ([]standingRow, error) {
	var s struct {
		Rows []standingRow `json:"rows"`
	}
	return s.Rows, api.call(ctx, http.MethodGet, fmt.Sprintf("/tournaments/%d/standings", tournament), nil, &s)
}

// printStandings writes standings as a table of text.
func printStandings(out io.Writer, rows []standingRow) {
	wide := len("Player")
	for _, r := range rows {
		wide = max(wide, utf8.RuneCountInString(r.Name))
	}
	fmt.Fprintf(out, "%5s  %-*s  %6s  %8s  %5s\n", "Place", wide, "Player", "Wins", "Points", "Games")
	for _, r := range rows {
		name := r.Name + strings.Repeat(" ", wide-utf8.RuneCountInString(r.Name))
		fmt.Fprintf(out, "%5d  %s  %6s  %8s  %5d\n", r.Place, name, r.Wins, r.Points.Signed(), r.Games)
	}
}
