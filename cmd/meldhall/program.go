package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"meldhall/cmd/internal/instance"
	"meldhall/cmd/internal/localname"
	"meldhall/cmd/internal/metrics"
	"meldhall/cmd/internal/nodes"
	"meldhall/cmd/internal/prepare"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/organization"
	"meldhall/tournament/preset"
	"meldhall/tournament/privacy"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web"
	"meldhall/web/guard"
)

// program is the running server with all its parts. stop ends it.
type program struct {
	store   *store.DB
	log     *game.Log
	games   *game.Games
	cluster *cluster.Cluster // of a node; nil if the program has the database to itself
	desk    *action.Desk
	web     *web.Server
	at      *net.TCPAddr // where it listens
	base    string       // the address that people type
	reach   []string     // every address under which it can be reached
	setup   string       // first organizer's one-time token; "" if there is an account
	gate    *gate
	watched *metrics.Metrics
	http    *http.Server
	others  []*http.Server // plain address, metrics and profiler; closed last
	plain   *net.TCPAddr   // the unencrypted address alongside HTTPS, or nil
	named   io.Closer      // answers for the local name, or nil
	hints   *nodes.Hints   // from other nodes of the database, or nil
	beating context.CancelFunc
	beats   sync.WaitGroup
	served  chan error

	recorded instance.Instance // for other starts on this machine

	restores  chan wanted // a copy to restore and continue with
	presets   preset.Library
	security  io.Writer
	authority *x509.Certificate
}

// startProgram opens the database, restores the running games and starts serving. If security is not nil, the security
// log is also written to it.
func startProgram(ctx context.Context, c serveCmd, security io.Writer) (p *program, err error) {
	p = &program{served: make(chan error, 1), restores: make(chan wanted, 1), beating: func() {}, gate: newGate(),
		watched: metrics.New(version()), security: security}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.stop(ctx))
		}
	}()
	proof, err := c.proof()
	if err != nil {
		return p, err
	}
	p.authority = proof.authority
	listening := p.listen(c, proof)
	if err := p.open(ctx, c); err != nil {
		return p, err
	}
	if listening != nil { // report database errors first: they name the process using both
		return p, listening
	}
	if p.presets, err = prepare.Presets(c.Presets); err != nil {
		return p, err
	}
	if err := p.serveOver(ctx, c); err != nil {
		return p, err
	}
	p.beat()
	if c.goesOn && !store.IsServer(c.DB) {
		p.recorded = p.record(c)
	}
	p.gate.open(p.web)
	if c.LocalName != "" {
		p.named, err = localname.Answer(c.LocalName)
	}
	return p, err
}

// begin opens the database, and restores its running games.
func (p *program) begin(ctx context.Context, c serveCmd) error {
	if err := p.open(ctx, c); err != nil {
		return err
	}
	return p.serveOver(ctx, c)
}

// serveOver creates the web server for the open database, and restores the running games.
func (p *program) serveOver(ctx context.Context, c serveCmd) (err error) {
	p.web, err = web.New(p.desk, web.Config{
		BaseURL: p.base, Version: version(), TrustedProxies: c.Proxy, Presets: p.presets, Locales: localesOf(c.Presets),
		Security:  p.security,
		Authority: p.authority, Answered: p.watched.Answered, SecondStep: c.SecondStep,
		Cluster: p.cluster, Computer: p.computer(c),
	})
	if err != nil {
		return err
	}
	if err := p.join(ctx, c); err != nil {
		return err
	}
	if p.setup, err = account.SetupToken(ctx, p.store); err == nil {
		err = p.games.Boot(ctx)
	}
	if err == nil {
		err = p.web.ResumePractice(ctx)
	}
	if err == nil {
		p.watched.Watch(p.log, p.games, p.web.Request.Streams.Open, p.store)
	}
	return err
}

// open opens the database, the log, the games and the desk.
func (p *program) open(ctx context.Context, c serveCmd) (err error) {
	if dir := store.FolderOf(c.DB); dir != "." {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err = p.openStore(c); err != nil {
		return err
	}
	p.log = game.OpenLog(p.store)
	p.log.Committed = p.watched.Committed
	p.games = result.NewGames(p.store, p.log)
	if p.store.Nodes != nil {
		p.cluster = cluster.New(p.games)
	}
	if c.secret != nil {
		p.games.Shares.Secret = c.secret
	}
	p.games.HoldAbsent = true
	p.desk = action.NewDesk(p.store, p.games)
	if c.seeds != nil {
		p.desk.Seeds = c.seeds
	}
	p.desk.Machine.CopyTo = c.CopyTo
	if c.goesOn && !store.IsServer(c.DB) { // a database server is restored by its operator
		p.desk.Machine.Restore = func(copied string, by rights.Actor) {
			select {
			case p.restores <- wanted{copied, by}:
			default: // a restore is pending; it leaves no record of this request
			}
		}
	}
	return nil
}

// listen opens all addresses. Requests wait at the gate until the database is open, but health checks are answered at
// once.
func (p *program) listen(c serveCmd, proof proof) error {
	if err := p.startOperators(c); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	p.at = listener.Addr().(*net.TCPAddr)
	p.name(p.at, c)
	p.http = guard.Server(p.gate)
	listener = web.Bounded(listener, c.Proxy)
	if p.http.TLSConfig = proof.config; proof.config == nil {
		go func() { p.served <- p.http.Serve(listener) }()
		return nil
	}
	go func() { p.served <- p.http.ServeTLS(listener, "", "") }()
	if proof.acme != nil {
		go proof.fetch(c.ACMEHost)
	}
	return p.startPlain(c, proof)
}

// localesOf returns the texts in the presets folder, or nil if dir is empty.
func localesOf(dir string) fs.FS {
	if dir == "" {
		return nil
	}
	return os.DirFS(filepath.Join(dir, "locales"))
}

// beat starts the background work, including the heartbeat, from which the program determines after a restart how long
// it was down. It must be called after Boot has read the last heartbeat.
func (p *program) beat() {
	var ctx context.Context
	ctx, p.beating = context.WithCancel(context.Background())
	p.beats.Go(func() { p.games.Heartbeat(ctx) })
	p.beats.Go(func() { p.games.Pulse(ctx) })
	p.beats.Go(func() { p.desk.Watch(ctx) })
	p.beats.Go(func() { p.web.View.Copies.Keep(ctx) })
	p.beats.Go(func() { p.web.View.Logs.Run(ctx) })
	p.beats.Go(func() { // repeated, as another node may have died halfway
		again(ctx, 10*time.Minute, "removing the rest of a deleted organization failed",
			func() error { return organization.GoOn(ctx, p.store) })
	})
	p.beats.Go(func() {
		again(ctx, 24*time.Hour, "removing expired personal data failed",
			func() error { return privacy.Keep(ctx, p.desk) })
	})
	if p.hints != nil {
		p.beatNode(ctx)
	}
}

// again calls do now and once per interval until ctx ends. words is the log message for a failure.
func again(ctx context.Context, every time.Duration, words string, do func() error) {
	for {
		if err := do(); err != nil && ctx.Err() == nil {
			slog.Error(words, "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
	}
}

// Limits for stopping: for work in progress, for the last responses, and in total.
const (
	inHandMost  = 2 * time.Second
	answersMost = 500 * time.Millisecond
	stopMost    = 4500 * time.Millisecond
)

// stop shuts the program down within stopMost. If something takes longer, such as a disk that does not respond, the
// state is as after a power failure: everything acknowledged is on the disk, and clocks are credited from when they
// were stopped.
func (p *program) stop(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- p.end(context.WithoutCancel(ctx)) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(stopMost):
		slog.Warn("exiting with unfinished requests; nothing acknowledged is lost", "after", stopMost)
		return nil
	}
}

// end rejects new requests, stops the clocks or hands them to the other nodes, lets requests finish, ends streams,
// writes pending events and closes the database.
func (p *program) end(ctx context.Context) error {
	var errs []error
	left := p.gate.close()
	p.beating()
	switch {
	case p.games == nil:
	case p.hints != nil:
		errs = append(errs, p.handOver(ctx))
	default:
		errs = append(errs, p.games.Stop(ctx))
	}
	if p.named != nil {
		errs = append(errs, p.named.Close())
	}
	inHand, cancel := context.WithTimeout(ctx, inHandMost)
	defer cancel()
	p.closeWeb(inHand)
	left(inHand)
	if p.http != nil {
		answers, cancel := context.WithTimeout(ctx, answersMost)
		defer cancel()
		if err := p.http.Shutdown(answers); err != nil { // no request may continue without a database
			errs = append(errs, p.http.Close())
		}
	}
	errs = append(errs, p.shutDown())
	for _, s := range p.others {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// closeWeb ends the streams and the pages' background work. It waits until both have ended or ctx ends.
func (p *program) closeWeb(ctx context.Context) {
	if p.web == nil {
		return
	}
	closed := make(chan struct{})
	go func(s *web.Server) {
		defer close(closed)
		s.Close()
	}(p.web)
	select {
	case <-closed:
	case <-ctx.Done():
	}
}

// shutDown writes pending events and closes the database. No request may be in progress.
func (p *program) shutDown() (err error) {
	p.beating()
	p.beats.Wait()
	if p.games != nil {
		p.games.Close()
	}
	if p.log != nil {
		p.log.Close()
	}
	if p.hints != nil {
		p.hints.Close()
	}
	if p.store != nil {
		err = p.store.Close()
	}
	p.web, p.games, p.log, p.store, p.desk, p.hints = nil, nil, nil, nil, nil, nil
	return err
}

// name determines the addresses under which the program can be reached.
func (p *program) name(at *net.TCPAddr, c serveCmd) {
	scheme, usual := "http", 80
	if c.encrypts() {
		scheme, usual = "https", 443
	}
	hosts := hostsOf(at.IP)
	if c.LocalName != "" {
		hosts = append(hosts, localname.Full(c.LocalName))
	}
	for _, host := range append(slices.Clone(c.ACMEHost), hosts...) {
		if at.Port != usual {
			host = net.JoinHostPort(host, fmt.Sprint(at.Port))
		} else if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		p.reach = append(p.reach, scheme+"://"+host)
	}
	if p.base = c.BaseURL; p.base == "" {
		p.base = p.reach[0]
	}
}

// hostsOf lists the addresses behind a listening address, those reachable by others first.
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
