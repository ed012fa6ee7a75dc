//go:build windows || darwin

package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kardianos/service"
)

// program is the server as the service manager runs it.
type program struct {
	serve func(context.Context) error
	ctx   context.Context
	stop  context.CancelFunc
	ended chan error
}

// Start starts the server and does not wait for it.
func (p *program) Start(service.Service) error {
	p.ctx, p.stop = context.WithCancel(p.ctx)
	go func() {
		err := p.serve(p.ctx)
		if p.ctx.Err() == nil { // nobody stopped it: the service manager starts it again
			fmt.Fprintln(os.Stderr, "meldhall:", err)
			os.Exit(1)
		}
		p.ended <- err
	}()
	return nil
}

// Stop stops the server and waits for its end.
func (p *program) Stop(service.Service) error {
	p.stop()
	return <-p.ended
}

// of returns the service that runs p.
func of(p *program) (service.Service, error) {
	return service.New(p, &service.Config{
		Name: name, DisplayName: "Meldhall", Description: "Rummikub tournaments", Executable: installed(),
		Arguments: []string{"serve", "--db", Database(), "--log-json"}, UserName: account,
		Option: service.KeyValue{"RunAtLoad": true, "OnFailure": "restart"},
	})
}

// Database returns the path of the service's database.
func Database() string { return filepath.Join(dataFolder(), "meldhall.db") }

func install(out io.Writer) error {
	if err := copyProgram(installed()); err != nil {
		return fmt.Errorf("install the program: %w", err)
	}
	if err := os.MkdirAll(dataFolder(), 0o700); err != nil {
		return err
	}
	if err := own(dataFolder()); err != nil {
		return fmt.Errorf("give the folder %s to the service: %w", dataFolder(), err)
	}
	fmt.Fprintf(out, "Program: %s\n", installed())
	s, err := of(&program{})
	if err == nil {
		err = s.Install()
	}
	if err == nil {
		err = s.Start()
	}
	return err
}

func remove() error {
	s, err := of(&program{})
	if err != nil {
		return err
	}
	if status, err := s.Status(); err != nil || status == service.StatusRunning {
		if err = errors.Join(err, s.Stop()); err != nil {
			return err
		}
	}
	return s.Uninstall()
}

func start() error {
	s, err := of(&program{})
	if err == nil {
		err = s.Start()
	}
	return err
}

func stop() error {
	s, err := of(&program{})
	if err == nil {
		err = s.Stop()
	}
	return err
}

// Started reports whether the service manager started this process.
func Started() bool { return !service.Interactive() }

// Run runs a server until ctx ends or the service manager stops it.
func Run(ctx context.Context, serve func(context.Context) error) error {
	if !Started() || !answersManager {
		return serve(ctx)
	}
	s, err := of(&program{serve: serve, ctx: ctx, ended: make(chan error, 1)})
	if err == nil {
		err = s.Run()
	}
	return err
}
