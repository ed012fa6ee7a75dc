// Package certificates manages the server's TLS certificate. It reloads a pair of files when they change, and creates a
// private authority for a machine that has no public name.
package certificates

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// lookEvery is the shortest time between two checks of the files.
const lookEvery = time.Second

// Kept is a certificate with its key, loaded from two PEM files. New connections get the new pair at the latest
// lookEvery after the files are renewed. While the files cannot be read, or do not match yet, the previous pair stays
// in use.
type Kept struct {
	cert, key string

	mu     sync.Mutex
	pair   *tls.Certificate
	stamp  string // identifies the files that pair was read from
	looked time.Time
	warned string // stamp of the files last rejected, to warn only once
}

// Load loads a certificate and its key from two PEM files.
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

// Get returns the newest pair. It has the type of tls.Config.GetCertificate.
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
		slog.Info("reloaded the certificate", "file", k.cert, "until", k.pair.Leaf.NotAfter)
	case k.warned != stamp:
		k.warned = stamp
		slog.Warn("reloading the certificate failed; the previous one stays in use", "file", k.cert, "err", err)
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

// stampNow returns a stamp that changes whenever one of the files changes.
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
