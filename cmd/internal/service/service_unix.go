//go:build unix && !darwin

package service

import (
	"context"
	"io"
	"os"
)

var machine = Systemd{Root: "/", Run: runProgram}

func isAdmin() bool { return os.Geteuid() == 0 }

func install(out io.Writer) error { return machine.Install(out) }

func remove() error { return machine.Remove() }

func start() error { return runProgram("systemctl", "start", name) }

func stop() error { return runProgram("systemctl", "stop", name) }

// Database returns the path or address of the service's database.
func Database() string { return machine.Database() }

// Started reports whether the service manager started this process.
func Started() bool { return os.Getenv("NOTIFY_SOCKET") != "" }

// Run runs a server until ctx ends.
func Run(ctx context.Context, serve func(context.Context) error) error { return serve(ctx) }
