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

// Server is the program's server in a process of its own.
type Server struct {
	Base  string // its address
	Setup string // the one-time token of the first organizer; "" when there is an account
	cmd   *exec.Cmd
}

var (
	baseLine  = regexp.MustCompile(`^\s+(https?://\S+?)/?$`)
	setupLine = regexp.MustCompile(`\?token=(\S+)$`)
)

// readyLine begins the last line that serve prints once it answers.
const readyLine = "Ready."

// StartServer starts the program's server at exe over the database db on a free port of the loopback, on one processor when
// it is told to stop, and waits until it answers. What it logs goes to log.
func StartServer(ctx context.Context, exe, db string, oneCore bool, log io.Writer, flags ...string) (*Server, error) {
	args := append([]string{exe, "serve", "--db", db, "--listen", "127.0.0.1:0"}, flags...)
	if taskset, err := exec.LookPath("taskset"); oneCore && err == nil {
		args = append([]string{taskset, "-c", "0"}, args...)
	}
	s := &Server{cmd: exec.Command(args[0], args[1:]...)}
	s.cmd.Stderr = log
	if strings.Contains(db, "://") { // what is kept beside a file is kept beside the program
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

// readAnnouncement reads what the server prints until it is known where it answers, and then drains the rest.
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

// Pid is the process's number.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Stop ends the server as an operator does.
func (s *Server) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	return s.cmd.Wait()
}

// Kill ends the server as a power cut does, but for what the disk has not written.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}
