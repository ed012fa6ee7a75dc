package game

import (
	"testing"

	"meldhall/engine"
	"meldhall/tournament/signing"
	"meldhall/tournament/store/storetest"
)

// signedGame returns a game at its first turn and the device of each seat.
func signedGame(t *testing.T) (*Games, int64, []signing.Device) {
	t.Helper()
	s := newStore(t)
	id := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	devices := make([]signing.Device, 4)
	for seat := range devices {
		devices[seat] = signing.NewDevice([32]byte{byte(seat), 48})
	}
	return g, id, devices
}

// submitSigned submits a command of a seat whose player's key is that of bound, with the signature of by.
func submitSigned(t *testing.T, g *Games, id int64, seat int, bound, by signing.Device, c engine.Command,
	change func(*Signature)) {
	t.Helper()
	snap := look(t, g, id)
	me := seatActor(snap, seat)
	me.Key = bound.Key()
	signed := by.Sign(snap.Statement(seat, me.Key), id, seat, snap.State.Seq, snap.History(), signing.ContentOf(c))
	signature := Signature{Seen: signed.Seen, Text: signed.Signature}
	if change != nil {
		change(&signature)
	}
	if _, err := g.SubmitSigned(t.Context(), me, id, "", signature, c); err != nil {
		t.Fatalf("seat %d, %T: %v", seat, c, err)
	}
}

// runsOf returns the log of a game as it can be checked, with its runs of signed commands.
func runsOf(t *testing.T, g *Games, id int64) (log signing.Game, runs []signing.Run) {
	t.Helper()
	tail, err := g.Log.Tail(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	log = signing.Game{ID: id, Players: look(t, g, id).Ref.Players}
	for _, e := range tail {
		log.Log = append(log.Log, signing.Event{Event: e.Event, Actor: e.Actor, Chain: e.Chain, Signed: e.Signed})
	}
	return log, log.Runs()
}

// TestSignaturesOfCommands checks which signatures the log takes, also from devices that have not seen the newest
// event, and that a command is never refused because of its signature.
func TestSignaturesOfCommands(t *testing.T) {
	g, id, devices := signedGame(t)
	for seat, d := range devices {
		submitSigned(t, g, id, seat, d, d, engine.Ready{Seat: seat, Turn: look(t, g, id).State.Turn.Number}, nil)
	}
	draw := func() (int, engine.Command) {
		turn := look(t, g, id).State.Turn
		return turn.Seat, engine.Draw{Seat: turn.Seat, Turn: turn.Number}
	}
	first, c := draw()
	submitSigned(t, g, id, first, devices[first], devices[first], c, nil)
	was := look(t, g, id) // what the next device still sees when others act
	seat, c := draw()
	submitSigned(t, g, id, first, devices[first], devices[first], engine.CallReferee{Seat: first}, nil)
	submitSigned(t, g, id, seat, devices[seat], devices[seat], c, func(s *Signature) {
		late := devices[seat].Sign(was.Statement(seat, devices[seat].Key()), id, seat, was.State.Seq, was.History(),
			signing.ContentOf(c))
		*s = Signature{Seen: late.Seen, Text: late.Signature}
	})
	log, runs := runsOf(t, g, id)
	if _, err := log.Check(runs); err != nil || len(runs) != 4 {
		t.Fatal(runs, err)
	}
	if run := runs[seat]; run.Behind[run.To] != 1 {
		t.Errorf("the device that was one event behind: %+v", run)
	}
	before := len(look(t, g, id).SignedBy(0).Statement)
	for name, forge := range map[string]struct {
		by     func(seat int) signing.Device
		change func(*Signature)
	}{
		"the key of another seat":   {by: func(seat int) signing.Device { return devices[(seat+1)%4] }},
		"another history":           {change: func(s *Signature) { s.Seen-- }},
		"a history still to come":   {change: func(s *Signature) { s.Seen++ }},
		"no seq":                    {change: func(s *Signature) { s.Seen = -1 }},
		"something else":            {change: func(s *Signature) { s.Text = "x" }},
		"none":                      {change: func(s *Signature) { *s = Signature{} }},
		"a signature cut to pieces": {change: func(s *Signature) { s.Text = s.Text[:40] }},
	} {
		seat, c := draw()
		by := devices[seat]
		if forge.by != nil {
			by = forge.by(seat)
		}
		seq := look(t, g, id).State.Seq
		submitSigned(t, g, id, seat, devices[seat], by, c, forge.change)
		log, runs := runsOf(t, g, id)
		for _, run := range runs {
			if run.To > seq {
				t.Errorf("%s: it counts as signed: %+v", name, run)
			}
		}
		if _, err := log.Check(runs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if before == 0 {
		t.Error("no statement is kept")
	}
	g.Forget([]int64{id}) // as after a restart
	seat, c = draw()
	submitSigned(t, g, id, seat, devices[seat], devices[seat], c, nil)
	if log, runs = runsOf(t, g, id); runs[len(runs)-1].Seat == seat && len(runs) != 4 {
		t.Errorf("after a restart: %+v", runs)
	}
	checkForgedLogs(t, log, runs)
}

// checkForgedLogs changes each signed event of a log, and expects that a signature shows it.
func checkForgedLogs(t *testing.T, log signing.Game, runs []signing.Run) {
	t.Helper()
	signed, err := log.Check(runs)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, run := range runs {
		last = max(last, run.To)
	}
	for seq := 2; seq < last; seq++ {
		forged := log
		forged.Log = append([]signing.Event{}, log.Log...)
		forged.Log[seq-1].Chain = "0" + log.Log[seq-1].Chain[1:]
		if forged.Log[seq-1].Chain == log.Log[seq-1].Chain {
			forged.Log[seq-1].Chain = "1" + log.Log[seq-1].Chain[1:]
		}
		seen := false
		for _, s := range signed {
			seen = seen || s.Seen == seq
		}
		if _, err := forged.Check(runs); (err == nil) == seen {
			t.Errorf("another history at seq %d, which a device saw: %t: %v", seq, seen, err)
		}
	}
	for i := range runs {
		other := append([]signing.Run{}, runs...)
		other[i].Key = signing.NewDevice([32]byte{99}).Key()
		if _, err := log.Check(other); err == nil {
			t.Errorf("the key of run %d is another one", i)
		}
		other[i] = runs[i]
		if other[i].To--; other[i].From <= other[i].To {
			if _, err := log.Check(other); err == nil {
				t.Errorf("run %d is shorter", i)
			}
		}
	}
}
