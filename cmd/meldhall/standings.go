package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"meldhall/cmd/internal/client"
	"meldhall/engine/score"
)

// standingRow is a row of the standings to print.
type standingRow struct {
	Place    int
	Name     string
	Player   int64
	Wins     score.Twelfth
	Points   score.Twelfth
	Games    int
	Champion bool
}

// standings fetches a tournament's standings, best first.
func standings(ctx context.Context, api *client.Client, tournament int64) ([]standingRow, error) {
	var s struct {
		Rows []struct {
			Place  int           `json:"place"`
			Player client.Player `json:"player"`
			Wins   score.Twelfth `json:"wins"`
			Total  score.Twelfth `json:"total"`
			Games  int           `json:"games"`
		} `json:"rows"`
		Champions []int64 `json:"champions"`
	}
	if err := api.Call(ctx, http.MethodGet, fmt.Sprintf("/tournaments/%d/standings", tournament), nil, &s); err != nil {
		return nil, err
	}
	rows := make([]standingRow, len(s.Rows))
	for i, r := range s.Rows {
		rows[i] = standingRow{r.Place, r.Player.Name, r.Player.ID, r.Wins, r.Total, r.Games,
			slices.Contains(s.Champions, r.Player.ID)}
	}
	return rows, nil
}

// printStandings prints standings as a text table.
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
