package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"meldhall/cmd/internal/prepare"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
	"meldhall/web"
)

// program is the running server with everything that it holds. stop ends it.
type program struct {
	store   *storage.DB
	log     *game.Log
	games   *game.Games
	desk    *door.Desk
	web     *web.Server
	base    string   // the address that people type
	reach   []string // every address that reaches it
	setup   string   // the first organizer's one-time token; "" when there is an account
	http    *http.Server
	profile *http.Server
	beating context.CancelFunc
	beats   sync.WaitGroup
	served  chan error
}

// startProgram opens the database, brings the running games back to life and begins to answer. The security log goes to a writer as well;
// nil: not.
func startProgram(ctx context.Context, c serveCmd, security io.Writer) (p *program, err error) {
	p = &program{served: make(chan error, 1), beating: func() {}}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.stop(ctx))
		}
	}()
	if dir := filepath.Dir(c.DB); dir != "." {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return p, err
		}
	}
	if p.store, err = storage.OpenAlone(c.DB); err != nil {
		return p, err
	}
	presets, err := prepare.Presets(c.Presets)
	if err != nil {
		return p, err
	}
	p.log = game.OpenLog(p.store)
	p.games = tournament.NewGames(p.store, p.log)
	p.desk = door.NewDesk(p.store, p.games)
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return p, fmt.Errorf("listen: %w", err)
	}
	p.name(listener.Addr().(*net.TCPAddr), c)
	p.web, err = web.New(p.desk, web.Config{
		BaseURL: p.base, Version: version(), TrustedProxies: c.Proxy, Presets: presets, Locales: localesOf(c.Presets), Security: security,
	})
	if err != nil {
		return p, errors.Join(err, listener.Close())
	}
	if p.setup, err = staff.SetupToken(ctx, p.store); err == nil {
		err = p.games.Boot(ctx)
	}
	if err == nil {
		err = p.web.ResumePractice(ctx)
	}
	if err != nil {
		return p, errors.Join(err, listener.Close())
	}
	p.beat()
	return p, p.serve(listener, c)
}

// localesOf is the folder's texts, nil without a folder.
func localesOf(dir string) fs.FS {
	if dir == "" {
		return nil
	}
	return os.DirFS(filepath.Join(dir, "locales"))
}

// beat keeps the heartbeat from which a restart knows since when the program was down. It begins after Boot
// has read the last one.
func (p *program) beat() {
	var ctx context.Context
	ctx, p.beating = context.WithCancel(context.Background())
	p.beats.Go(func() { p.games.Heartbeat(ctx) })
	p.beats.Go(func() { p.games.Pulse(ctx) })
	p.beats.Go(func() { p.desk.Watch(ctx) })
}

func (p *program) serve(listener net.Listener, c serveCmd) error {
	p.http = p.web.HTTP()
	listener = p.web.Bounded(listener)
	if c.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return errors.Join(fmt.Errorf("load the certificate: %w", err), listener.Close())
		}
		p.http.TLSConfig = encrypted(pair)
	}
	go func() {
		if c.TLSCert != "" {
			p.served <- p.http.ServeTLS(listener, "", "")
			return
		}
		p.served <- p.http.Serve(listener)
	}()
	return p.startProfile(c.Profile)
}

// encrypted is TLS 1.3, and of 1.2 what authenticates as it encrypts and keeps what was said secret when the key is lost later.
func encrypted(pair tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, CipherSuites: []uint16{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256}}
}

// startProfile answers the profiler at an address of its own, which must be this machine's alone.
func (p *program) startProfile(address string) error {
	if address == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("profiler: %q is no address of this machine alone, such as 127.0.0.1:6060", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("profiler: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	p.profile = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go p.profile.Serve(listener)
	return nil
}

// stop lets requests finish, ends streams, writes what is waiting and closes the database. A clock that runs
// is credited at the next start.
func (p *program) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	var errs []error
	if p.web != nil {
		p.web.Close()
	}
	if p.http != nil {
		if err := p.http.Shutdown(ctx); err != nil { // what is still under way must not go on without a database
			errs = append(errs, err, p.http.Close())
		}
	}
	if p.profile != nil {
		errs = append(errs, p.profile.Close())
	}
	p.beating()
	p.beats.Wait()
	if p.games != nil {
		p.games.Close()
	}
	if p.log != nil {
		p.log.Close()
	}
	if p.store != nil {
		errs = append(errs, p.store.Close())
	}
	return errors.Join(errs...)
}

// name finds the addresses under which the program is reached.
func (p *program) name(at *net.TCPAddr, c serveCmd) {
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	for _, host := range hostsOf(at.IP) {
		p.reach = append(p.reach, fmt.Sprintf("%s://%s", scheme, net.JoinHostPort(host, fmt.Sprint(at.Port))))
	}
	if p.base = c.BaseURL; p.base == "" {
		p.base = p.reach[0]
	}
}

// hostsOf lists the addresses behind a listening one, those that others reach first.
func hostsOf(ip net.IP) []string {
	if !ip.IsUnspecified() {
		return []string{ip.String()}
	}
	var near, far []string
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		n, ok := a.(*net.IPNet)
		if !ok || n.IP.To4() == nil {
			continue
		}
		if n.IP.IsLoopback() {
			near = append(near, n.IP.String())
		} else {
			far = append(far, n.IP.String())
		}
	}
	if len(near) == 0 {
		near = []string{"127.0.0.1"}
	}
	return slices.Concat(far, near)
}

// version is the program's, as the Go command recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
