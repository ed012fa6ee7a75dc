package venue

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/storage"
	"meldhall/web/live"
)

// GameState says which game a view is of.
type GameState struct {
	ID      int64  `json:"id"`
	Number  int    `json:"number" doc:"the game's number at its table in this round, from 1"`
	Of      int    `json:"of" doc:"games at the table in this round"`
	Round   int64  `json:"round_id"`
	Table   int    `json:"table" doc:"the table's number"`
	TableID int64  `json:"table_id"`
	Status  string `json:"status" enum:"waiting,running,finished,confirmed" doc:"confirmed: a referee has confirmed the count"`
}

// LiveState is a game as one viewer may see it: what every message of a stream holds.
type LiveState struct {
	Game  *GameState        `json:"game"`
	View  *engine.View      `json:"view"`
	Names []string          `json:"names" doc:"the players' names in seat order"`
	Draft *game.Draft       `json:"draft" doc:"what the player to move has laid and not submitted; shown to the whole table"`
	Count *tournament.Count `json:"count,omitempty" doc:"after the game, for the table and the officials: who finds the count right"`
}

// frameCache keeps the last drawn state of each game, so that four seats and any number of spectators
// cost one marshalling of what they have in common. A frame belongs to one Snapshot, which never changes.
type frameCache struct {
	store *storage.DB
	mu    sync.Mutex
	games map[int64]*frame
}

// framesMost bounds the memory: about 4 KB each.
const framesMost = 5000

type frame struct {
	mu     sync.Mutex
	snap   *game.Snapshot
	named  []string // the players' names in seat order
	names  []byte   // their JSON
	shared []byte   // the JSON of a LiveState up to the view's fields of one viewer
	id     string
}

func newFrameCache(store *storage.DB) *frameCache {
	return &frameCache{store: store, games: map[int64]*frame{}}
}

// forget drops everything, when names or places may have changed.
func (f *frameCache) forget() {
	f.mu.Lock()
	f.games = map[int64]*frame{}
	f.mu.Unlock()
}

func (f *frameCache) of(game int64) *frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	fr := f.games[game]
	if fr == nil {
		if len(f.games) >= framesMost {
			f.games = map[int64]*frame{}
		}
		fr = &frame{}
		f.games[game] = fr
	}
	return fr
}

// message gives a running game's state for a viewer: a seat or engine.Spectator.
func (f *frameCache) message(ctx context.Context, snap *game.Snapshot, viewer int, now engine.Millis) (live.Message, error) {
	fr := f.of(snap.Ref.ID)
	shared, id, err := fr.draw(ctx, f.store, snap)
	if err != nil {
		return live.Message{}, err
	}
	view := engine.OwnFor(snap.State, viewer)
	data := make([]byte, 0, 64+7*(len(view.Rack)+len(view.Drawn)))
	data = append(data, `,"now":`...)
	data = strconv.AppendInt(data, int64(now), 10)
	data = append(data, `,"seat":`...)
	data = strconv.AppendInt(data, int64(viewer), 10)
	if data, err = appendFaces(data, `,"rack":`, view.Rack); err != nil {
		return live.Message{}, err
	}
	if data, err = appendFaces(data, `,"drawn":`, view.Drawn); err != nil {
		return live.Message{}, err
	}
	if view.MayRedeal {
		data = append(data, `,"may_redeal":true`...)
	}
	if data, err = appendList(data, `,"calls":`, view.Calls); err != nil {
		return live.Message{}, err
	}
	if data, err = appendList(data, `,"rulings":`, view.Rulings); err != nil {
		return live.Message{}, err
	}
	if data, err = appendList(data, `,"proposals":`, view.Proposals); err != nil {
		return live.Message{}, err
	}
	return live.Message{ID: id, Data: shared, More: append(data, '}', '}')}, nil
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
	list, err := faces.MarshalJSON()
	return append(append(data, name...), list...), err
}

// draw gives the shared part for a snapshot, made once for all who ask for the same one.
func (fr *frame) draw(ctx context.Context, store *storage.DB, snap *game.Snapshot) ([]byte, string, error) {
	fr.mu.Lock()
	defer fr.mu.Unlock()
	if fr.snap == snap {
		return fr.shared, fr.id, nil
	}
	if err := fr.name(ctx, store, snap); err != nil {
		return nil, "", err
	}
	shared, err := fr.append(make([]byte, 0, len(fr.shared)+512), snap)
	if err != nil {
		return nil, "", err
	}
	id := StateID(snap)
	if fr.snap == nil || fr.snap.State.Seq <= snap.State.Seq { // an older snapshot is not worth keeping
		fr.snap, fr.shared, fr.id = snap, shared, id
	}
	return shared, id, nil
}

// append appends the JSON of a LiveState up to the view's fields of one viewer.
func (fr *frame) append(text []byte, snap *game.Snapshot) ([]byte, error) {
	text = NewGameState(snap).append(append(text, `{"game":`...))
	text = append(append(text, `,"names":`...), fr.names...)
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
	return engine.ViewFor(snap.Shown(), engine.Spectator).AppendShared(append(text, `,"view":`...))
}

// append appends the JSON of where a game is played.
func (g *GameState) append(text []byte) []byte {
	for _, f := range [...]struct {
		name  string
		value int64
	}{{`{"id":`, g.ID}, {`,"number":`, int64(g.Number)}, {`,"of":`, int64(g.Of)}, {`,"round_id":`, g.Round}, {`,"table":`, int64(g.Table)}, {`,"table_id":`, g.TableID}} {
		text = strconv.AppendInt(append(text, f.name...), f.value, 10)
	}
	return append(append(append(text, `,"status":"`...), g.Status...), `"}`...) // one of four plain words
}

// names gives the players' names of a game in seat order.
func (f *frameCache) names(ctx context.Context, snap *game.Snapshot) ([]string, error) {
	fr := f.of(snap.Ref.ID)
	fr.mu.Lock()
	defer fr.mu.Unlock()
	err := fr.name(ctx, f.store, snap)
	return fr.named, err
}

// name reads the names once; fr.mu is held.
func (fr *frame) name(ctx context.Context, store *storage.DB, snap *game.Snapshot) error {
	if fr.named != nil {
		return nil
	}
	table, err := tournament.TableByID(ctx, store, snap.Ref.TableID)
	if err != nil {
		return err
	}
	named := make([]string, len(table.Seats))
	for i, seat := range table.Seats {
		named[i] = seat.Player.Name
	}
	return fr.call(named)
}

// call says how the players are called.
func (fr *frame) call(named []string) (err error) {
	if fr.names, err = json.Marshal(named); err == nil {
		fr.named = named
	}
	return err
}

// NewGameState tells which game a snapshot is of and how far it is; confirmed is for the caller to say.
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

// StateID names a state of a game, <game>-<seq>-<draft>, and with -stands while nothing can be written.
func StateID(snap *game.Snapshot) string {
	id := strconv.AppendInt(make([]byte, 0, 24), snap.Ref.ID, 10)
	id = strconv.AppendInt(append(id, '-'), int64(snap.State.Seq), 10)
	id = strconv.AppendInt(append(id, '-'), int64(snap.DraftNumber), 10)
	if snap.Stands != 0 {
		id = append(id, "-stands"...)
	}
	return string(id)
}
