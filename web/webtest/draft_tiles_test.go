package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"meldhall/engine/tile"
	"meldhall/web/request"
	"meldhall/web/view"
)

// TestADraftHasNoOthersTiles checks that the server rejects a draft with a tile that is neither on the table nor on the
// player's rack. Viewers still see the previous draft.
func TestADraftHasNoOthersTiles(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	mover := e.at(0, e.public().view(game).Turn.Seat)
	mine := mover.view(game)
	draft := func(faces ...tile.Face) request.DraftRequest {
		return request.DraftRequest{Turn: mine.Turn.Number, Table: []tile.LaidFaces{{At: 0, Faces: faces}}}
	}
	path := fmt.Sprintf("/games/%d/draft", game)
	mover.must(http.MethodPost, path, draft(mine.Rack[:2]...), nil)
	rack := tile.CountFaces(mine.Rack)
	other := tile.Face(slices.IndexFunc(rack[:], func(n uint8) bool { return n == 0 }))
	twice := mine.Rack[0]
	for _, faces := range [][]tile.Face{{mine.Rack[0], other}, slices.Repeat([]tile.Face{twice}, int(rack[twice])+1)} {
		mover.refusedWith(t, http.StatusUnprocessableEntity, "not_on_rack", http.MethodPost, path, draft(faces...))
		var seen view.LiveState
		e.public().must(http.MethodGet, fmt.Sprintf("/games/%d", game), nil, &seen)
		if seen.Draft == nil || !slices.Equal(seen.Draft.Table[0].Faces, mine.Rack[:2]) {
			t.Errorf("after %v was refused viewers see %+v", faces, seen.Draft)
		}
	}
}
