package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/data"
	"meldhall/tournament/store"
)

// demoCmd is the command meldhall demo.
type demoCmd struct {
	Speed   float64       `help:"Speed of the bots: 1 plays at human speed, 0 without pauses." default:"2"`
	Format  string        `help:"The format preset." default:"wrc"`
	Rules   string        `help:"The rule preset." default:"wrc"`
	Referee bool          `help:"You confirm the counts instead of a bot."`
	Watch   bool          `help:"A bot takes your seat immediately."`
	Wait    time.Duration `help:"How long to wait for you before a bot takes your seat." default:"3m"`
	Listen  string        `help:"The address to listen on." default:":8080" env:"MELDHALL_LISTEN"`
	DB      string        `help:"Keep the event in this database: a new file, or an empty PostgreSQL database. Default: a temporary one."`
	Once    bool          `help:"Exit when the champion is known."`
}

// demo is a running demonstration.
type demo struct {
	demoCmd
	out   io.Writer
	p     *program
	api   *client.Client
	staff client.Official // the organizer
	ref   client.Official
	event client.Tournament
	mine  int64 // ID of the player left for the user
	errs  chan error
}

// Run plays a tournament from its roster to the champion, and then serves the results until a signal stops the program.
func (c demoCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.show(ctx, os.Stdout)
}

func (c demoCmd) show(ctx context.Context, out io.Writer) (err error) {
	if c.Speed < 0 {
		return errors.New("demo: --speed must be 0 or more")
	}
	if c.DB == "" {
		dir, err := os.MkdirTemp("", "meldhall-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		c.DB = filepath.Join(dir, "demo.db")
	}
	p, err := startProgram(ctx, serveCmd{DB: c.DB, Listen: c.Listen}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop(ctx)) }()
	p.games.HoldAbsent = false // a bot takes the user's seat if it stays empty
	if p.setup == "" {
		return fmt.Errorf("demo: %s already contains an event; give a new database", store.Shown(c.DB))
	}
	d := &demo{demoCmd: c, out: out, p: p, errs: make(chan error, 64)}
	d.api = client.New(p.reach[len(p.reach)-1], client.NewTransport())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := d.prepare(ctx); err != nil {
		return ended(ctx, err)
	}
	if err := d.play(ctx); err != nil {
		return ended(ctx, err)
	}
	if !c.Once {
		fmt.Fprintln(out, "\nThe event is over; its results stay here until Ctrl+C.")
		<-ctx.Done()
	}
	return nil
}

// ended returns err, or nil if the demonstration was stopped.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// prepare creates the accounts and the tournament, and prints the addresses and passwords.
func (d *demo) prepare(ctx context.Context) (err error) {
	organizer, referee := rand.Text()[:12], rand.Text()[:12]
	if d.staff, err = client.SetUp(ctx, d.api, d.p.setup, "organizer", organizer); err != nil {
		return err
	}
	if err := d.staff.Hire(ctx, "referee", referee); err != nil {
		return err
	}
	if d.ref, err = client.SignIn(ctx, d.api, "referee", referee); err != nil {
		return err
	}
	roster, err := data.Demo.ReadFile("demo/roster.csv")
	if err != nil {
		return err
	}
	d.event, err = d.staff.Create(ctx, client.NewTournament{
		Name: "Meldhall demo", Place: "This machine", Day: time.Now().Format(time.DateOnly), Host: "Meldhall",
		Format: d.Format, Rules: map[string]any{"preset": d.Rules},
	}, roster)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.out, "Meldhall demo: 33 players, format %s, rules %s\n\n", d.Format, d.Rules)
	for _, address := range d.p.reach {
		fmt.Fprintf(d.out, "  Public      %s/events/%d\n", address, d.event.ID)
	}
	fmt.Fprintf(d.out, "  Organizer   %s/sign-in  name organizer  password %s\n", d.p.base, organizer)
	fmt.Fprintf(d.out, "  Referee     %s/sign-in  name referee    password %s\n", d.p.base, referee)
	return nil
}

// play plays all rounds of the tournament.
func (d *demo) play(ctx context.Context) error {
	for first := true; ; first = false {
		t, err := d.staff.Tournament(ctx, d.event.ID)
		if err != nil {
			return err
		}
		if t.Status == "finished" {
			return d.crown(ctx)
		}
		r, err := d.staff.NextRound(ctx, d.event.ID, 0)
		if err != nil {
			return err
		}
		if first {
			if err := d.seat(ctx, r); err != nil {
				return err
			}
		}
		fmt.Fprintf(d.out, "\nRound %d: %d tables\n", r.Number, len(r.Tables))
		if !first && d.Speed > 0 && !client.Sleep(ctx, 5*time.Second) {
			return ctx.Err()
		}
		if err := d.staff.Start(ctx, r.ID); err != nil {
			return err
		}
		if err := d.referee(ctx, r.ID); err != nil {
			return err
		}
	}
}

// seat lets bots take all seats except the user's.
func (d *demo) seat(ctx context.Context, r client.Round) error {
	for _, t := range r.Tables {
		for _, s := range t.Seats {
			if d.mine == 0 && !d.Watch {
				d.mine = s.Player.ID
				fmt.Fprintf(d.out, "  Your seat   %s/join/%s  you are %s, table %d\n", d.p.base, s.Code, s.Player.Name,
					t.Number)
				go d.standIn(ctx, s)
				continue
			}
			if err := d.sit(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *demo) sit(ctx context.Context, s client.Seat) error {
	api, err := client.Join(ctx, d.api, s.Code)
	if err != nil {
		return err
	}
	bot := client.NewBot(api, s.Player.ID)
	bot.Think = d.think
	go func() {
		if err := bot.Run(ctx); err != nil {
			select {
			case d.errs <- fmt.Errorf("the bot of %s: %w", s.Player.Name, err):
			default:
			}
		}
	}()
	return nil
}

// standIn gives the user's seat to a bot after a wait. It does nothing if the user has taken it.
func (d *demo) standIn(ctx context.Context, s client.Seat) {
	if !client.Sleep(ctx, d.Wait) {
		return
	}
	if err := d.sit(ctx, s); err == nil {
		fmt.Fprintf(d.out, "  The seat of %s was not taken: a bot plays it now. A referee can issue a new code for "+
			"it.\n",
			s.Player.Name)
	}
}

// think returns a pause like a person's: usually short, sometimes long.
func (d *demo) think() time.Duration {
	if d.Speed == 0 {
		return 0
	}
	return time.Duration((1.5 + 4*mrand.ExpFloat64()) / d.Speed * float64(time.Second))
}

// referee confirms the results of a round, or waits until the user has confirmed them.
func (d *demo) referee(ctx context.Context, round int64) error {
	every := time.Second
	if d.Speed == 0 {
		every = 100 * time.Millisecond
	}
	if !d.Referee {
		return d.ref.RefereeRound(ctx, round, every, func(t client.Table, g client.Game) {
			fmt.Fprintf(d.out, "  table %d, game %d: %s\n", t.Number, g.Number, winnerOf(t, g))
		})
	}
	fmt.Fprintf(d.out, "  confirm the counts at %s/referee/%d\n", d.p.base, d.event.ID)
	for {
		r, err := d.staff.Round(ctx, round)
		if err != nil || r.Status == "finished" {
			return err
		}
		select {
		case err := <-d.errs:
			return err
		default:
		}
		if !client.Sleep(ctx, time.Second) {
			return ctx.Err()
		}
	}
}

func winnerOf(t client.Table, g client.Game) string {
	for _, line := range g.Result.Lines {
		if line.Wins > 0 && line.Seat < len(t.Seats) {
			return fmt.Sprintf("%s wins, %s points", t.Seats[line.Seat].Player.Name, line.Points.Signed())
		}
	}
	return "counted"
}

func (d *demo) crown(ctx context.Context) error {
	rows, err := standings(ctx, d.api, d.event.ID)
	if err != nil {
		return err
	}
	fmt.Fprintln(d.out)
	printStandings(d.out, rows[:min(len(rows), 8)])
	for _, r := range rows {
		if r.Champion {
			fmt.Fprintf(d.out, "\nChampion: %s\n", r.Name)
		}
	}
	return nil
}
