// Package certificates is what the server proves by that it is who it says: a pair that is read again when its files change, and the
// venue's own authority where nobody else vouches for a machine without a name on the internet.
package certificates

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// lookEvery is how often at most the files are looked at.
const lookEvery = time.Second

// Kept is a certificate with its key in two PEM files. Whoever renews them writes new ones; the next connection gets the new pair. While
// the files cannot be read, or do not belong together yet, the one of before goes on.
type Kept struct {
	cert, key string

	mu     sync.Mutex
	pair   *tls.Certificate
	stamp  string // of the files that pair is of
	looked time.Time
	warned string // the stamp of files that could not be taken
}

// Load reads the pair for the first time.
func Load(cert, key string) (*Kept, error) {
	k := &Kept{cert: cert, key: key}
	stamp, err := k.stampNow()
	if err != nil {
		return nil, fmt.Errorf("load the certificate: %w", err)
	}
	if err := k.take(stamp); err != nil {
		return nil, fmt.Errorf("load the certificate: %w", err)
	}
	return k, nil
}

// Get gives the newest pair, for tls.Config.
func (k *Kept) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if time.Since(k.looked) < lookEvery {
		return k.pair, nil
	}
	k.looked = time.Now()
	stamp, err := k.stampNow()
	if err == nil && stamp == k.stamp {
		return k.pair, nil
	}
	if err == nil {
		err = k.take(stamp)
	}
	switch {
	case err == nil:
		slog.Info("the certificate was read again", "file", k.cert, "until", k.pair.Leaf.NotAfter)
	case k.warned != stamp:
		k.warned = stamp
		slog.Warn("the new certificate cannot be taken: the one of before goes on", "file", k.cert, "err", err)
	}
	return k.pair, nil
}

func (k *Kept) take(stamp string) error {
	pair, err := tls.LoadX509KeyPair(k.cert, k.key)
	if err != nil {
		return err
	}
	k.pair, k.stamp, k.warned = &pair, stamp, ""
	return nil
}

// stampNow tells both files from what they were.
func (k *Kept) stampNow() (stamp string, err error) {
	for _, file := range []string{k.cert, k.key} {
		info, err := os.Stat(file)
		if err != nil {
			return "missing", err
		}
		stamp += fmt.Sprintf("%d %d;", info.ModTime().UnixNano(), info.Size())
	}
	return stamp, nil
}
