package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"meldhall/cmd/internal/certificates"
	"meldhall/tournament/store"
	"meldhall/web"
	"meldhall/web/guard"
)

// proof holds what the server needs to prove its identity; config is nil if it does not use TLS.
type proof struct {
	config    *tls.Config
	authority *x509.Certificate // private authority; nil with a public certificate
	acme      *autocert.Manager // nil if certificates are not requested by ACME
}

// encrypts reports whether the server is reached over HTTPS.
func (c serveCmd) encrypts() bool {
	return c.TLSCert != "" || c.Certificates != "" || len(c.ACMEHost) > 0
}

// proof prepares the certificates that the flags specify.
func (c serveCmd) proof() (p proof, err error) {
	cert, key := c.TLSCert, c.TLSKey
	switch {
	case c.HTTP != "" && !c.encrypts():
		return p, errors.New("--http needs https: add --certificates, --tls-cert or --acme-host")
	case c.ACMEDirectory != "" && len(c.ACMEHost) == 0:
		return p, errors.New("--acme-directory needs --acme-host")
	case len(c.ACMEHost) > 0:
		p.acme = &autocert.Manager{Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(c.ACMEHost...),
			Cache: autocert.DirCache(filepath.Join(store.FolderOf(c.DB), "acme"))}
		if c.ACMEDirectory != "" {
			p.acme.Client = &acme.Client{DirectoryURL: c.ACMEDirectory}
		}
		p.config = encrypted(p.acme.GetCertificate)
		p.config.NextProtos = []string{"h2", "http/1.1", acme.ALPNProto}
		return p, nil
	case c.Certificates != "":
		cert, key = filepath.Join(c.Certificates, certificates.ServerFile),
			filepath.Join(c.Certificates, certificates.ServerKeyFile)
		if p.authority, err = certificates.Read(filepath.Join(c.Certificates, certificates.AuthorityFile)); err != nil {
			return p, fmt.Errorf("certificates of `meldhall certificate`: %w", err)
		}
	case cert == "":
		return p, nil
	}
	kept, err := certificates.Load(cert, key)
	if err != nil {
		return p, err
	}
	p.config = encrypted(kept.Get)
	return p, nil
}

// encrypted returns a TLS configuration with TLS 1.3, and TLS 1.2 limited to AEAD ciphers with forward secrecy.
func encrypted(pair func(*tls.ClientHelloInfo) (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{GetCertificate: pair, MinVersion: tls.VersionTLS12, CipherSuites: []uint16{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256}}
}

// startPlain serves the unencrypted address alongside HTTPS, if one is configured. It offers what a device needs before
// it trusts the server, and answers the challenges of an ACME authority. Other pages are redirected to HTTPS.
func (p *program) startPlain(c serveCmd, proof proof) error {
	if c.HTTP == "" {
		return nil
	}
	listener, err := net.Listen("tcp", c.HTTP)
	if err != nil {
		return fmt.Errorf("listen without encryption: %w", err)
	}
	p.plain = listener.Addr().(*net.TCPAddr)
	s := guard.Server(proof.challenged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if server, ok := p.gate.passed().(*web.Server); ok {
			server.Plain().ServeHTTP(w, r)
			return
		}
		p.gate.ServeHTTP(w, r)
	})))
	p.others = append(p.others, s)
	go s.Serve(web.Bounded(listener, c.Proxy))
	return nil
}

// fetch requests the certificates at startup. Otherwise the first visitor would have to wait for them, but a connection
// attempt waits at most 5 s.
func (p proof) fetch(hosts []string) {
	for _, host := range hosts {
		got, err := p.acme.GetCertificate(&tls.ClientHelloInfo{ServerName: host,
			SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
			SupportedCurves:  []tls.CurveID{tls.CurveP256},
			CipherSuites:     []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}})
		if err != nil {
			slog.Error("fetching a certificate failed; retrying at the next request", "host", host, "err",
				err)
			continue
		}
		slog.Info("fetched a certificate", "host", host, "until", got.Leaf.NotAfter)
	}
}

// challenged returns a handler that answers an ACME authority's challenges and passes other requests to otherwise.
func (p proof) challenged(otherwise http.Handler) http.Handler {
	if p.acme == nil {
		return otherwise
	}
	return p.acme.HTTPHandler(otherwise)
}
