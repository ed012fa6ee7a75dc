package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// served is a server that runs in a process of its own, of this very program.
type served struct {
	cmd   *exec.Cmd
	dir   string // of its database, removed by stop when it was made here
	db    string
	base  string
	setup string
}

var (
	baseLine  = regexp.MustCompile(`^\s+(https?://\S+?)/?$`)
	setupLine = regexp.MustCompile(`\?token=(\S+)$`)
)

// startServed starts program serve on a free port of the loopback, on one processor when it is told so,
// and waits until it answers. What it logs goes to log.
func startServed(ctx context.Context, exe, db string, oneCore bool, log io.Writer, flags ...string) (*served, error) {
	s := &served{db: db}
	if db == "" {
		dir, err := os.MkdirTemp("", "meldhall-load-")
		if err != nil {
			return nil, err
		}
		s.dir, s.db = dir, filepath.Join(dir, "load.db")
	}
	args := append([]string{exe, "serve", "--db", s.db, "--listen", "127.0.0.1:0"}, flags...)
	if taskset, err := exec.LookPath("taskset"); oneCore && err == nil {
		args = append([]string{taskset, "-c", "0"}, args...)
	}
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Env = os.Environ()
	if oneCore {
		s.cmd.Env = append(s.cmd.Env, "GOMAXPROCS=1")
	}
	s.cmd.Stderr = log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if err := s.readAnnouncement(ctx, out); err != nil {
		return nil, errors.Join(err, s.kill())
	}
	return s, nil
}

// readAnnouncement reads what the server prints until it is known where it answers, and then drains the rest.
func (s *served) readAnnouncement(ctx context.Context, out io.Reader) error {
	found := make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if m := baseLine.FindStringSubmatch(lines.Text()); m != nil && s.base == "" {
				s.base = m[1]
			}
			if m := setupLine.FindStringSubmatch(lines.Text()); m != nil {
				s.setup = m[1]
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

// stop ends the server as an operator does, and removes its database if it was made for it.
func (s *served) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	err := s.cmd.Wait()
	timer.Stop()
	return errors.Join(err, s.clean())
}

// kill ends the server as a power cut does, but for what the disk has not written.
func (s *served) kill() error {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	return s.clean()
}

func (s *served) clean() error {
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// memory is the resident memory of the server in bytes, and processor its time on the processor; both
// are 0 where the system does not tell (outside Linux).
func (s *served) memory() int64 {
	if s == nil {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}

func (s *served) processor() time.Duration {
	if s == nil {
		return 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100 wherever Go runs on Linux
}
