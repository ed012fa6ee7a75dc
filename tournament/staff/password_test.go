package staff

import (
	"context"
	"errors"
	"testing"
)

func TestPasswordFits(t *testing.T) {
	ctx, passphrase := context.Background(), "correct horse battery"
	for _, broken := range []string{"", "x", "$argon2id$v=19$m=19456,t=2,p=1$AAAA", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA",
		"$argon2id$v=16$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$AAAA$"} {
		if fits, err := passwordFits(ctx, passphrase, broken); fits || err != nil {
			t.Errorf("%q: got %v, %v", broken, fits, err)
		}
	}
	t.Run("waits its turn and gives up with the request", func(t *testing.T) {
		for range hashesAtOnce {
			hashing <- struct{}{}
		}
		defer func() {
			for range hashesAtOnce {
				<-hashing
			}
		}()
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := hashPassword(gone, passphrase); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
