package certificates

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"meldhall/tournament/store"
)

// Names of the certificate files in their folder.
const (
	AuthorityFile    = "authority.pem"
	AuthorityKeyFile = "authority-key.pem"
	ServerFile       = "server.pem"
	ServerKeyFile    = "server-key.pem"
)

// Lifetimes: operating systems reject a server certificate that is valid for more than 825 days.
const (
	authorityLife = 10 * 365 * 24 * time.Hour
	serverLife    = 800 * 24 * time.Hour
	clocksApart   = 24 * time.Hour // how far a tablet's clock may lag behind
)

// Made is the result of Make. New reports that a new authority was created: devices must install it before they trust
// the server.
type Made struct {
	Authority, Server *x509.Certificate
	New               bool
}

// Make issues a server certificate for names and addresses and stores it in folder. The folder's authority signs it; if
// there is none, Make creates one first. An authority cannot vouch for arbitrary public names or addresses: it is
// limited to names in .local, localhost, private addresses, and the names and addresses for which it was created.
func Make(folder string, names []string, addresses []net.IP, now time.Time) (made Made, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return made, err
	}
	authority, key, err := readPair(filepath.Join(folder, AuthorityFile), filepath.Join(folder, AuthorityKeyFile))
	if errors.Is(err, fs.ErrNotExist) {
		made.New = true
		authority, key, err = makeAuthority(folder, names, addresses, now)
	}
	if err != nil {
		return made, fmt.Errorf("the authority in %s: %w", folder, err)
	}
	made.Authority = authority
	if now.After(authority.NotAfter) {
		return made, fmt.Errorf("the authority in %s expired on %s: move its files away to create a new one",
			folder, authority.NotAfter.Format(time.DateOnly))
	}
	made.Server, err = makeServer(folder, authority, key, names, addresses, now)
	return made, err
}

func makeAuthority(folder string, names []string, addresses []net.IP, now time.Time) (*x509.Certificate,
	*ecdsa.PrivateKey, error) {
	for _, file := range []string{AuthorityFile, AuthorityKeyFile} {
		if _, err := os.Stat(filepath.Join(folder, file)); err == nil {
			return nil, nil, fmt.Errorf("%s exists, but its key or certificate is missing", file)
		}
	}
	host, _ := os.Hostname()
	template := &x509.Certificate{
		Subject: pkix.Name{Organization: []string{"Meldhall"}, CommonName: "Meldhall at " +
			cmp.Or(host, "this venue") + " " + now.Format(time.DateOnly)},
		NotBefore: now.Add(-clocksApart), NotAfter: now.Add(authorityLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{"local", "localhost"},
		PermittedIPRanges: near(),
	}
	for _, name := range names {
		if !slices.ContainsFunc(template.PermittedDNSDomains,
			func(d string) bool { return name == d || strings.HasSuffix(name, "."+d) }) {
			template.PermittedDNSDomains = append(template.PermittedDNSDomains, name)
		}
	}
	for _, ip := range addresses {
		if !slices.ContainsFunc(template.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip) }) {
			template.PermittedIPRanges = append(template.PermittedIPRanges,
				&net.IPNet{IP: ip, Mask: net.CIDRMask(8*len(ip), 8*len(ip))})
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	made, err := sign(template, template, key, key)
	if err != nil {
		return nil, nil, err
	}
	return made, key, writePair(folder, AuthorityFile, AuthorityKeyFile, made, key)
}

// near returns the private, link-local and loopback networks.
func near() (networks []*net.IPNet) {
	for _, cidr := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
		"127.0.0.0/8", "::1/128", "fc00::/7", "fe80::/10"} {
		_, n, err := net.ParseCIDR(cidr)
		if err != nil {
			panic(err) // cannot happen: the networks are constants
		}
		networks = append(networks, n)
	}
	return networks
}

func makeServer(folder string, authority *x509.Certificate, authorityKey *ecdsa.PrivateKey, names []string,
	addresses []net.IP, now time.Time) (*x509.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	until := now.Add(serverLife)
	if until.After(authority.NotAfter) {
		until = authority.NotAfter
	}
	made, err := sign(&x509.Certificate{
		Subject:   pkix.Name{Organization: []string{"Meldhall"}, CommonName: names[0]},
		NotBefore: now.Add(-clocksApart), NotAfter: until,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    names, IPAddresses: addresses,
	}, authority, key, authorityKey)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	for _, name := range append(slices.Clone(names), textOf(addresses)...) {
		if _, err := made.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: now}); err != nil {
			return nil, fmt.Errorf("the authority in %s must not sign for %s: move its files away to create a new "+
				"one, which every device must install: %w", folder, name, err)
		}
	}
	return made, writePair(folder, ServerFile, ServerKeyFile, made, key)
}

func textOf(addresses []net.IP) []string {
	texts := make([]string, len(addresses))
	for i, ip := range addresses {
		texts[i] = ip.String()
	}
	return texts
}

func sign(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// writePair writes the key before the certificate, so a reader of a new certificate always finds its key.
func writePair(folder, certFile, keyFile string, cert *x509.Certificate, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(folder, keyFile), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
		0o600); err != nil {
		return err
	}
	return replace(filepath.Join(folder, certFile), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: cert.Raw}), 0o644)
}

// replace replaces a file in one step, after its new contents have reached the disk. A key truncated by a power failure
// would be useless.
func replace(name string, data []byte, mode fs.FileMode) error {
	half := name + ".new"
	if err := os.WriteFile(half, data, mode); err != nil {
		return err
	}
	return store.Settle(half, name)
}

func readPair(certFile, keyFile string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	cert, err := Read(certFile)
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, nil, fmt.Errorf("%s is not a key in PEM form", keyFile)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", keyFile, err)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || !key.PublicKey.Equal(cert.PublicKey) {
		return nil, nil, fmt.Errorf("%s is not the key of %s", keyFile, certFile)
	}
	return cert, key, nil
}

// Read reads a PEM certificate from a file.
func Read(file string) (*x509.Certificate, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("%s is not a certificate in PEM form", file)
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return cert, nil
}

// Fingerprint returns the SHA-256 fingerprint of a certificate in the form that operating systems show, for people to
// compare.
func Fingerprint(cert *x509.Certificate) string {
	sum := sha256.Sum256(cert.Raw)
	return strings.ReplaceAll(fmt.Sprintf("% X", sum), " ", ":")
}
