package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/web"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// copiedBy holds the ways to copy the database of a running hall.
var copiedBy = map[string]func(t *testing.T, h *hall) string{
	"by the program": func(t *testing.T, h *hall) string {
		to := filepath.Join(t.TempDir(), "copy.db")
		if err := h.store.Backup(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		return to
	},
	"by hand": func(t *testing.T, h *hall) string {
		to := filepath.Join(t.TempDir(), "copy.db")
		_, err := h.store.WriteSQL.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
		var content []byte
		if err == nil {
			content, err = os.ReadFile(h.store.File())
		}
		if err == nil {
			err = os.WriteFile(to, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return to
	},
}

// An official restores an older copy while a tablet is open, and the restored game reaches the number that the tablet
// has already seen. The tablet then receives the current board. The server refuses commands with keys from before the
// restore, and forms of desk pages from before it. Seats and sessions stay valid, and officials see a notice.
func TestAnOlderCopyIsPutBack(t *testing.T) {
	for name, copied := range copiedBy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEvent(t, 4, nil, func(c *web.Config) { c.PingEvery = 50 * time.Millisecond })
			e.start()
			game := e.begin(0)
			before := e.public().view(game)
			mover := e.at(0, before.Turn.Seat)
			older := copied(t, e.hall)
			old := e.readerAt(0, before.Turn.Seat).get(t,
				"/play/game").is(http.StatusOK).header.Get(request.EpochHeader)
			draw := request.TurnRequest{Turn: before.Turn.Number, Key: e.key()}
			mover.must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game), draw, nil)
			seen := next(t, mover.watch("/seat/live"))

			e.restartOn(t, older, func(c *web.Config) { c.PingEvery = 50 * time.Millisecond })
			var now view.LiveState
			m := next(t, mover.watch("/seat/live", live.LastEventID, seen.id))
			if err := json.Unmarshal([]byte(m.data), &now); err != nil || now.View == nil ||
				now.View.Seq != before.Seq+1 || now.View.Pool != before.Pool || now.View.Paused == nil {
				t.Errorf("a tablet that has seen %s is sent %s %s, %v; want the board of the copy", seen.id, m.event,
					m.data, err)
			}
			page := e.readerAt(0, before.Turn.Seat).get(t, "/play/game").is(http.StatusOK)
			own := page.header.Get(request.EpochHeader)
			if html := find(page.doc, "html")[0]; own == "" || own == old || attr(html, "data-epoch") != own {
				t.Errorf("the life was %q and is %q, the page says %q", old, own, attr(html, "data-epoch"))
			}
			e.testFromBefore(t, game, old, own, draw)
			e.as(e.organizer).get(t, fmt.Sprintf("/desk/%d", e.id)).is(http.StatusOK).says(".flash", "older copy")
			e.as(e.referee).get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK).says(".flash", "older copy")
		})
	}
}

// testFromBefore checks that requests for the previous epoch of the database are rejected, and that the same requests
// succeed in the new one.
func (e *event) testFromBefore(t *testing.T, game int64, old, own string, draw request.TurnRequest) {
	t.Helper()
	seq := e.public().view(game).Seq
	seat := e.public().view(game).Turn.Seat
	body, err := json.Marshal(draw)
	if err != nil {
		t.Fatal(err)
	}
	send := func(epoch string) (int, string) {
		status, _, answer := e.tablet(t).send(http.MethodPost, fmt.Sprintf("/play/game/%d/draw", game), string(body),
			"Content-Type", "application/json",
			"Accept", "application/json", "Cookie", "meldhall-seat="+e.at(0, seat).token, request.EpochHeader, epoch)
		return status, answer
	}
	if status, answer := send(old); status != http.StatusConflict || !strings.Contains(answer, `"err_epoch"`) ||
		!strings.Contains(answer, "Nothing was done") {
		t.Errorf("a key from before: %d %s", status, answer)
	}
	resume := url.Values{"epoch": {old}, "game": {fmt.Sprint(game)}, "reason": {"test"}, "key": {e.key()}}
	e.as(e.referee).post(t, fmt.Sprintf("/referee/%d/tables/%d/resume", e.id, e.round.Tables[0].ID),
		resume).is(http.StatusConflict).says("main", "Nothing was done")
	for command, by := range map[string]*caller{"draw": e.at(0, seat), "resume": e.referee} {
		status, head, answer := by.send(http.MethodPost, fmt.Sprintf("/games/%d/%s", game, command), draw,
			request.EpochHeader, "")
		if status != http.StatusConflict || !strings.Contains(string(answer), `"err_epoch_unnamed"`) ||
			head.Get(request.EpochHeader) != own {
			t.Errorf("a program that does not say for which life it is meant: %s: %d %s", command, status, answer)
		}
	}
	if now := e.public().view(game).Seq; now != seq {
		t.Errorf("the log went on from %d to %d", seq, now)
	}
	e.resume(e.referee, game)
	if status, answer := send(own); status != http.StatusOK || !strings.Contains(answer, engine.TileDrawn{}.Kind()) {
		t.Errorf("in the life that is on: %d %s", status, answer)
	}
}
