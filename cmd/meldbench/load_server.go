package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"meldhall/cmd/internal/client"
)

func (t *loadTest) start(ctx context.Context) (err error) {
	if t.dir, err = os.MkdirTemp("", "meldhall-load-"); err != nil {
		return err
	}
	for folder, file := range map[string]string{"formats": loadFormat, "rules": ""} {
		if err := os.MkdirAll(filepath.Join(t.dir, folder), 0o700); err != nil {
			return err
		}
		if file != "" {
			if err := os.WriteFile(filepath.Join(t.dir, folder, "load.json"), []byte(file), 0o600); err != nil {
				return err
			}
		}
	}
	exe, err := buildProgram(ctx, t.dir)
	if err != nil {
		return err
	}
	if t.Viewers > 0 {
		if t.bench, err = buildCommand(ctx, t.dir, "meldbench"); err != nil {
			return err
		}
	}
	flags := []string{"--presets", t.dir}
	if t.Profile != "" {
		flags = append(flags, "--profile", profileAddress)
	}
	if t.HTTP2 {
		tls, err := t.certify()
		if err != nil {
			return err
		}
		flags = append(flags, tls...)
	}
	t.server, err = client.StartServer(ctx, exe, filepath.Join(t.dir, "load.db"), !t.Cores, &t.log, flags...)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, t.log.Bytes())
	}
	return nil
}

func (t *loadTest) close() error {
	var errs []error
	if t.server != nil {
		if err := t.server.Stop(); err != nil {
			errs = append(errs, fmt.Errorf("stop the server: %w\n%s", err, t.log.Bytes()))
		}
	}
	if t.dir != "" {
		errs = append(errs, os.RemoveAll(t.dir))
	}
	return errors.Join(errs...)
}

// memory returns the measured server's resident memory in bytes, and processor its processor time. Both are 0 outside
// Linux, and for a server that was already running.
func (t *loadTest) memory() int64 { return t.status("VmRSS:") }

// status reads a value of the server's memory statistics on Linux, in bytes.
func (t *loadTest) status(of string) int64 {
	if t.server == nil {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.server.Pid()))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, of); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}

func (t *loadTest) processor() time.Duration {
	if t.server == nil {
		return 0
	}
	return processorOf(t.server.Pid())
}
