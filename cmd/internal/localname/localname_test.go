package localname

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/pion/mdns/v2"
	"golang.org/x/net/ipv4"

	"meldhall/engine/testmode"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"meldhall": true, "hall-2": true, "Hall.local": true, "": false,
		"my hall": false, "-x": false, "x.": false, "hall.example": false, "a.b.local": false} {
		a, err := Answer(name)
		if (err == nil) != want && !(want && multicastRefused()) {
			t.Errorf("%q: %v", name, err)
		}
		if err == nil {
			a.Close()
		}
	}
	if Full("Hall") != "hall.local" || Full("hall.example") != "hall.example" {
		t.Errorf("got %s and %s", Full("Hall"), Full("hall.example"))
	}
}

func multicastRefused() bool {
	l, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(224, 0, 0, 0), Port: 5353})
	if err == nil {
		l.Close()
	}
	return err != nil
}

// TestAnswered checks that another device on the network gets one of this machine's addresses for the name, until it is
// closed.
func TestAnswered(t *testing.T) {
	if multicastRefused() {
		testmode.SkipMissing(t, "this machine lets nobody listen to multicast")
	}
	a, err := Answer("meldhall-test")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(224, 0, 0, 0), Port: 5353})
	if err != nil {
		t.Fatal(err)
	}
	asker, err := mdns.NewServer(ipv4.NewPacketConn(l), nil, mdns.WithIncludeLoopback(true),
		mdns.WithLoggerFactory(silent{}))
	if err != nil {
		t.Fatal(err)
	}
	defer asker.Close()
	ask := func(name string, within time.Duration) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		_, addr, err := asker.QueryAddr(ctx, name)
		return addr.String(), err
	}
	got, err := ask("meldhall-test.local", 20*time.Second)
	if err != nil {
		t.Fatalf("nobody answers: %v", err)
	}
	mine, _ := net.InterfaceAddrs()
	found := false
	for _, m := range mine {
		n, ok := m.(*net.IPNet)
		found = found || ok && n.IP.String() == got
	}
	if !found {
		t.Errorf("the name leads to %s, which is not this machine", got)
	}
	if got, err := ask("another-test.local", 2*time.Second); err == nil {
		t.Errorf("another name leads to %s", got)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
