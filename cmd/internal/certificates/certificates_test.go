package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	hallNames     = []string{"hall.local", "localhost"}
	hallAddresses = []net.IP{net.IPv4(192, 168, 4, 1).To4(), net.IPv4(127, 0, 0, 1).To4()}
)

// trusts reports whether a device that has installed the authority accepts a server's certificate for a name.
func trusts(authority, server *x509.Certificate, name string) bool {
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	_, err := server.Verify(x509.VerifyOptions{Roots: roots, DNSName: name})
	return err == nil
}

// TestAuthority checks that a device installs the authority only once: it trusts later certificates for other
// addresses, and the authority cannot sign for a public name.
func TestAuthority(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "certificates")
	first, err := Make(folder, hallNames, hallAddresses, time.Now())
	if err != nil || !first.New {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := Make(folder, hallNames, []net.IP{net.IPv4(10, 1, 2, 3).To4()}, time.Now())
	if err != nil || second.New || !second.Authority.Equal(first.Authority) {
		t.Fatalf("another authority was made: %v", err)
	}
	for name, want := range map[string]bool{"hall.local": true, "10.1.2.3": true, "192.168.4.1": false,
		"else.local": false} {
		if got := trusts(first.Authority, second.Server, name); got != want {
			t.Errorf("%s: trusted %t", name, got)
		}
	}
	if _, err := Make(folder, []string{"bank.example"}, nil, time.Now()); err == nil ||
		!strings.Contains(err.Error(), "bank.example") {
		t.Errorf("the authority vouches for a name of the internet: %v", err)
	}
	if kept, err := Read(filepath.Join(folder, ServerFile)); err != nil || !kept.Equal(second.Server) {
		t.Errorf("what was refused has replaced what was there: %v", err)
	}
	for _, file := range []string{AuthorityKeyFile, ServerKeyFile} {
		if info, err := os.Stat(filepath.Join(folder, file)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	if life := second.Server.NotAfter.Sub(second.Server.NotBefore); life > 825*24*time.Hour {
		t.Errorf("good for %v: systems refuse more than 825 days", life)
	}
	if p := Fingerprint(first.Authority); len(p) != 32*3-1 || strings.Count(p, ":") != 31 {
		t.Errorf("the fingerprint is %s", p)
	}
}

// TestBrokenAuthority checks that an authority with a missing or foreign part is not replaced silently, because devices
// have already installed it.
func TestBrokenAuthority(t *testing.T) {
	for name, spoil := range map[string]func(folder string) error{
		"no key": func(f string) error { return os.Remove(filepath.Join(f, AuthorityKeyFile)) },
		"no PEM": func(f string) error { return os.WriteFile(filepath.Join(f, AuthorityFile), []byte("no"), 0o600) },
		"another key": func(f string) error {
			return os.Rename(filepath.Join(f, ServerKeyFile), filepath.Join(f, AuthorityKeyFile))
		},
	} {
		folder := t.TempDir()
		if _, err := Make(folder, hallNames, hallAddresses, time.Now()); err != nil {
			t.Fatal(err)
		}
		if err := spoil(folder); err != nil {
			t.Fatal(err)
		}
		if made, err := Make(folder, hallNames, hallAddresses, time.Now()); err == nil {
			t.Errorf("%s: made %+v", name, made)
		}
	}
	folder := t.TempDir()
	if _, err := Make(folder, hallNames, hallAddresses, time.Now().Add(-authorityLife-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(folder, hallNames, hallAddresses, time.Now()); err == nil ||
		!strings.Contains(err.Error(), "expired on") {
		t.Errorf("an authority that is over: %v", err)
	}
}

// TestKept checks that a running server picks up a renewed pair, and keeps the previous one while certificate and key
// do not match.
func TestKept(t *testing.T) {
	folder := t.TempDir()
	make := func(days int) *x509.Certificate {
		t.Helper()
		made, err := Make(folder, hallNames, hallAddresses, time.Now().AddDate(0, 0, days))
		if err != nil {
			t.Fatal(err)
		}
		return made.Server
	}
	first := make(0)
	k, err := Load(filepath.Join(folder, ServerFile), filepath.Join(folder, ServerKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	shown := func() *x509.Certificate {
		t.Helper()
		k.looked = time.Time{}
		pair, err := k.Get(new(tls.ClientHelloInfo))
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf
	}
	if !shown().Equal(first) {
		t.Error("another certificate is shown")
	}
	second := make(1)
	if !shown().Equal(second) {
		t.Error("the renewed certificate is not taken")
	}
	key := filepath.Join(folder, ServerKeyFile)
	whole, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, spoilt := range [][]byte{[]byte("half"), nil} {
		if spoilt == nil {
			err = os.Remove(key)
		} else {
			err = os.WriteFile(key, spoilt, 0o600)
		}
		if err != nil || !shown().Equal(second) {
			t.Errorf("a spoilt key: %v", err)
		}
	}
	if err := os.WriteFile(key, whole, 0o600); err != nil || !shown().Equal(second) {
		t.Error(err)
	}
	if third := make(2); !shown().Equal(third) {
		t.Error("after a spoilt key no pair is taken any more")
	}
	if _, err := Load(key, key); err == nil {
		t.Error("a key was taken for a certificate")
	}
}
