package nodes

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"meldhall/engine/testmode"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

// startNATS starts a server on a port, -1 for a free one, that requires a password.
func startNATS(t *testing.T, port int, password string) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, Username: "meldhall", Password: password,
		NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS does not start")
	}
	return s
}

// TestNoSecretIsShown checks that passwords and tokens are never shown, however the NATS address is written.
func TestNoSecretIsShown(t *testing.T) {
	for address, want := range map[string]string{
		"nats://meldhall:secret@one:4222":         "nats://one:4222",
		"nats://secret@one:4222":                  "nats://one:4222",
		"meldhall:secret@one:4222":                "nats://one:4222",
		"secret@one, tls://a:secret@two":          "nats://one,tls://two",
		"nats://meldhall:secret@one:4222:nothing": "…",
		"nats://meldhall:sec%ret@one:4222":        "…",
		"one:4222":                                "nats://one:4222",
	} {
		if got := shown(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
		if !strings.HasSuffix(want, "…") {
			continue
		}
		if _, err := Dial(address, "test", func(bool) {}); err == nil || strings.Contains(err.Error(), "sec") {
			t.Errorf("%s is refused by %v", address, err)
		}
	}
}

// TestPasswordIsAnotherOneForAWhile checks that a node receives hints again once NATS accepts its password again,
// however often it was rejected meanwhile.
func TestPasswordIsAnotherOneForAWhile(t *testing.T) {
	testmode.SkipUnlessLong(t)
	first := startNATS(t, server.RANDOM_PORT, "right")
	at, port := first.Addr().String(), first.Addr().(*net.TCPAddr).Port
	hears := make(chan bool, 10)
	h, err := Dial("nats://meldhall:right@"+at, "test", func(yes bool) { hears <- yes })
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	wait := func(want bool) {
		t.Helper()
		select {
		case yes := <-hears:
			if yes != want {
				t.Fatalf("it hears: %t, want %t", yes, want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("it is not told that it hears: %t", want)
		}
	}
	wait(true)
	first.Shutdown()
	wait(false)
	other := startNATS(t, port, "wrong")
	for range 200 { // wait for three rejected attempts
		if vars, err := other.Varz(nil); err == nil && vars.TotalConnections >= 3 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	other.Shutdown()
	startNATS(t, port, "right")
	wait(true)
}

// TestHintsOfANewerVersion checks that an unknown or malformed hint is ignored.
func TestHintsOfANewerVersion(t *testing.T) {
	h := &Hints{}
	for _, text := range []string{`{"wind":{"from":"north"}}`, `{"moved":"seven"}`, `{"draft":[1]}`, `[]`, `null`, ``,
		`{`} {
		h.hear(&nats.Msg{Data: []byte(text)})
	}
	if _, heard := h.Figures(); heard != 7 {
		t.Errorf("%d hints were heard, want 7", heard)
	}
}

// TestSeatsAreToldTogether checks that presence reports of many seats share one hint, while other news is sent at once.
func TestSeatsAreToldTogether(t *testing.T) {
	first := startNATS(t, server.RANDOM_PORT, "right")
	h, err := Dial("nats://meldhall:right@"+first.Addr().String(), "test", func(bool) {})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	h.subject = "test"
	for seat := range 4 {
		h.tellSeat(live.SeatNews{Me: rights.Actor{Role: rights.RolePlayer, Table: 7, Seat: seat}})
	}
	if sent, _ := h.Figures(); sent != 0 {
		t.Errorf("%d hints were sent at once, want none", sent)
	}
	h.tellSeat(live.SeatNews{Me: rights.Actor{Role: rights.RolePlayer, Table: 7}, Took: "a page"})
	if sent, _ := h.Figures(); sent != 1 {
		t.Errorf("%d hints tell of a page that was opened, want 1", sent)
	}
	for range 100 {
		if sent, _ := h.Figures(); sent == 2 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	for range thereMost {
		h.tellSeat(live.SeatNews{Me: rights.Actor{Role: rights.RolePlayer, Table: 7}})
	}
	if sent, _ := h.Figures(); sent != 3 {
		t.Errorf("%d hints tell of 504 seats, want 2, and of a page", sent)
	}
}
