package view

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/web/live"
)

// GameState identifies the game of a view.
type GameState struct {
	ID      int64  `json:"id"`
	Number  int    `json:"number" doc:"the game's number at its table in this round, from 1"`
	Of      int    `json:"of" doc:"number of games at the table in this round"`
	Round   int64  `json:"round_id"`
	Table   int    `json:"table" doc:"the table's number"`
	TableID int64  `json:"table_id"`
	Status  string `json:"status" enum:"waiting,running,finished,confirmed" doc:"confirmed: a referee has confirmed the count"`
}

// LiveState is a game as one viewer may see it: the content of every message of a stream.
type LiveState struct {
	Game  *GameState    `json:"game"`
	View  *engine.View  `json:"view"`
	Names []string      `json:"names" doc:"the players' names in seat order"`
	Draft *game.Draft   `json:"draft" doc:"the tiles that the player to move has laid but not submitted; shown to the whole table"`
	Count *result.Count `json:"count,omitempty" doc:"after the game, for the table and the officials: which players agree with the count"`
}

// frameCache stores the last rendered state of each table's game, so that the common part is marshalled once for four
// seats and any number of spectators. A frame belongs to one Snapshot, which never changes.
type frameCache struct {
	store  *store.DB
	mu     sync.Mutex
	events map[int64]map[int64]*frame // by tournament and table
	kept   int
}

// framesMost limits the memory: twice the 10,000 tables that one node serves, about 4 KB each.
const framesMost = 20_000

type frame struct {
	mu    sync.Mutex
	snap  *game.Snapshot
	named names
	// shared is the JSON of a LiveState up to the viewer's own fields of the view, with full names and with public
	// names. The next state reuses its memory.
	shared [2][]byte
	id     string
}

// names contains the names of a table's players in seat order, in full and as the public sees them (nil if equal), and
// the JSON of both.
type names struct {
	whole, public []string
	texts         [2][]byte
	standIns      bool // a player is substituted from some game on: games after number need a new read
	number        int
}

// publicFor returns which names a viewer of a game sees: 0 for the full ones, shown to its players and officials, 1 for
// the public ones.
func (n names) publicFor(ctx context.Context, snap *game.Snapshot, viewer int) int {
	if n.public == nil || viewer != engine.Spectator || displayname.Full(ctx, snap.Ref.TournamentID, snap.Ref.TableID) {
		return 0
	}
	return 1
}

func newFrameCache(db *store.DB) *frameCache {
	return &frameCache{store: db, events: map[int64]map[int64]*frame{}}
}

// forget drops a tournament's frames, when names or places may have changed; 0 drops all frames.
func (f *frameCache) forget(tournamentID int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if tournamentID == 0 {
		f.clear()
		return
	}
	f.kept -= len(f.events[tournamentID])
	delete(f.events, tournamentID)
}

func (f *frameCache) clear() { f.events, f.kept = map[int64]map[int64]*frame{}, 0 }

func (f *frameCache) of(ref game.Ref) *frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	fr := f.events[ref.TournamentID][ref.TableID]
	if fr == nil {
		if f.kept >= framesMost {
			f.clear()
		}
		if f.events[ref.TournamentID] == nil {
			f.events[ref.TournamentID] = map[int64]*frame{}
		}
		fr = &frame{}
		f.events[ref.TournamentID][ref.TableID] = fr
		f.kept++
	}
	return fr
}

// message returns a running game's state for a viewer: a seat or engine.Spectator.
func (f *frameCache) message(ctx context.Context, snap *game.Snapshot, viewer int, now engine.Millis) (m live.Message,
	err error) {
	room := live.NewRoom()
	data, id, err := f.of(snap.Ref).draw(ctx, f.store, snap, viewer, (*room)[:0])
	if err != nil {
		return m, err
	}
	if data, err = appendOwn(data, snap, viewer, now); err != nil {
		return m, err
	}
	*room = data
	return live.Message{ID: id, Data: data, Room: room}, nil
}

// appendOwn appends the JSON of the viewer's own fields, which follows the shared part.
func appendOwn(data []byte, snap *game.Snapshot, viewer int, now engine.Millis) (_ []byte, err error) {
	view := engine.OwnFor(&snap.State, viewer)
	data = append(data, `,"now":`...)
	data = strconv.AppendInt(data, int64(now), 10)
	data = append(data, `,"seat":`...)
	data = strconv.AppendInt(data, int64(viewer), 10)
	if data, err = appendFaces(data, `,"rack":`, view.Rack); err != nil {
		return nil, err
	}
	if data, err = appendFaces(data, `,"drawn":`, view.Drawn); err != nil {
		return nil, err
	}
	if view.MayRedeal {
		data = append(data, `,"may_redeal":true`...)
	}
	if data, err = appendList(data, `,"calls":`, view.Calls); err != nil {
		return nil, err
	}
	if data, err = appendList(data, `,"rulings":`, view.Rulings); err != nil {
		return nil, err
	}
	if data, err = appendList(data, `,"proposals":`, view.Proposals); err != nil {
		return nil, err
	}
	return append(data, '}', '}'), nil
}

func appendList[E any](data []byte, name string, list []E) ([]byte, error) {
	if len(list) == 0 {
		return data, nil
	}
	text, err := json.Marshal(list)
	return append(append(data, name...), text...), err
}

func appendFaces(data []byte, name string, faces engine.RackView) ([]byte, error) {
	if len(faces) == 0 {
		return data, nil
	}
	return faces.AppendJSON(append(data, name...))
}

// draw appends the shared part of a snapshot's message for a viewer to data. It also returns the ID of the state. The
// shared part is rendered once for all viewers of the same snapshot with the same names.
func (fr *frame) draw(ctx context.Context, db *store.DB, snap *game.Snapshot, viewer int, data []byte) (_ []byte,
	id string, err error) {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	if err := fr.name(ctx, db, snap); err != nil {
		return nil, "", err
	}
	public := fr.named.publicFor(ctx, snap, viewer)
	if fr.snap != nil && before(snap, fr.snap) { // an older snapshot is not worth storing
		data, err = appendShared(data, snap, fr.named.texts[public])
		return data, StateID(snap), err
	}
	if fr.snap != snap {
		fr.snap, fr.id = snap, StateID(snap)
		fr.shared = [2][]byte{fr.shared[0][:0], fr.shared[1][:0]}
	}
	if len(fr.shared[public]) == 0 {
		shared, err := appendShared(fr.shared[public], snap, fr.named.texts[public])
		if err != nil {
			return nil, "", err
		}
		fr.shared[public] = shared
	}
	return append(data, fr.shared[public]...), fr.id, nil
}

// before reports whether a is the older of two snapshots of a table's games.
func before(a, b *game.Snapshot) bool {
	return a.Ref.Number < b.Ref.Number || a.Ref.Number == b.Ref.Number && a.State.Seq < b.State.Seq
}

// appendShared appends the JSON of a LiveState, with names as JSON, up to the viewer's own fields of the view.
func appendShared(text []byte, snap *game.Snapshot, names []byte) ([]byte, error) {
	text = NewGameState(snap).append(append(text, `{"game":`...))
	text = append(append(text, `,"names":`...), names...)
	text = append(text, `,"draft":`...)
	if snap.Draft == nil {
		text = append(text, "null"...)
	} else {
		draft, err := json.Marshal(snap.Draft)
		if err != nil {
			return nil, err
		}
		text = append(text, draft...)
	}
	return engine.AppendShared(append(text, `,"view":`...), snap.Shown())
}

// append appends the JSON of the game's state.
func (g *GameState) append(text []byte) []byte {
	for _, f := range [...]struct {
		name  string
		value int64
	}{{`{"id":`, g.ID}, {`,"number":`, int64(g.Number)}, {`,"of":`, int64(g.Of)}, {`,"round_id":`, g.Round},
		{`,"table":`, int64(g.Table)}, {`,"table_id":`, g.TableID}} {
		text = strconv.AppendInt(append(text, f.name...), f.value, 10)
	}
	return append(append(append(text, `,"status":"`...), g.Status...), `"}`...) // one of four plain words
}

// names returns the names of a game's players in seat order, as a viewer sees them.
func (f *frameCache) names(ctx context.Context, snap *game.Snapshot, viewer int) ([]string, error) {
	fr := f.of(snap.Ref)
	fr.mu.Lock()
	defer fr.mu.Unlock()
	if err := fr.name(ctx, f.store, snap); err != nil || fr.named.publicFor(ctx, snap, viewer) == 0 {
		return fr.named.whole, err
	}
	return fr.named.public, nil
}

// name reads the names if necessary. The caller must hold fr.mu.
func (fr *frame) name(ctx context.Context, db *store.DB, snap *game.Snapshot) error {
	if fr.named.whole != nil && (!fr.named.standIns || fr.named.number >= snap.Ref.Number) {
		return nil
	}
	return fr.readNames(ctx, db, snap)
}

func (fr *frame) readNames(ctx context.Context, db *store.DB, snap *game.Snapshot) error {
	whole, err := tournament.TableByID(displayname.InFull(ctx), db, snap.Ref.TableID)
	if err != nil {
		return err
	}
	standIns, err := people.StandIns(ctx, db, snap.Ref.TournamentID)
	if err != nil {
		return err
	}
	public := whole
	if slices.ContainsFunc(whole.Seats, func(s tournament.Seat) bool { return s.Player.OtherName() }) {
		if public, err = tournament.TableByID(displayname.ForAll(ctx), db, snap.Ref.TableID); err != nil {
			return err
		}
	}
	if err := fr.call(SeatNames(whole), SeatNames(public)); err != nil {
		return err
	}
	fr.named.number = snap.Ref.Number
	fr.named.standIns = slices.ContainsFunc(standIns,
		func(s tournament.StandIn) bool { return slices.Contains(snap.Ref.Players, s.PlayerID) })
	return nil
}

// call stores the players' full and public names.
func (fr *frame) call(whole, public []string) (err error) {
	named := names{whole: whole}
	if named.texts[0], err = json.Marshal(whole); err != nil {
		return err
	}
	if !slices.Equal(whole, public) {
		named.public = public
		if named.texts[1], err = json.Marshal(public); err != nil {
			return err
		}
	}
	fr.named = named
	return nil
}

// NewGameState returns the state of a snapshot's game. It does not set the status confirmed; the caller must.
func NewGameState(snap *game.Snapshot) *GameState {
	g := &GameState{ID: snap.Ref.ID, Number: snap.Ref.Number, Of: snap.Ref.Of, Round: snap.Ref.RoundID,
		Table: snap.Ref.TableNumber, TableID: snap.Ref.TableID, Status: game.Running}
	switch snap.State.Phase {
	case engine.PhaseNew:
		g.Status = game.Waiting
	case engine.PhaseOver:
		g.Status = game.Finished
	}
	return g
}

// StateID returns the ID of a game's state: <game>-<seq>-<draft>, with the suffix -stands while nothing can be written.
func StateID(snap *game.Snapshot) string {
	id := strconv.AppendInt(make([]byte, 0, 24), snap.Ref.ID, 10)
	id = strconv.AppendInt(append(id, '-'), int64(snap.State.Seq), 10)
	id = strconv.AppendInt(append(id, '-'), int64(snap.DraftNumber), 10)
	if snap.Stands != 0 {
		id = append(id, "-stands"...)
	}
	return string(id)
}
