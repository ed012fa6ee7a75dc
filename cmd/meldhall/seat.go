package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
)

// seatCmd is the command meldhall seat.
type seatCmd struct{}

// Help returns the text of meldhall seat --help.
func (seatCmd) Help() string {
	return `Reads one event per line: {"players":33,"rounds":5,"seed":1}. Optional: "method", balanced (the whole event at once, the default), ` +
		`standings (round by round, entrants in the order of the standings), random or snake; "entrants":[{"id":"a","country":"PL","club":"x","family":"y"}]; ` +
		`"keep_apart":[["a","b"]]; and "history", earlier rounds as lists of tables, with ids or numbers as in the output. ` +
		`The output numbers entrants from 0; pairs_met and threes_per_player include the history.`
}

// Run seats the tournaments on standard input.
func (seatCmd) Run() error {
	return answerLines(os.Stdin, os.Stdout, seatEvent)
}

// Limits of a line, far above any real tournament.
const (
	mostSeated = 1000
	mostRounds = 100
	mostBefore = 30_000 // rounds of history: a pair's meetings are counted up to 32,767
)

type seatLine struct {
	Players   *int                `json:"players,omitempty"`
	Rounds    int                 `json:"rounds"`
	Seed      int64               `json:"seed,omitempty"`
	Entrants  []seatEntrant       `json:"entrants,omitempty"`
	KeepApart [][]json.RawMessage `json:"keep_apart,omitempty"`
	History   []json.RawMessage   `json:"history,omitempty"`
	Method    string              `json:"method,omitempty"`
}

type seatEntrant struct {
	ID      json.RawMessage `json:"id"`
	Country string          `json:"country"`
	Club    string          `json:"club"`
	Family  string          `json:"family"`
}

type seatAnswer struct {
	Rounds   []pairing.Round `json:"rounds"`
	PairsMet map[int]int     `json:"pairs_met"`
	Threes   map[int]int     `json:"threes_per_player"`
}

// seatMethods maps the command's names for the seating methods to those of package pairing.
var seatMethods = map[string]string{"": pairing.Plan, "balanced": pairing.Plan, "random": pairing.Random,
	"standings": pairing.Standings, "snake": pairing.Snake}

func seatEvent(line []byte) (any, error) {
	in := seatLine{Seed: 1}
	if err := readLine(line, &in); err != nil {
		return nil, err
	}
	q, err := in.request()
	if err != nil {
		return nil, err
	}
	got, err := pairing.Seat(q)
	if err != nil {
		return nil, err
	}
	return seatAnswer{Rounds: got.Rounds, PairsMet: fromNought(got.Report.PairsMet),
		Threes: fromNought(got.Report.Threes)}, nil
}

// fromNought adds a 0 for every missing number below the highest, and for 0 and 1.
func fromNought(counts map[int]int) map[int]int {
	full, most := map[int]int{0: 0, 1: 0}, 0
	for k := range counts {
		most = max(most, k)
	}
	for k := range most + 1 {
		full[k] = counts[k]
	}
	return full
}

func (in seatLine) request() (pairing.Request, error) {
	n := len(in.Entrants)
	switch {
	case in.Players == nil && in.Entrants == nil:
		return pairing.Request{}, &fieldError{"players", errors.New("missing")}
	case in.Players != nil && in.Entrants != nil && *in.Players != n:
		return pairing.Request{}, &fieldError{"entrants", fmt.Errorf("%d entrants, but %d players", n, *in.Players)}
	case in.Entrants == nil:
		n = *in.Players
	}
	if n < 2 || n > mostSeated {
		return pairing.Request{}, &fieldError{"players", fmt.Errorf("%d is not between 2 and %d", n, mostSeated)}
	}
	sizes, ok := format.Tables(n)
	if !ok {
		return pairing.Request{}, &fieldError{"players", fmt.Errorf("%d players cannot be seated at tables of 4 and 3",
			n)}
	}
	if in.Rounds < 1 || in.Rounds > mostRounds {
		return pairing.Request{}, &fieldError{"rounds", fmt.Errorf("%d is not between 1 and %d", in.Rounds, mostRounds)}
	}
	method, ok := seatMethods[in.Method]
	if !ok {
		return pairing.Request{}, &fieldError{"method", fmt.Errorf("%q must be random, balanced, standings or snake",
			in.Method)}
	}
	q := pairing.Request{Method: method, Sizes: sizes, Rounds: in.Rounds, Seed: in.Seed,
		Players: make([]pairing.Player, n)}
	for i := range q.Players {
		q.Players[i] = pairing.Player{ID: int64(i), Number: i}
	}
	return q, in.know(&q)
}

// know adds the line's details of the entrants, its pairs to keep apart and its history to q.
func (in seatLine) know(q *pairing.Request) error {
	known := map[string]int64{}
	for i, e := range in.Entrants {
		id, err := scalar(e.ID)
		if err != nil {
			return &fieldError{fmt.Sprintf("entrants[%d].id", i), err}
		}
		if _, twice := known[id]; twice {
			return &fieldError{fmt.Sprintf("entrants[%d].id", i), fmt.Errorf("%s is listed twice", id)}
		}
		known[id] = int64(i)
		q.Players[i].Country, q.Players[i].Club, q.Players[i].Family = e.Country, e.Club, e.Family
	}
	names := seatNames{known: known, n: len(q.Players)}
	for i, pair := range in.KeepApart {
		field := fmt.Sprintf("keep_apart[%d]", i)
		if len(pair) != 2 {
			return &fieldError{field, fmt.Errorf("%d names, but there must be 2", len(pair))}
		}
		a, okA, errA := names.number(pair[0])
		b, okB, errB := names.number(pair[1])
		if err := errors.Join(errA, errB); err != nil {
			return &fieldError{field, err}
		}
		if !okA || !okB || a == b {
			return &fieldError{field, errors.New("must be two different entrants")}
		}
		q.Apart = append(q.Apart, pairing.PairOf(a, b))
	}
	var err error
	q.History, err = names.history(in.History)
	return err
}

// seatNames translates a line's player IDs to numbers.
type seatNames struct {
	known map[string]int64
	n     int
	left  map[string]int64 // players of the history who are no longer entrants
}

// scalar returns an ID, a string or a number, as text.
func scalar(raw json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"' {
		return text, nil
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil && number != "" {
		return number.String(), nil
	}
	return "", errors.New("must be a string or a number")
}

// number returns a player's number, given an ID or the number used in the answer. It returns false for an ID that no
// entrant has.
func (s *seatNames) number(raw json.RawMessage) (int64, bool, error) {
	id, err := scalar(raw)
	if err != nil {
		return 0, false, err
	}
	if at, ok := s.known[id]; ok {
		return at, true, nil
	}
	if raw[0] == '"' && len(s.known) > 0 {
		return 0, false, nil
	}
	at, err := strconv.Atoi(id)
	if err != nil || at < 0 || at >= s.n {
		return 0, false, fmt.Errorf("%s is not a player: they are numbered from 0 to %d", id, s.n-1)
	}
	return int64(at), true, nil
}

// history reads a list of rounds, or of single tables. With single tables, a new round starts when a player appears
// again.
func (s *seatNames) history(raw []json.RawMessage) (rounds []pairing.Round, err error) {
	s.left = map[string]int64{}
	open := map[int64]bool{} // players of the current round of single tables
	for i, part := range raw {
		field := fmt.Sprintf("history[%d]", i)
		var round [][]json.RawMessage
		if json.Unmarshal(part, &round) == nil {
			seated, err := s.round(field, round)
			if err != nil {
				return nil, err
			}
			rounds = append(rounds, seated)
			clear(open)
			continue
		}
		var table []json.RawMessage
		if err := json.Unmarshal(part, &table); err != nil {
			return nil, &fieldError{field, errors.New("must be a round or a table")}
		}
		seated, err := s.round(field, [][]json.RawMessage{table})
		if err != nil {
			return nil, err
		}
		fresh := len(open) == 0
		for _, p := range seated[0] {
			fresh = fresh || open[p]
		}
		if fresh {
			rounds = append(rounds, nil)
			clear(open)
		}
		rounds[len(rounds)-1] = append(rounds[len(rounds)-1], seated[0])
		for _, p := range seated[0] {
			open[p] = true
		}
	}
	if len(rounds) > mostBefore {
		return nil, &fieldError{"history", fmt.Errorf("%d rounds: must be %d at most", len(rounds), mostBefore)}
	}
	return rounds, nil
}

func (s *seatNames) round(field string, raw [][]json.RawMessage) (pairing.Round, error) {
	var round pairing.Round
	seen := map[int64]bool{}
	for t, names := range raw {
		if len(names) < 2 {
			return nil, &fieldError{field,
				fmt.Errorf("%d players at table %d, but a table has at least 2", len(names), t)}
		}
		if len(names) > 4 {
			return nil, &fieldError{field,
				fmt.Errorf("%d players at table %d, but a table has at most 4", len(names), t)}
		}
		var table []int64
		for _, name := range names {
			at, ok, err := s.number(name)
			if err != nil {
				return nil, &fieldError{field, err}
			}
			if !ok {
				id, _ := scalar(name)
				if _, known := s.left[id]; !known {
					s.left[id] = int64(mostSeated + len(s.left))
				}
				at = s.left[id]
			}
			if seen[at] {
				return nil, &fieldError{field, fmt.Errorf("%s is seated twice in this round", name)}
			}
			seen[at], table = true, append(table, at)
		}
		round = append(round, table)
	}
	return round, nil
}
