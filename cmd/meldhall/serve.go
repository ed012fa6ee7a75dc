package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

// readyLine begins the last line that serve prints once it answers.
const readyLine = "Ready."

// serveCmd is meldhall serve, and meldhall alone.
type serveCmd struct {
	DB      string   `help:"The database file. Default: data/meldhall.db in a checkout, else meldhall.db in this folder." env:"MELDHALL_DB"`
	Listen  string   `help:"Where to listen. All addresses of this machine by default, so that the hall's tablets reach it." default:":8080" env:"MELDHALL_LISTEN"`
	BaseURL string   `help:"The address that people type, if it is not this machine's own." env:"MELDHALL_BASE_URL"`
	TLSCert string   `help:"A certificate in PEM form: serves https." env:"MELDHALL_TLS_CERT" type:"existingfile" and:"tls"`
	TLSKey  string   `help:"The certificate's key in PEM form." env:"MELDHALL_TLS_KEY" type:"existingfile" and:"tls"`
	Presets string   `help:"A folder with rules/*.json, formats/*.json and locales/*.json of your own." env:"MELDHALL_PRESETS" type:"existingdir"`
	Proxy   []string `help:"Networks of proxies whose X-Forwarded-For counts." env:"MELDHALL_PROXIES" placeholder:"CIDR"`
	Profile string   `help:"Answer Go's profiler at this address of this machine alone." env:"MELDHALL_PROFILE" placeholder:"127.0.0.1:6060"`
}

// Run serves until a signal ends it.
func (c serveCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.serve(ctx, os.Stdout)
}

func (c serveCmd) serve(ctx context.Context, out io.Writer) error {
	if c.DB == "" {
		c.DB = defaultDB()
	}
	p, err := startProgram(ctx, c, os.Stderr)
	if err != nil {
		return err
	}
	p.announce(out, c.DB)
	select {
	case <-ctx.Done():
		fmt.Fprintln(out, "stopping: answers what is under way, then closes the database")
	case err := <-p.served:
		if !errors.Is(err, http.ErrServerClosed) {
			return errors.Join(err, p.stop(ctx))
		}
	}
	return p.stop(ctx)
}

func (p *program) announce(out io.Writer, db string) {
	fmt.Fprintf(out, "Meldhall %s, database %s\n", version(), db)
	for _, address := range p.reach {
		fmt.Fprintf(out, "  %s\n", address)
	}
	if p.setup != "" {
		fmt.Fprintf(out, "There is no account yet. Make the first organizer's here, once:\n  %s/setup?token=%s\n", p.base, p.setup)
	}
	fmt.Fprintln(out, readyLine+" Ctrl+C stops it.")
}
