package archive

import (
	"context"
	"crypto/sha256"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
)

// signs returns a context with the signature of an official's device. It has none if the operator forges the action,
// unless he has replaced all keys, or if the device has not signed the same at that time.
func (p *played) signs(who rights.Actor, content string, real bool) context.Context {
	whose := "official"
	if p.rekeys() {
		whose = "forger"
	}
	device := signing.NewDevice(sha256.Sum256(fmt.Appendf(nil, "%s %s", whose, who.Name)))
	by := device.SignRuling(p.event.ID, engine.Millis(p.now.UnixMilli()), content)
	what := fmt.Sprint(who.Name, by.At, content)
	own := p.honest == nil || p.rekeys() || real && (p.live || p.honest.ruled[what])
	if !p.signed || !own {
		return p.t.Context()
	}
	p.ruled[what] = true
	return action.WithSignature(p.t.Context(), p.event.ID, by)
}

// rule submits a command of an official or of the clock. real is false if the operator forges it.
func (p *played) rule(who rights.Actor, id int64, c engine.Command, real bool) *game.Snapshot {
	p.t.Helper()
	seq := gametest.Look(p.t, p.Games, id).State.Seq + 1
	_, err := p.Games.Submit(p.t.Context(), who, id, "", c)
	if err == nil {
		err = p.Desk.Ruled(p.signs(who, fmt.Sprintf("/games/%d/rule", id), real), who, p.event.ID, id, seq)
	}
	if err != nil {
		p.t.Fatalf("%T: %v", c, err)
	}
	return gametest.Look(p.t, p.Games, id)
}

// decide runs an action of the organizer. real is false if the operator forges it.
func decide[O any](p *played, act action.ActionOf[O], real bool) O {
	p.t.Helper()
	name := action.KindOf(act).Name
	out, err := action.Do(p.signs(organizer, "/"+name, real), p.Desk, organizer, act)
	if err != nil {
		p.t.Fatalf("%s: %v", name, err)
	}
	return out
}
