package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"meldhall/cmd/internal/certificates"
	"meldhall/cmd/internal/localname"
)

// certificateCmd is the command meldhall certificate.
type certificateCmd struct {
	Folder  string   `help:"The folder for the certificates. Keep it: a new authority has to be installed on every device again." default:"certificates" type:"path"`
	Name    []string `help:"Names of the server; .local is added to a name without a dot." default:"meldhall" placeholder:"NAME"`
	Address []string `help:"Addresses of the server. Default: all current addresses of this machine." placeholder:"IP"`
}

// Run creates the server's certificate, and the private authority if there is none.
func (c certificateCmd) Run() error { return c.make(os.Stdout) }

func (c certificateCmd) make(out io.Writer) error {
	var names []string
	for _, name := range c.Name {
		if !localname.Valid(name) {
			return fmt.Errorf("certificate: %q is not a host name", name)
		}
		names = append(names, localname.Full(name))
	}
	var addresses []net.IP
	for _, text := range append(c.Address, "127.0.0.1") {
		ip := net.ParseIP(text)
		if ip == nil {
			return fmt.Errorf("certificate: %q is not an IP address", text)
		}
		addresses = append(addresses, short(ip))
	}
	if len(c.Address) == 0 {
		for _, host := range hostsOf(net.IPv4zero) {
			addresses = append(addresses, short(net.ParseIP(host)))
		}
	}
	names = append(names, "localhost")
	if host, err := os.Hostname(); err == nil && localname.Valid(host) {
		names = append(names, localname.Full(host))
	}
	slices.Sort(names[1:])
	names = slices.Compact(names)
	slices.SortFunc(addresses, func(a, b net.IP) int { return strings.Compare(a.String(), b.String()) })
	addresses = slices.CompactFunc(addresses, net.IP.Equal)
	made, err := certificates.Make(c.Folder, names, addresses, time.Now())
	if err != nil {
		return err
	}
	return c.tell(out, made)
}

// short returns an address as certificates store it: in 4 bytes if possible.
func short(ip net.IP) net.IP {
	if four := ip.To4(); four != nil {
		return four
	}
	return ip
}

// tell prints the created files and their use.
func (c certificateCmd) tell(out io.Writer, made certificates.Made) error {
	var list []string
	list = append(list, made.Server.DNSNames...)
	for _, ip := range made.Server.IPAddresses {
		list = append(list, ip.String())
	}
	serve := fmt.Sprintf("meldhall --listen :443 --http :80 --certificates %q", c.Folder)
	if first := made.Server.DNSNames[0]; strings.HasSuffix(first, ".local") {
		serve += " --local-name " + strings.TrimSuffix(first, ".local")
	}
	what := "The authority already existed; devices that trust it trust the new certificate. A running server picks it up by itself."
	if made.New {
		what = "The authority is new: install it once on each device, from http://ADDRESS/certificate of the server."
	}
	_, err := fmt.Fprintf(out,
		"%s is valid until %s for %s\n\n%s\nIts fingerprint (SHA-256), to compare on the device:\n  %s\nIts key, "+
			"%s, can sign certificates that all your devices trust: keep it on this machine.\n\nStart the server "+
			"with\n  %s\n",
		filepath.Join(c.Folder, certificates.ServerFile), made.Server.NotAfter.Format(time.DateOnly),
		strings.Join(list, ", "), what,
		certificates.Fingerprint(made.Authority), certificates.AuthorityKeyFile, serve)
	return err
}
