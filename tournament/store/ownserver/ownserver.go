// Package ownserver runs private PostgreSQL servers of this process for tests and measurements. Each has a folder that
// is removed when the server is closed.
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

// Kept holds the settings for a server that loses nothing when its process dies, but does not wait for the disk.
var Kept = []string{"fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=64MB", "autovacuum=off",
	"max_locks_per_transaction=256"}

// Server is a PostgreSQL server of this process.
type Server struct {
	Folder string // for its data and its socket

	programs string
	as       *syscall.SysProcAttr
	settings []string
	alive    io.WriteCloser // open as long as the server should run
	ended    func() error   // waits for the server to stop
}

// Start creates a server's data and runs the server with the given settings. Close stops it.
func Start(settings ...string) (*Server, error) {
	s, err := Make(settings...)
	if err != nil {
		return nil, err
	}
	if err := s.Command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync",
		"--locale=C.UTF-8"); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.Folder))
	}
	return s, s.Run()
}

// Make creates the folder of a server without data.
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

// Command runs one of PostgreSQL's programs to completion, as the server's user and in its folder.
func (s *Server) Command(program string, args ...string) error {
	c := exec.Command(filepath.Join(s.programs, program), args...)
	c.SysProcAttr, c.Dir = s.as, s.Folder
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}

// Run starts the server on the data in its folder and waits until it responds.
func (s *Server) Run() error {
	// The shell waits for the end of this process, which closes its standard input. It then stops the server and
	// removes the folder.
	args := []string{"-c",
		`"$0" "$@" >"$FOLDER/log" 2>&1 & read -r end; kill -QUIT $!; wait; [ "$end" = keep ] || rm -rf "$FOLDER"`,
		filepath.Join(s.programs, "postgres"),
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
			return fmt.Errorf("start the server: %w\n%s", err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Kill stops the server abruptly and leaves its data. Unlike a power failure, that loses no data that the operating
// system has yet to write to the disk.
func (s *Server) Kill() error {
	_, err := s.alive.Write([]byte("keep\n"))
	return errors.Join(err, s.ended())
}

// Close stops the server and removes its folder.
func (s *Server) Close() {
	s.alive.Close()
	_ = s.ended()
}

// Address returns the address of a database on the server.
func (s *Server) Address(database string) string {
	query := url.Values{"host": {s.Folder}, "user": {"postgres"}}
	return "postgres:///" + database + "?" + query.Encode()
}

// Socket returns the network and the address on which the server listens, as for net.Dial.
func (s *Server) Socket() (network, address string) {
	return "unix", filepath.Join(s.Folder, ".s.PGSQL.5432")
}

// Do runs a statement in the database postgres.
func (s *Server) Do(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.Address("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// Programs returns the folder with the programs of the newest installed PostgreSQL version.
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

// unprivileged returns the user that runs the server: this process's user or, since PostgreSQL refuses root, another
// one if this process runs as root.
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
