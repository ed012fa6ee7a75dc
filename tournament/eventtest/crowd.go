package eventtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// Crowd is a tournament whose players change.
type Crowd struct {
	T    testing.TB
	S    *store.DB
	Tour tournament.Tournament
}

// NewCrowd returns a tournament with n players on the roster.
func NewCrowd(t testing.TB, n int) *Crowd {
	t.Helper()
	c := &Crowd{T: t, S: NewStore(t)}
	c.Tour = NewTournament(t, c.S, "open", 7)
	EnterPlayers(t, c.S, c.Tour, n)
	return c
}

// Do performs an action about players, which must not be refused.
func (c *Crowd) Do(a action.ActionOf[people.PeopleOutcome]) people.PeopleOutcome {
	c.T.Helper()
	out, err := action.Do(context.Background(), DeskOf(c.S), Organizer, a)
	if err != nil {
		c.T.Fatalf("%s: %v", action.KindOf(a).Name, err)
	}
	return out
}

// Refused performs an action about players, which must be refused with this key.
func (c *Crowd) Refused(a action.ActionOf[people.PeopleOutcome], key string) {
	c.T.Helper()
	_, err := action.Do(context.Background(), DeskOf(c.S), Organizer, a)
	var e *refuse.Error
	if !errors.As(err, &e) || e.Key != key {
		c.T.Errorf("%s: got %v, want %s", action.KindOf(a).Name, err, key)
	}
}

// Register enters a player by self-registration.
func (c *Crowd) Register(name string) (tournament.Player, error) {
	return action.Do(context.Background(), DeskOf(c.S), rights.Public(),
		people.Register{Tournament: c.Tour.ID, PlayerEntry: rosterfile.PlayerEntry{Name: name}})
}

// Draw drafts the next round.
func (c *Crowd) Draw() tournament.Round {
	c.T.Helper()
	r, err := action.Do(context.Background(), DeskOf(c.S), Organizer,
		draw.PairRound{Tournament: c.Tour.ID, PairingOptions: draw.PairingOptions{Note: "again"}})
	if err != nil {
		c.T.Fatal(err)
	}
	return r
}

// Publish publishes a round.
func (c *Crowd) Publish(r tournament.Round) {
	c.T.Helper()
	if _, err := action.Do(context.Background(), DeskOf(c.S), Organizer, draw.PublishRound{Round: r.ID}); err != nil {
		c.T.Fatal(err)
	}
}

// Play starts a round and ends all its games.
func (c *Crowd) Play(r tournament.Round) {
	c.T.Helper()
	if _, err := action.Do(context.Background(), DeskOf(c.S), Organizer, draw.StartRound{Round: r.ID}); err != nil {
		c.T.Fatal(err)
	}
	tables, err := tournament.Tables(context.Background(), c.S, r.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(r.Number), 7))
	for _, table := range tables {
		for _, game := range table.Games {
			if err := EndGame(c.T, c.S, game.ID, Fabricated(rng, len(table.Seats))); err != nil {
				c.T.Fatal(err)
			}
			if _, err := action.Do(context.Background(), DeskOf(c.S), Organizer,
				result.ConfirmResult{Game: game.ID, Rev: 1}); err != nil {
				c.T.Fatal(err)
			}
		}
	}
}

// Player returns the player with a start number.
func (c *Crowd) Player(number int) tournament.Player {
	c.T.Helper()
	var p tournament.Player
	if err := c.S.Read.Where("tournament_id = ? AND number = ?", c.Tour.ID, number).Take(&p).Error; err != nil {
		c.T.Fatal(err)
	}
	return p
}

// People returns the state that actions about players can change.
func (c *Crowd) People() tournament.PeopleState {
	c.T.Helper()
	p, err := tournament.LoadPeople(c.S.Read, c.Tour.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	return p
}

// Placings returns the players of a round's tables, by table number.
func (c *Crowd) Placings(r tournament.Round) map[int][]int64 {
	c.T.Helper()
	tables, _, err := tournament.Placings(c.S.Read, r.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	at := map[int][]int64{}
	for _, t := range tables {
		at[t.Number] = t.Players
	}
	return at
}

// EffectKeys returns the keys of effects, separated by spaces.
func EffectKeys(list []tournament.PeopleEffect) string {
	var keys []string
	for _, e := range list {
		keys = append(keys, e.Key)
	}
	return strings.Join(keys, " ")
}

// SizesOf returns the sorted sizes of tables.
func SizesOf(tables map[int][]int64) string {
	var sizes []int
	for _, n := range slices.Sorted(maps.Keys(tables)) {
		sizes = append(sizes, len(tables[n]))
	}
	slices.Sort(sizes)
	return fmt.Sprint(sizes)
}

// Names returns the displayed names of the players, by start number.
func (c *Crowd) Names() string {
	players, err := tournament.PlayersFull(c.T.Context(), c.S, Organizer, c.Tour.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	names := make([]string, len(players))
	for i, p := range players {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// Enters returns the action that adds players to the roster.
func (c *Crowd) Enters(entries ...rosterfile.PlayerEntry) people.EnterPlayers {
	return people.EnterPlayers{Tournament: c.Tour.ID, Entries: entries}
}

// Newest returns the last action about players.
func (c *Crowd) Newest() people.PeopleChange {
	c.T.Helper()
	changes, err := people.PeopleChanges(c.T.Context(), c.S, Organizer, c.Tour.ID, 1)
	if err != nil {
		c.T.Fatal(err)
	}
	return changes[0]
}

// Played returns all result lines in the order of writing.
func (c *Crowd) Played() string {
	var lines []string
	c.S.Read.Raw(`SELECT l.id || ':' || l.player_id || ':' || l.points || ':' || l.wins FROM result_lines l JOIN players p ON p.id = l.player_id
		WHERE p.tournament_id = ? ORDER BY l.id`, c.Tour.ID).Scan(&lines)
	return strings.Join(lines, " ")
}

// Step performs a random action about the players of the tournament.
func (c *Crowd) Step(rt *rapid.T, step int) {
	var players []tournament.Player
	c.S.Read.Where("tournament_id = ?", c.Tour.ID).Order("number").Find(&players)
	who := rapid.SampledFrom(players).Draw(rt, "who")
	kind := rapid.SampledFrom(slices.Concat(slices.Sorted(maps.Keys(people.PeopleKinds)),
		[]string{"publish", "start one", "play", "draw"})).Draw(rt, "kind")
	number := rapid.IntRange(1, 12).Draw(rt, "table")
	said := map[string]any{"tournament": c.Tour.ID, "player": who.ID, "number": number,
		"now": rapid.Bool().Draw(rt, "now"), "settings": tournament.PeopleSettingsOf{
			Capacity: rapid.SampledFrom([]int{0, 8, 30}).Draw(rt, "capacity"), NoShowMinutes: 10,
			MissedCharge: rapid.IntRange(0, 3).Draw(rt, "charge")}}
	ctx := context.Background()
	round, err := tournament.OpenRound(c.S.Read, c.Tour.ID)
	if err != nil {
		rt.Fatal(err)
	}
	switch kind {
	case "draw":
		action.Do(ctx, DeskOf(c.S), Organizer, draw.PairRound{Tournament: c.Tour.ID,
			PairingOptions: draw.PairingOptions{Note: "again"}})
		return
	case "publish":
		if round != nil {
			action.Do(ctx, DeskOf(c.S), Organizer, draw.PublishRound{Round: round.ID})
		}
		return
	case "start one":
		if round != nil && round.Status != tournament.RoundDraft {
			c.startOne(number)
		}
		return
	case "play":
		if round != nil && round.Status != tournament.RoundDraft {
			c.Play(*round)
			action.Do(ctx, DeskOf(c.S), Organizer, draw.PairRound{Tournament: c.Tour.ID,
				PairingOptions: draw.PairingOptions{Note: "again"}})
		}
		return
	case tournament.PeopleEnter:
		said["entries"] = []rosterfile.PlayerEntry{{Name: fmt.Sprintf("New %d", step)}}
	case tournament.PeopleCorrect:
		said["entries"] = []rosterfile.PlayerEntry{{Name: fmt.Sprintf("Right %d", step), Country: "PL"}}
	case tournament.PeopleSubstitute:
		said["entries"], said["keep"] = []rosterfile.PlayerEntry{{Name: fmt.Sprintf("Sub %d", step)}},
			rapid.SampledFrom([]string{people.KeepEntry, people.KeepPerson}).Draw(rt, "keep")
	}
	c.try(rt, kind, said)
}

// try previews and performs an action about players, and takes it back in half of the cases. Previews and refused
// actions must change nothing.
func (c *Crowd) try(rt *rapid.T, kind string, said map[string]any) {
	ctx := context.Background()
	body, err := json.Marshal(said)
	if err != nil {
		rt.Fatal(err)
	}
	a, err := people.PeopleAction(kind, body)
	if err != nil {
		rt.Fatal(err)
	}
	was := c.People()
	seen, _ := action.Preview(ctx, DeskOf(c.S), Organizer, a)
	if !maps.Equal(was, c.People()) {
		rt.Fatalf("looking at %s changed something", kind)
	}
	out, err := action.Do(ctx, DeskOf(c.S), Organizer, a)
	var refusal *refuse.Error
	if err != nil && !errors.As(err, &refusal) {
		rt.Fatalf("%+v: %v", a, err)
	}
	if err == nil && EffectKeys(seen.Effects) != EffectKeys(out.Effects) {
		rt.Fatalf("%s: looked at %s, did %s", kind, EffectKeys(seen.Effects), EffectKeys(out.Effects))
	}
	if err != nil && !maps.Equal(was, c.People()) {
		rt.Fatalf("%s was refused (%v) and changed something", kind, err)
	}
	if err == nil && out.Change != 0 && rapid.Bool().Draw(rt, "undo") {
		if _, err := action.Do(ctx, DeskOf(c.S), Organizer, people.UndoPeople{Change: out.Change}); err != nil {
			rt.Fatalf("take %+v back: %v", a, err)
		}
		if now := c.People(); !maps.Equal(was, now) {
			a, b := was.Against(now)
			rt.Fatalf("taken back, it is %v\nwas %v", b, a)
		}
	}
}

// startOne starts a table of the unfinished round, if it exists.
func (c *Crowd) startOne(number int) {
	c.T.Helper()
	round, err := tournament.OpenRound(c.S.Read, c.Tour.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	var table tournament.Table
	c.S.Read.Where("round_id = ? AND number = ?", round.ID, number).Limit(1).Find(&table)
	if table.ID == 0 {
		return
	}
	if _, err := action.Do(context.Background(), DeskOf(c.S), Organizer, draw.StartTable{Table: table.ID}); err != nil {
		c.T.Fatal(err)
	}
}

// Check fails the test if the seats of the unfinished round do not fit the players.
func (c *Crowd) Check(rt *rapid.T) {
	round, err := tournament.OpenRound(c.S.Read, c.Tour.ID)
	if err != nil || round == nil {
		return
	}
	tables, begun, err := tournament.Placings(c.S.Read, round.ID)
	if err != nil {
		rt.Fatal(err)
	}
	var players []tournament.Player
	c.S.Read.Where("tournament_id = ?", c.Tour.ID).Find(&players)
	byID, seated := map[int64]tournament.Player{}, map[int64]int{}
	for _, p := range players {
		byID[p.ID] = p
	}
	for _, t := range tables {
		if len(t.Players) > 4 || len(t.Players) < 2 && len(tables) > 1 {
			rt.Fatalf("table %d has %d players of %d at %d tables", t.Number, len(t.Players), len(players), len(tables))
		}
		here := 0
		for _, p := range t.Players {
			if !byID[p].Gone {
				here++
			}
		}
		for _, p := range t.Players {
			seated[p]++
			kept := byID[p].Gone && here < 2 // at a table of two, the leaving player's chair stays
			if seated[p] > 1 || !byID[p].Plays() && round.Status != tournament.RoundRunning &&
				!(kept && round.Status == tournament.RoundPublished) {
				rt.Fatalf("%s (%s) sits %d times", byID[p].Name, byID[p].State, seated[p])
			}
			if byID[p].Gone && !begun[t.ID] && !kept {
				rt.Fatalf("%s has gone and keeps a chair of table %d, which waits with %d players", byID[p].Name,
					t.Number, here)
			}
		}
	}
	if !round.Underway() {
		for _, p := range players {
			if p.Plays() && seated[p.ID] != 1 {
				rt.Fatalf("%s (%s) sits %d times in the draft", p.Name, p.State, seated[p.ID])
			}
		}
	}
}
