package page

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/web/live"
	"meldhall/web/request"
)

// A person may point once a second, and a few times in a row after a rest.
const (
	pointsSecond = 1
	pointsBurst  = 3
)

type pointRequest struct {
	Tiles tile.FaceList `json:"tiles"`
	At    int           `json:"at"` // index of the set on the person's screen
}

// PointPost lets the page that sent the request point at tiles of a game's table, which all pages of the table then
// show for a few seconds. The reply is the pointer as this page shows it. Tiles that are not on the table, such as
// those of a draft or a rack, are refused. seat is engine.Referee for an official; who identifies the person for the
// limit of their pointers.
func (s *Base) PointPost(c *gin.Context, snap *game.Snapshot, seat int, who string) error {
	if err := s.points.Spend(who); err != nil {
		return err
	}
	var r pointRequest
	if err := request.ReadJSON(c, &r); err != nil {
		return err
	}
	on := tile.CountFaces(snap.State.Table.Faces()...)
	if n := len(r.Tiles); snap.State.Phase != engine.PhasePlaying || n == 0 || n > tile.Highest ||
		!tile.CountFaces(r.Tiles).Within(on) {
		return request.Refused(http.StatusUnprocessableEntity, "err_not_on_table")
	}
	s.view.Pointing.Show(live.Point{Table: snap.Ref.TableID, Seat: seat, Tiles: r.Tiles, At: r.At})
	return request.WriteJSON(c, play.NewPointer(s.Request.Language(c), r.Tiles, r.At, seat, seat, nil))
}

// Pointed adds to a page's feed what people point at on the table that the returned reader follows. sight returns the
// names of its players by seat and the page's own seat, or false if the page may not see pointers.
func (s *Base) Pointed(ctx context.Context, feed *live.Feed,
	sight func() (people []play.Person, seat int, may bool)) *live.Pointers {
	points := s.view.Pointing.Read(s.Request.Hub)
	feed.Hint = live.Aside{Watcher: points.Watcher, Next: func() (live.Message, error) {
		at, ok := points.Next()
		people, seat, may := sight()
		if !ok || !may {
			return live.Message{}, nil
		}
		data, err := json.Marshal(play.NewPointer(ctx, at.Tiles, at.At, at.Seat, seat, people))
		return live.Message{Event: "point", Data: data}, err
	}}
	return points
}
