package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine/testmode"
)

func TestServe(t *testing.T) {
	db := filepath.Join(t.TempDir(), "new", "hall.db") // the folder must be created too
	s := launch(t, db)
	t.Cleanup(s.Kill)
	if s.Setup == "" {
		t.Error("a fresh server prints no way to make the first organizer")
	}
	for path, want := range map[string]int{"/healthz": 200, "/": 200, "/api/v1/openapi.json": 200, "/nothing": 404} {
		resp, err := http.Get(s.Base + path)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("%s: got %d, want %d", path, resp.StatusCode, want)
		}
	}
	if _, err := client.SetUp(t.Context(), client.New(s.Base, client.NewTransport()), s.Setup, "Ada",
		"a long enough password"); err != nil {
		t.Fatal(err)
	}
	t.Run("the setup token is good once", func(t *testing.T) {
		if _, err := client.SetUp(t.Context(), client.New(s.Base, client.NewTransport()), s.Setup, "Eve",
			"another long password"); !client.Refused(err) {
			t.Errorf("got %v, want a refusal", err)
		}
	})
	t.Run("it stops when it is told to, also with a stream open", func(t *testing.T) {
		staff, err := client.SignIn(t.Context(), client.New(s.Base, client.NewTransport()), "Ada",
			"a long enough password")
		if err != nil {
			t.Fatal(err)
		}
		info, err := staff.Create(t.Context(), client.NewTournament{Name: "Quick", Format: "quick",
			Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(8))
		if err != nil {
			t.Fatal(err)
		}
		r, err := staff.NextRound(t.Context(), info.ID, 1)
		if err != nil {
			t.Fatal(err)
		}
		connected := make(chan struct{}, 1)
		ended := make(chan error, 1)
		go func() {
			ended <- staff.API.Stream(t.Context(), "/games/"+strconv.FormatInt(r.Tables[0].Games[0].ID, 10)+"/live", "",
				func(client.Message) error {
					connected <- struct{}{}
					return nil
				})
		}()
		<-connected
		began := time.Now()
		if err := s.Stop(); err != nil {
			t.Errorf("exit: %v", err)
		}
		if took := time.Since(began); took > 9*time.Second {
			t.Errorf("it took %v: the stream held it up", took)
		}
		<-ended
	})
	t.Run("with an account there is no setup", func(t *testing.T) {
		again := launch(t, db)
		if again.Setup != "" {
			t.Error("it offers to make a first organizer again")
		}
		if err := again.Stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestServeRefusesWhatCannotBe(t *testing.T) {
	testmode.SkipUnderRace(t)
	for name, c := range map[string]serveCmd{
		"a profiler for everybody":  {Profile: ":6060"},
		"metrics for everybody":     {Metrics: ":9090"},
		"a plain address alone":     {HTTP: "127.0.0.1:0"},
		"an authority for no name":  {ACMEDirectory: "https://127.0.0.1/"},
		"a local name of elsewhere": {LocalName: "hall.example"},
		"certificates that are not": {Certificates: "missing"},
		"a listening address":       {Listen: "nowhere:no"},
		"a certificate that is not": {TLSCert: "missing.pem", TLSKey: "missing.pem"},
		"presets that are not":      {Presets: "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			c.DB = filepath.Join(t.TempDir(), "hall.db")
			if c.Listen == "" {
				c.Listen = "127.0.0.1:0"
			}
			p, err := startProgram(t.Context(), c, nil)
			if err == nil {
				t.Errorf("it started at %s", p.base)
				_ = p.stop(t.Context())
			}
		})
	}
}

func TestDemo(t *testing.T) {
	var out bytes.Buffer
	demo := demoCmd{Speed: 0, Format: "quick", Rules: "wrc", Watch: true, Listen: "127.0.0.1:0", Once: true}
	if err := demo.show(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/events/1", "name organizer  password", "name referee    password",
		"Round 3: 1 tables", "Champion: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo does not print %q:\n%s", want, out.String())
		}
	}
}

// TestTimeZone checks that new events get the server's zone, whatever zone the machine has, and that an unknown zone
// stops the start.
func TestTimeZone(t *testing.T) {
	t.Setenv("TZ", "America/New_York")
	s := launch(t, filepath.Join(t.TempDir(), "hall.db"), "--time-zone", "Europe/Rome")
	t.Cleanup(s.Kill)
	staff, err := client.SetUp(t.Context(), client.New(s.Base, client.NewTransport()), s.Setup, "Ada",
		"a long enough password")
	if err != nil {
		t.Fatal(err)
	}
	event, err := staff.Create(t.Context(), client.NewTournament{Name: "Quick", Format: "quick",
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(8))
	if err != nil {
		t.Fatal(err)
	}
	address := "/tournaments/" + strconv.FormatInt(event.ID, 10)
	_, told, err := staff.API.Exchange(t.Context(), http.MethodGet, address, nil)
	if err != nil || !strings.Contains(string(told), `"time_zone":"Europe/Rome"`) {
		t.Errorf("got %s, %v", told, err)
	}
	if err := (serveCmd{TimeZone: "Europe/Atlantis"}).Run(); err == nil ||
		!strings.Contains(err.Error(), "Europe/Atlantis") {
		t.Errorf("got %v", err)
	}
}
