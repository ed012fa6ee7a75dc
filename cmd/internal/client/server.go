package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Server is a Meldhall server running as a separate process.
type Server struct {
	Base  string
	Setup string // one-time token of the first organizer; "" if there is an account
	cmd   *exec.Cmd
}

var (
	baseLine  = regexp.MustCompile(`^\s+(https?://\S+?)/?$`)
	setupLine = regexp.MustCompile(`\?token=(\S+)$`)
)

// readyLine begins the last line that serve prints, once the server is ready.
const readyLine = "Ready."

// StartServer starts the server executable exe with database db on a free loopback port, and waits until it is ready.
// With oneCore it runs on one processor if taskset is available. Its log output goes to log.
func StartServer(ctx context.Context, exe, db string, oneCore bool, log io.Writer, flags ...string) (*Server, error) {
	args := append([]string{exe, "serve", "--db", db, "--listen", "127.0.0.1:0"}, flags...)
	if taskset, err := exec.LookPath("taskset"); oneCore && err == nil {
		args = append([]string{taskset, "-c", "0"}, args...)
	}
	s := &Server{cmd: exec.Command(args[0], args[1:]...)}
	s.cmd.Stderr = log
	if strings.Contains(db, "://") { // without a database file, its data directory is exe's folder
		s.cmd.Dir = filepath.Dir(exe)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if err := s.readAnnouncement(ctx, out); err != nil {
		s.Kill()
		return nil, err
	}
	return s, nil
}

// readAnnouncement reads the server's output until the server is ready, then discards the rest in the background.
func (s *Server) readAnnouncement(ctx context.Context, out io.Reader) error {
	found := make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if m := baseLine.FindStringSubmatch(lines.Text()); m != nil && s.Base == "" {
				s.Base = m[1]
			}
			if m := setupLine.FindStringSubmatch(lines.Text()); m != nil {
				s.Setup = m[1]
			}
			if strings.HasPrefix(lines.Text(), readyLine) {
				found <- nil
				io.Copy(io.Discard, out)
				return
			}
		}
		found <- errors.New("the server ended before it was ready")
	}()
	select {
	case err := <-found:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(60 * time.Second):
		return errors.New("the server was not ready within a minute")
	}
}

// Pid returns the process ID.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Stop shuts the server down as an operator would, with SIGTERM; after 20 s, Stop kills it.
func (s *Server) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	return s.cmd.Wait()
}

// Kill kills the server. Unlike in a power failure, data that is not on the disk yet is not lost.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}
