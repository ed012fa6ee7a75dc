// Package ownserver runs PostgreSQL servers of this process's own, each in a folder that goes with it, for tests and measurements.
package ownserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Kept are settings of a server that loses nothing with its process, but does not wait for the disk.
var Kept = []string{"fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=64MB", "autovacuum=off", "max_locks_per_transaction=256"}

// Server is one of them.
type Server struct {
	Folder string // of its data and its socket

	programs string
	as       *syscall.SysProcAttr
	settings []string
	alive    io.WriteCloser // open while the server is to run
	ended    func() error   // waits until it does not
}

// Start makes the data of a server and runs it with these settings. Close ends it.
func Start(settings ...string) (*Server, error) {
	s, err := Make(settings...)
	if err != nil {
		return nil, err
	}
	if err := s.Command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.Folder))
	}
	return s, s.Run()
}

// Make makes the folder of a server without data.
func Make(settings ...string) (s *Server, err error) {
	s = &Server{settings: settings}
	if s.programs, err = Programs(); err != nil {
		return nil, err
	}
	if s.Folder, err = os.MkdirTemp("", "pg"); err != nil {
		return nil, err
	}
	s.as, err = asServer(s.Folder)
	return s, err
}

func (s *Server) data() string { return filepath.Join(s.Folder, "data") }

// Command runs one of PostgreSQL's programs to its end, as the server's user and in its folder.
func (s *Server) Command(program string, args ...string) error {
	c := exec.Command(filepath.Join(s.programs, program), args...)
	c.SysProcAttr, c.Dir = s.as, s.Folder
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}

// Run runs the server over the data in its folder, and waits until it answers.
func (s *Server) Run() error {
	// The shell waits for the end of this process, which closes its standard input, and takes the server and the folder away.
	args := []string{"-c", `"$0" "$@" >"$FOLDER/log" 2>&1 & read -r end; kill -QUIT $!; wait; [ "$end" = keep ] || rm -rf "$FOLDER"`, filepath.Join(s.programs, "postgres"),
		"-D", s.data(), "-k", s.Folder, "-c", "listen_addresses="}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	run := exec.Command("sh", args...)
	run.SysProcAttr, run.Dir, run.Env = s.as, s.Folder, append(os.Environ(), "FOLDER="+s.Folder)
	var err error
	if s.alive, err = run.StdinPipe(); err != nil {
		return err
	}
	if err := run.Start(); err != nil {
		return err
	}
	s.ended = run.Wait
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := s.Do(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			log, _ := os.ReadFile(filepath.Join(s.Folder, "log"))
			return fmt.Errorf("the server does not start: %w\n%s", err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Kill ends the server as a loss of power does, but for what its disk has not written, and leaves its data.
func (s *Server) Kill() error {
	_, err := s.alive.Write([]byte("keep\n"))
	return errors.Join(err, s.ended())
}

// Close ends the server and takes its folder away.
func (s *Server) Close() {
	s.alive.Close()
	_ = s.ended()
}

// Address is a database of the server's.
func (s *Server) Address(database string) string {
	query := url.Values{"host": {s.Folder}, "user": {"postgres"}}
	return "postgres:///" + database + "?" + query.Encode()
}

// Socket is where the server listens.
func (s *Server) Socket() (network, address string) {
	return "unix", filepath.Join(s.Folder, ".s.PGSQL.5432")
}

// Do runs a statement that no database has to be there for.
func (s *Server) Do(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.Address("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// Programs is the folder of PostgreSQL's programs, the newest ones.
func Programs() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return "", errors.New("PostgreSQL is not installed: Debian's package is postgresql")
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// unprivileged finds the user that the server runs as, where this process is root's: PostgreSQL refuses root.
func unprivileged() (uid, gid int, err error) {
	if os.Getuid() != 0 {
		return os.Getuid(), os.Getgid(), nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		var who *user.User
		if who, err = user.Lookup(name); err == nil {
			uid, _ = strconv.Atoi(who.Uid)
			gid, _ = strconv.Atoi(who.Gid)
			return uid, gid, nil
		}
	}
	return 0, 0, err
}
