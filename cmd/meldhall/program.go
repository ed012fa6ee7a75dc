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

	"meldhall/cmd/internal/localname"
	"meldhall/cmd/internal/metrics"
	"meldhall/cmd/internal/nodes"
	"meldhall/cmd/internal/prepare"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/hosting"
	"meldhall/tournament/preset"
	"meldhall/tournament/privacy"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
	"meldhall/web"
	"meldhall/web/guard"
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
	gate    *gate
	watched *metrics.Metrics
	http    *http.Server
	others  []*http.Server // beside it: the plain address, metrics, the profiler; closed last
	plain   *net.TCPAddr   // the address without encryption beside https, or nil
	named   io.Closer      // answers for the name in the local network, or nil
	hints   *nodes.Hints   // of other programs on the same database, or nil
	beating context.CancelFunc
	beats   sync.WaitGroup
	served  chan error

	restores  chan wanted // a copy to go on with
	presets   preset.Library
	security  io.Writer
	authority *x509.Certificate
}

// startProgram opens the database, brings the running games back to life and begins to answer. The security log goes to a writer as well;
// nil: not.
func startProgram(ctx context.Context, c serveCmd, security io.Writer) (p *program, err error) {
	p = &program{served: make(chan error, 1), restores: make(chan wanted, 1), beating: func() {}, gate: newGate(), watched: metrics.New(version()), security: security}
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
	if listening != nil { // said after what is wrong with the database: that tells who has both
		return p, listening
	}
	if p.presets, err = prepare.Presets(c.Presets); err != nil {
		return p, err
	}
	if err := p.serveOver(ctx, c); err != nil {
		return p, err
	}
	p.beat()
	p.gate.open(p.web)
	if c.LocalName != "" {
		p.named, err = localname.Answer(c.LocalName)
	}
	return p, err
}

// begin opens the database, and brings what runs in it back to life.
func (p *program) begin(ctx context.Context, c serveCmd) error {
	if err := p.open(ctx, c); err != nil {
		return err
	}
	return p.serveOver(ctx, c)
}

// serveOver makes the server over the open database, and brings the games back.
func (p *program) serveOver(ctx context.Context, c serveCmd) (err error) {
	p.web, err = web.New(p.desk, web.Config{
		BaseURL: p.base, Version: version(), TrustedProxies: c.Proxy, Presets: p.presets, Locales: localesOf(c.Presets), Security: p.security,
		Authority: p.authority, Answered: p.watched.Answered, SecondStep: c.SecondStep,
	})
	if err != nil {
		return err
	}
	if err := p.join(ctx, c); err != nil {
		return err
	}
	if p.setup, err = staff.SetupToken(ctx, p.store); err == nil {
		err = p.games.Boot(ctx)
	}
	if err == nil {
		err = p.web.ResumePractice(ctx)
	}
	if err == nil {
		p.watched.Watch(p.log, p.games, p.web.OpenStreams, p.store)
	}
	return err
}

// open opens the database and what runs in it.
func (p *program) open(ctx context.Context, c serveCmd) (err error) {
	if dir := storage.FolderOf(c.DB); dir != "." {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err = p.openStore(c); err != nil {
		return err
	}
	p.log = game.OpenLog(p.store)
	p.log.Committed = p.watched.Committed
	p.games = tournament.NewGames(p.store, p.log)
	p.games.DealAt = c.deal
	p.games.HoldAbsent = true
	p.desk = door.NewDesk(p.store, p.games)
	if c.seeds != nil {
		p.desk.Seeds = c.seeds
	}
	p.desk.Machine.CopyTo = c.CopyTo
	if c.goesOn && !storage.IsServer(c.DB) { // what a server keeps, its operator brings back
		p.desk.Machine.Restore = func(copied string, by rights.Actor) {
			select {
			case p.restores <- wanted{copied, by}:
			default: // one is under way, after which nobody knows of this one
			}
		}
	}
	return nil
}

// listen opens all addresses. What asks there waits at the gate until the database is open; that the program lives is said at once.
func (p *program) listen(c serveCmd, proof proof) error {
	if err := p.startOperators(c); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	p.name(listener.Addr().(*net.TCPAddr), c)
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
	p.beats.Go(func() { p.web.KeepCopies(ctx) })
	p.beats.Go(func() { // every now and then: another node may have died in the middle of it
		again(ctx, 10*time.Minute, "what is left of an organization that was deleted is not taken out", func() error { return hosting.GoOn(ctx, p.store) })
	})
	p.beats.Go(func() {
		again(ctx, 24*time.Hour, "what is held of people is not taken out", func() error { return privacy.Keep(ctx, p.desk) })
	})
	if p.hints != nil {
		p.beatNode(ctx)
	}
}

// again does something now and every so long, until ctx ends. Where it fails, the words say what is not done.
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

// How long the program goes on once it is to stop: for what is under way, for the last answers on their way, and in all.
const (
	inHandMost  = 2 * time.Second
	answersMost = 500 * time.Millisecond
	stopMost    = 4500 * time.Millisecond
)

// stop ends the program in order, within stopMost. Where something takes longer, such as a disk that does not answer, it is left as a power
// cut would leave it: what was answered is on the disk, and the clocks are credited from the moment at which they were stopped.
func (p *program) stop(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- p.end(context.WithoutCancel(ctx)) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(stopMost):
		slog.Warn("the program ends while something is under way: nothing that was answered is lost", "after", stopMost)
		return nil
	}
}

// end lets nobody in any more, stops the clocks, or hands them to the other nodes, lets requests finish, ends streams, writes what is waiting and closes the database.
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
		if err := p.http.Shutdown(answers); err != nil { // what is still under way must not go on without a database
			errs = append(errs, p.http.Close())
		}
	}
	errs = append(errs, p.shutDown())
	for _, s := range p.others {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// closeWeb ends the streams and what the pages do besides requests, and waits for that until ctx ends.
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

// shutDown writes what is waiting and closes the database. Nobody may be inside any more.
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

// name finds the addresses under which the program is reached.
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
