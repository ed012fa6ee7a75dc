package webtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/request"
)

// stackMost is how many bytes of stack a player's connection may need on average: 8 KiB for its goroutine, doubled when
// a command needs more, and the remains of the goroutine that watches for a disconnect.
const stackMost = 12 << 10

// Between commands, each of thousands of connections keeps the stack that its last command needed (see
// request.Middleware). The test does not run in parallel, because it counts the stacks of the whole process.
func TestCommandsNeedLittleStack(t *testing.T) {
	testmode.SkipUnderRace(t)
	const tables = 32
	e := newEvent(t, 4*tables, nil)
	e.start()
	for table := range tables {
		e.begin(table)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage collection would shrink stacks
	runtime.GC()
	before := stacks()
	for range 4 {
		for table := range tables {
			game := e.round.Tables[table].Games[0].ID
			turn := e.public().view(game).Turn
			e.drawsAlone(e.at(table, turn.Seat), game, turn.Number)
		}
	}
	each := (stacks() - before) / (4 * tables)
	t.Logf("%d bytes of stacks for each of %d connections", each, 4*tables)
	if each > stackMost {
		t.Errorf("%d bytes, want at most %d", each, stackMost)
	}
}

// drawsAlone draws a tile over the player's own connection, which stays open.
func (e *event) drawsAlone(c *caller, game int64, turn int) {
	e.t.Helper()
	conn, err := net.Dial("tcp", e.http.Listener.Addr().String())
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { conn.Close() })
	body, err := json.Marshal(request.TurnRequest{Turn: turn, Key: e.key()})
	if err != nil {
		e.t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, fmt.Sprintf("%s/api/v1/games/%d/draw", e.http.URL, game),
		strings.NewReader(string(body)))
	if err != nil {
		e.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	if err := req.Write(conn); err != nil {
		e.t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		e.t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		e.t.Fatalf("%s %s %v", answer.Status, text, err)
	}
}

// stacks returns the bytes of memory that goroutines use for their stacks.
func stacks() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}
