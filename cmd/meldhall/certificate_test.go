package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/certificates"
	"meldhall/cmd/internal/client"
)

// device returns a browser-like client that trusts an authority and follows no redirects.
func device(authority *x509.Certificate) *http.Client {
	roots := x509.NewCertPool()
	if authority != nil {
		roots.AddCert(authority)
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots},
		DisableKeepAlives: true, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func body(t *testing.T, resp *http.Response, err error) (*http.Response, []byte) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, data
}

// TestVenueCertificates checks how a hall gets HTTPS: create the certificate with one command, install the authority
// from a page without encryption, and connect without a warning. A renewed certificate reaches a running server.
func TestVenueCertificates(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "certificates")
	var said, log bytes.Buffer
	if err := (certificateCmd{Folder: folder, Name: []string{"hall"},
		Address: []string{"127.0.0.1"}}).make(&said); err != nil {
		t.Fatal(err)
	}
	authority, err := certificates.Read(filepath.Join(folder, certificates.AuthorityFile))
	if err != nil {
		t.Fatal(err)
	}
	fingerprint := certificates.Fingerprint(authority)
	if !strings.Contains(said.String(), fingerprint) || !strings.Contains(said.String(), "--local-name hall") {
		t.Errorf("it does not say what to do: %s", said.String())
	}
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	plain := freeAddress(t)
	s, err := client.StartServer(t.Context(), exe, filepath.Join(t.TempDir(), "hall.db"), false, &log, "--certificates",
		folder, "--http", plain, "--log-json")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	fresh := device(nil)
	if _, err := fresh.Get(s.Base + "/"); err == nil {
		t.Fatal("a device that trusts nobody trusts the server")
	}
	get := func(c *http.Client, address string) (*http.Response, []byte) {
		resp, err := c.Get(address)
		return body(t, resp, err)
	}
	if resp, _ := get(fresh, "http://"+plain+"/"); resp.StatusCode != http.StatusSeeOther ||
		resp.Header.Get("Location") != "/certificate" {
		t.Errorf("the plain address leads to %q, %d", resp.Header.Get("Location"), resp.StatusCode)
	}
	resp, page := get(fresh, "http://"+plain+"/certificate")
	for i, pair := range strings.Split(fingerprint, ":") {
		if spans := strings.Split(string(page), "<span>"); !slices.ContainsFunc(spans,
			func(s string) bool { return strings.HasPrefix(s, pair+"</span>") }) {
			t.Errorf("pair %d of the fingerprint, %s, is not shown", i+1, pair)
		}
	}
	for _, want := range []string{"/certificate/authority.crt", s.Base, "Certificate Trust Settings"} {
		if resp.StatusCode != http.StatusOK || !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not say %q, %d", want, resp.StatusCode)
		}
	}
	resp, der := get(fresh, "http://"+plain+"/certificate/authority.crt")
	taken, err := x509.ParseCertificate(der)
	if err != nil || !taken.Equal(authority) || resp.Header.Get("Content-Type") != "application/x-x509-ca-cert" {
		t.Fatalf("got %q, %v", resp.Header.Get("Content-Type"), err)
	}
	if resp, _ := get(fresh, "http://"+plain+"/join?code=A"); resp.StatusCode != http.StatusTemporaryRedirect ||
		resp.Header.Get("Location") != s.Base+"/join?code=A" {
		t.Errorf("another page is answered without encryption: %d %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	if resp, _ := get(fresh, "http://"+plain+"/api/v1/tournaments"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a program is led on silently: %d", resp.StatusCode)
	}
	if resp, err := fresh.Post("http://"+plain+"/sign-in", "", nil); err != nil ||
		resp.StatusCode != http.StatusForbidden {
		t.Errorf("what is sent without encryption: %v, %v", resp, err)
	}
	renews(t, folder, device(taken), s.Base)
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	found := false
	for line := range bytes.Lines(log.Bytes()) {
		var entry struct{ Msg, Level string }
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Errorf("no line of JSON: %s", line)
		}
		found = found || entry.Msg == "reloaded the certificate" && entry.Level == "INFO"
	}
	if !found {
		t.Errorf("the log tells nothing of the new certificate: %s", log.String())
	}
}

func TestCertificateRefuses(t *testing.T) {
	for name, c := range map[string]certificateCmd{
		"an address that is none": {Name: []string{"hall"}, Address: []string{"10.1"}},
		"a name that is none":     {Name: []string{"my hall"}},
		"an empty name":           {Name: []string{""}},
	} {
		c.Folder = filepath.Join(t.TempDir(), "certificates")
		if err := c.make(io.Discard); err == nil {
			t.Errorf("%s was taken", name)
		}
		if _, err := os.Stat(c.Folder); err == nil {
			t.Errorf("%s: something was written", name)
		}
	}
}

// renews renews the certificate, and waits until a running server presents it to a device that trusts the authority.
func renews(t *testing.T, folder string, trusting *http.Client, base string) {
	t.Helper()
	get := func() *http.Response {
		resp, err := trusting.Get(base + "/")
		resp, _ = body(t, resp, err)
		return resp
	}
	first := get()
	if first.StatusCode != http.StatusOK || first.ProtoMajor != 2 {
		t.Errorf("%s, HTTP/%d", first.Status, first.ProtoMajor)
	}
	if err := (certificateCmd{Folder: folder, Name: []string{"hall"},
		Address: []string{"127.0.0.1", "10.1.2.3"}}).make(io.Discard); err != nil {
		t.Fatal(err)
	}
	for tries := 0; get().TLS.PeerCertificates[0].Equal(first.TLS.PeerCertificates[0]); tries++ {
		if tries == 600 {
			t.Fatal("the server goes on with the certificate of before")
		}
		time.Sleep(50 * time.Millisecond)
	}
}
