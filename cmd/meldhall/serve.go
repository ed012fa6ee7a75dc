package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"meldhall/cmd/internal/service"
	"meldhall/engine/shuffle"
	"meldhall/tournament"
	"meldhall/tournament/store"
)

// readyLine begins the last line that serve prints, once the server is ready.
const readyLine = "Ready."

// serveCmd is the command meldhall serve, which is the default command.
type serveCmd struct {
	DB            string   `help:"The database: a file, or postgres://user:password@host/name. Default: data/meldhall.db in a checkout, else meldhall.db in this folder." env:"MELDHALL_DB"`
	NATS          string   `help:"Serve a PostgreSQL database together with other nodes, which notify each other through NATS at this address. Without it, this node uses the database exclusively." env:"MELDHALL_NATS" placeholder:"nats://host:4222" name:"nats"`
	Listen        string   `help:"The address to listen on. By default all addresses of this machine, so that the hall's tablets reach it." default:":8080" env:"MELDHALL_LISTEN"`
	BaseURL       string   `help:"The public URL, if it differs from this machine's address." env:"MELDHALL_BASE_URL"`
	LocalName     string   `help:"Announce this name, with .local added, on this machine's networks." env:"MELDHALL_LOCAL_NAME" placeholder:"meldhall"`
	TLSCert       string   `help:"A certificate in PEM form, to serve https. It is reloaded when it changes." env:"MELDHALL_TLS_CERT" type:"existingfile" and:"tls" xor:"proof"`
	TLSKey        string   `help:"The certificate's key in PEM form." env:"MELDHALL_TLS_KEY" type:"existingfile" and:"tls"`
	Certificates  string   `help:"The folder created by meldhall certificate: serves https, and offers the authority to devices at /certificate." env:"MELDHALL_CERTIFICATES" type:"existingdir" xor:"proof"`
	ACMEHost      []string `help:"Public host names of this server: certificates for them are fetched and renewed, and the authority's terms accepted. Serves https." env:"MELDHALL_ACME_HOSTS" placeholder:"hall.example" xor:"proof" name:"acme-host"`
	ACMEDirectory string   `help:"The directory of the authority that issues the ACME certificates. Default: Let's Encrypt." env:"MELDHALL_ACME_DIRECTORY" placeholder:"URL" name:"acme-directory"`
	HTTP          string   `help:"An additional address without encryption: it redirects to https, and lets devices install the authority first." env:"MELDHALL_HTTP" placeholder:":80" name:"http"`
	Presets       string   `help:"A folder with your own rules/*.json, formats/*.json and locales/*.json." env:"MELDHALL_PRESETS" type:"existingdir"`
	TimeZone      string   `help:"Time zone of events without one. Default: the machine's." env:"MELDHALL_TIME_ZONE"`
	Proxy         []string `help:"Networks of proxies whose X-Forwarded-For is trusted." env:"MELDHALL_PROXIES" placeholder:"CIDR"`
	SecondStep    bool     `help:"Require two-step sign-in for all officials. Officials without it can only set it up." env:"MELDHALL_SECOND_STEP"`
	LogJSON       bool     `help:"Write log lines as JSON." env:"MELDHALL_LOG_JSON" name:"log-json"`
	CopyTo        []string `help:"Folders that organizers may choose for copies of the database, besides USB sticks, which are found automatically." env:"MELDHALL_COPY_TO" type:"existingdir" name:"copy-to"`
	Metrics       string   `help:"Serve metrics for Prometheus, and /readyz, at this loopback address." env:"MELDHALL_METRICS" placeholder:"127.0.0.1:9090"`
	Profile       string   `help:"Serve Go's profiler at this loopback address." env:"MELDHALL_PROFILE" placeholder:"127.0.0.1:6060"`

	goesOn  bool          // allow restoring a copy while serving
	desktop *desktopStart // by a person without a terminal, or nil
	service bool          // started by the system's service manager
	// secret and seeds determine the deals of games and the seeds of draws, for tests that play the same tournament
	// twice. If nil, they are random.
	secret func(game int64) shuffle.Value
	seeds  func() int64
}

// Run serves until a signal stops it.
func (c serveCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := setZone(c.TimeZone); err != nil {
		return err
	}
	if c.service = service.Started(); c.service && runtime.GOOS == "windows" {
		keepLog(store.FolderOf(c.DB))
	}
	return service.Run(ctx, func(ctx context.Context) error { return c.serve(ctx, os.Stdout) })
}

// setZone makes a time zone the program's. Without a name it only finds out the name of the machine's, which new events
// keep. The race detector must not look: nats-server reads files, and so the zone, in a goroutine that its package
// starts before main.
//
//go:norace
func setZone(name string) error {
	machines := name == ""
	if machines {
		link, _ := os.Readlink("/etc/localtime") // there is none on Windows, for example
		if _, name, _ = strings.Cut(link, "zoneinfo/"); name == "" || time.Local.String() != "Local" {
			return nil
		}
	}
	zone, err := tournament.LoadZone(name)
	if err == nil {
		time.Local = zone
	} else if machines {
		err = nil
	}
	return err
}

func (c serveCmd) serve(ctx context.Context, out io.Writer) error {
	if runtime.GOMAXPROCS(0) == 1 && os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2) // while one thread waits for the disk, commands queue for a commit
	}
	if c.DB == "" {
		c.DB = defaultDB()
	}
	if c.LogJSON {
		slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, nil)))
	}
	c.goesOn = true
	p, err := startProgram(ctx, c, os.Stderr)
	if err != nil {
		return err
	}
	p.announce(out, store.Shown(c.DB))
	tellSystemd(daemon.SdNotifyReady)
	if c.desktop != nil {
		c.desktop.ready(p.recorded)
	}
	for {
		select {
		case <-ctx.Done():
			tellSystemd(daemon.SdNotifyStopping)
			fmt.Fprintln(out, "stopping: finishing requests, then closing the database")
			return p.stop(ctx)
		case err := <-p.served:
			if errors.Is(err, http.ErrServerClosed) {
				err = nil
			}
			return errors.Join(err, p.stop(ctx))
		case a := <-p.restores:
			if err := p.restore(ctx, c, a); err != nil {
				return errors.Join(err, p.stop(ctx))
			}
		}
	}
}

// tellSystemd reports the server's state to systemd, if systemd started the server and expects such reports.
func tellSystemd(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		slog.Warn("notifying systemd failed", "state", state, "err", err)
	}
}

func (p *program) announce(out io.Writer, db string) {
	fmt.Fprintf(out, "Meldhall %s, database %s\n", version(), db)
	for _, address := range p.reach {
		fmt.Fprintf(out, "  %s\n", address)
	}
	if p.plain != nil {
		fmt.Fprintf(out, "Without encryption, for devices that do not trust the certificate yet: port %d\n",
			p.plain.Port)
	}
	if p.setup != "" {
		fmt.Fprintf(out, "There is no account yet. Create the first organizer here (the link works once):\n  "+
			"%s/setup?token=%s\n",
			p.base, p.setup)
	}
	fmt.Fprintln(out, readyLine+" Ctrl+C stops it.")
}
