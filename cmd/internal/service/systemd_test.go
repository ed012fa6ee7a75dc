package service_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/cmd/internal/service"
	"meldhall/data"
)

// TestSystemd installs the service into the files of a machine in a folder and removes it again.
func TestSystemd(t *testing.T) {
	root := t.TempDir()
	var ran []string
	s := service.Systemd{Root: root, Run: func(program string, args ...string) error {
		ran = append(ran, strings.Join(append([]string{program}, args...), " "))
		return nil
	}}
	var out bytes.Buffer
	if err := s.Install(&out); err == nil || len(ran) > 0 {
		t.Errorf("without systemd: %v, ran %q", err, ran)
	}
	for _, folder := range []string{"run/systemd/system", "etc/systemd/system", "usr/lib/systemd/system"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Remove(); err == nil || len(ran) > 0 {
		t.Errorf("removing what is not installed: %v, ran %q", err, ran)
	}
	if err := s.Install(&out); err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(root, "etc/systemd/system/meldhall.service")
	if text, err := os.ReadFile(unit); err != nil || string(text) != data.Unit {
		t.Errorf("the unit is not data/deploy/meldhall.service: %v", err)
	}
	info, err := os.Stat(filepath.Join(root, "usr/local/bin/meldhall"))
	if err != nil || info.Mode().Perm() != 0o755 || info.Size() == 0 {
		t.Errorf("the program: %v, %v", info, err)
	}
	want := []string{"useradd -r -d /var/lib/meldhall -s /usr/sbin/nologin meldhall", "systemctl daemon-reload",
		"systemctl enable --now meldhall"}
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
	if got := s.Database(); got != "/var/lib/meldhall/meldhall.db" {
		t.Errorf("the database is %s", got)
	}
	settings := "MELDHALL_LISTEN=:80\nMELDHALL_DB=\"/srv/hall.db\"\n"
	if err := os.WriteFile(filepath.Join(root, "etc/meldhall.env"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.Database(); got != "/srv/hall.db" {
		t.Errorf("the database in the settings is %s", got)
	}
	if err := s.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unit); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unit stays: %v", err)
	}
	packaged := filepath.Join(root, "usr/lib/systemd/system/meldhall.service")
	if err := os.WriteFile(packaged, []byte(data.Unit), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Install(&out); err == nil || !strings.Contains(err.Error(), packaged) {
		t.Errorf("over a package: %v", err)
	}
}
