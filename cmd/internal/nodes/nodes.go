// Package nodes lets the nodes that serve one database notify each other: of changes, and of drafts and presence, which
// are never stored. A node that misses a notification of a change sees it the next time it reads the database.
package nodes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/game/shares"
	"meldhall/web/live"
)

const (
	answerMost = 3 * time.Second // how long to wait for NATS
	againEvery = time.Second     // retry interval while NATS is away
)

// Hints exchanges notifications between the nodes of one database over NATS.
type Hints struct {
	conn    *nats.Conn
	name    string // of this node
	subject string
	desk    *action.Desk
	cluster *cluster.Cluster
	seats   *live.Presence
	rulings *live.Attention
	points  *live.Pointing
	asked   func(shares.Table) // shows devices here that they are asked for their part in a shuffle

	mu    sync.Mutex
	there []live.SeatNews // presence reports to be sent together

	sent, heard atomic.Int64
	ended       atomic.Bool
}

// hint is one notification; the fields that are set say what happened.
type hint struct {
	Moved   *cluster.Move `json:"moved,omitempty"`
	Changed bool          `json:"changed,omitempty"`
	Leases  bool          `json:"leases,omitempty"`
	Draft   *draft        `json:"draft,omitempty"`

	Seat      *live.SeatNews      `json:"seat,omitempty"`
	Seats     []live.SeatNews     `json:"seats,omitempty"` // reports only that these seats are present
	Attention *live.AttentionNews `json:"attention,omitempty"`
	Point     *live.Point         `json:"point,omitempty"`
	Asked     *shares.Table       `json:"asked,omitempty"`
}

type draft struct {
	Game int64       `json:"game"`
	Node string      `json:"node"`
	From game.Sender `json:"from"`
	game.Draft
}

// Dial connects to NATS. If no server answers, it keeps trying in the background; for other failures, it returns an
// error in plain words. It calls heard with true whenever the connection is established, and with false whenever it is
// lost or no server answers.
func Dial(address, name string, heard func(bool)) (*Hints, error) {
	h := &Hints{name: name}
	options := []nats.Option{nats.Name("meldhall " + name), nats.NoEcho(), nats.Timeout(answerMost),
		nats.MaxReconnects(-1), nats.ReconnectWait(againEvery),
		nats.IgnoreAuthErrorAbort(), // changing the password on the server takes a while
		nats.ReconnectBufSize(-1),   // late hints are useless
		nats.ClosedHandler(func(conn *nats.Conn) {
			if err := conn.LastError(); err != nil && !h.ended.Load() {
				slog.Error("connection to NATS closed: restart this node to receive hints from other nodes",
					"err", inWords(err))
			}
		}),
		nats.ConnectHandler(func(*nats.Conn) { heard(true) }), nats.ReconnectHandler(func(*nats.Conn) { heard(true) }),
		nats.DisconnectErrHandler(func(conn *nats.Conn, err error) {
			if conn.IsClosed() { // the node is stopping
				return
			}
			heard(false)
			slog.Warn("NATS is unreachable: moves from other nodes appear up to 3 s late, and drafts do not "+
				"appear", "err", inWords(err))
		})}
	conn, err := nats.Connect(address, append(options, nats.RetryOnFailedConnect(false))...)
	if isAway(err) {
		heard(false)
		slog.Warn("no NATS server responds: moves from other nodes appear up to 3 s late, and drafts do not "+
			"appear", "address", shown(address))
		conn, err = nats.Connect(address, append(options, nats.RetryOnFailedConnect(true))...)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %s. Nothing was changed", shown(address), inWords(err))
	}
	h.conn = conn
	return h, nil
}

// isAway reports whether the address does not answer as a NATS server, or is a proxy that cannot reach one.
func isAway(err error) bool {
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		errors.Is(err, syscall.ECONNRESET)
}

func inWords(err error) string {
	var address *url.Error // its text contains the whole address, with the password
	switch {
	case err == nil:
		return "the server closed the connection"
	case errors.As(err, &address):
		return "that is not the address of a NATS server, such as nats://user:password@host:4222"
	case errors.Is(err, nats.ErrAuthorization), strings.Contains(err.Error(), "authorization"):
		return "the user name or password is wrong"
	case errors.Is(err, nats.ErrSecureConnRequired):
		return "it requires an encrypted connection: name it as tls://host:4222"
	}
	return err.Error()
}

// shown returns addresses without their secrets. A user name alone may be a token.
func shown(address string) string {
	all := strings.Split(address, ",")
	for i, one := range all {
		one = strings.TrimSpace(one)
		if !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		all[i] = "…"
		if u, err := url.Parse(one); err == nil {
			all[i] = u.Scheme + "://" + u.Host
		}
	}
	return strings.Join(all, ",")
}

// Exchange starts sending this node's changes to the other nodes of the same database epoch, and receiving theirs. It
// sets the hooks of the cluster, of the seats' presence, of the officials' attention and of the pointers at tables.
func (h *Hints) Exchange(desk *action.Desk, games *cluster.Cluster, seats *live.Presence,
	rulings *live.Attention, points *live.Pointing) error {
	h.desk, h.cluster, h.seats, h.rulings, h.points = desk, games, seats, rulings, points
	h.subject = "meldhall." + desk.DB.Epoch.Name
	seats.Share = h.tellSeat
	rulings.Share = func(n live.AttentionNews) { h.send(hint{Attention: &n}) }
	points.Share = func(p live.Point) { h.send(hint{Point: &p}) }
	games.SendMove = func(m cluster.Move) { h.send(hint{Moved: &m}) }
	games.SendDraft = func(of int64, d game.Draft) { h.send(hint{Draft: &draft{of, h.name, d.From, d}}) }
	h.asked = desk.Games.Shares.Asked
	desk.Games.Shares.Asked = func(t shares.Table) {
		h.asked(t)
		h.send(hint{Asked: &t})
	}
	games.SendLeases = func() { h.send(hint{Leases: true}) }
	desk.OnRecorded(func(action.Record) { h.send(hint{Changed: true}) })
	if _, err := h.conn.Subscribe(h.subject, h.hear); err != nil {
		return fmt.Errorf("subscribe to other nodes' hints: %w", err)
	}
	return nil
}

const (
	thereAfter = 200 * time.Millisecond // how long presence reports are gathered
	thereMost  = 500                    // per hint: a seat takes about 100 bytes
)

// tellSeat sends news of a seat. Presence reports, which each seat makes every two seconds, are batched: 40,000 seats
// would otherwise cause 20,000 hints per second at every node.
func (h *Hints) tellSeat(n live.SeatNews) {
	if n.Took != "" || n.Left != "" || n.Report != nil {
		h.send(hint{Seat: &n})
		return
	}
	h.mu.Lock()
	h.there = append(h.there, n)
	gathered := len(h.there)
	h.mu.Unlock()
	switch gathered {
	case 1:
		time.AfterFunc(thereAfter, h.tellThere)
	case thereMost:
		h.tellThere()
	}
}

func (h *Hints) tellThere() {
	h.mu.Lock()
	there := h.there
	h.there = nil
	h.mu.Unlock()
	if len(there) > 0 {
		h.send(hint{Seats: there})
	}
}

// Figures returns how many hints were sent and received so far.
func (h *Hints) Figures() (sent, heard int64) { return h.sent.Load(), h.heard.Load() }

func (h *Hints) send(what hint) {
	h.sent.Add(1)
	data, err := json.Marshal(what)
	if err == nil {
		err = h.conn.Publish(h.subject, data)
	}
	if err != nil && !errors.Is(err, nats.ErrReconnectBufExceeded) && !errors.Is(err, nats.ErrConnectionClosed) &&
		!errors.Is(err, nats.ErrConnectionReconnecting) {
		slog.Warn("sending a hint to other nodes failed", "err", err)
	}
}

func (h *Hints) hear(m *nats.Msg) {
	h.heard.Add(1)
	var what hint
	if err := json.Unmarshal(m.Data, &what); err != nil { // from a newer version
		return
	}
	switch {
	case what.Moved != nil:
		h.cluster.MovedElsewhere(*what.Moved)
	case what.Draft != nil:
		what.Draft.Draft.From = what.Draft.From
		h.cluster.DraftElsewhere(what.Draft.Game, what.Draft.Node, what.Draft.Draft)
	case what.Seat != nil:
		h.seats.HeardElsewhere(*what.Seat)
	case len(what.Seats) > 0:
		for _, n := range what.Seats {
			h.seats.HeardElsewhere(n)
		}
	case what.Attention != nil:
		h.rulings.HeardElsewhere(*what.Attention)
	case what.Point != nil:
		h.points.HeardElsewhere(*what.Point)
	case what.Asked != nil:
		h.asked(*what.Asked)
	case what.Leases:
		h.cluster.BeatSoon()
	case what.Changed:
		h.desk.LookSoon()
	}
}

// Told waits until the hints have been sent, but for at most half a second.
func (h *Hints) Told() { _ = h.conn.FlushTimeout(time.Second / 2) }

// Close closes the connection to NATS.
func (h *Hints) Close() {
	h.ended.Store(true)
	h.conn.Close()
}
