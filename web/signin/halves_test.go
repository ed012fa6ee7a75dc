package signin

import (
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
)

// TestHalfIsThereAllTheWhile checks that a sign-in waiting for its second step stays valid while its passkey is
// requested.
func TestHalfIsThereAllTheWhile(t *testing.T) {
	h := newHalves(time.Now, nil)
	ticket := h.give(7)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for range 20_000 {
			h.ask(ticket, &webauthn.SessionData{})
			h.take(ticket)
		}
	}()
	for {
		select {
		case <-asked:
			return
		default:
			if account, ok := h.of(ticket); !ok || account != 7 {
				t.Error("it is over while a passkey is asked for")
				<-asked
				return
			}
		}
	}
}
