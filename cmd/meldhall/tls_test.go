package main

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestEncrypted checks that old TLS versions and cipher suites are rejected, whatever the client accepts.
func TestEncrypted(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = encrypted(nil) // the test server provides its own certificate
	s.StartTLS()
	t.Cleanup(s.Close)
	for _, c := range []struct {
		name     string
		from, to uint16
		suites   []uint16
		want     bool
	}{
		{"TLS 1.3", tls.VersionTLS13, tls.VersionTLS13, nil, true},
		{"TLS 1.2", tls.VersionTLS12, tls.VersionTLS12, nil, true},
		{"TLS 1.2 with CBC", tls.VersionTLS12, tls.VersionTLS12,
			[]uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA}, false},
		{"TLS 1.1", tls.VersionTLS10, tls.VersionTLS11, nil, false},
	} {
		conn, err := tls.Dial("tcp", s.Listener.Addr().String(),
			&tls.Config{InsecureSkipVerify: true, MinVersion: c.from, MaxVersion: c.to, CipherSuites: c.suites})
		if (err == nil) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}
