package shell

import (
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
)

// A sign-in that waits for its second step is there while its passkey is asked for.
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
