package public

import (
	"context"
	"sync"
	"time"

	"meldhall/tournament/history"
	"meldhall/tournament/naming"
	"meldhall/tournament/rights"
)

// pastLife is for how long the past of an event is kept, so that a crowd on the pages of hundreds of players costs one reading. It is
// as short as what the frame keeps of a page.
const pastLife = 400 * time.Millisecond

// pastsMost bounds how many are kept.
const pastsMost = 16

// pasts keeps the pasts that were read last, each for officials or for everybody else.
type pasts struct {
	mu   sync.Mutex
	kept map[pastOf]*keptPast
}

type pastOf struct {
	event    int64
	official bool
}

// keptPast is read by one while the others wait for it.
type keptPast struct {
	mu   sync.Mutex
	at   time.Time
	seen seen
}

func (k *pasts) of(key pastOf) *keptPast {
	k.mu.Lock()
	defer k.mu.Unlock()
	one := k.kept[key]
	if one == nil {
		if k.kept == nil || len(k.kept) >= pastsMost {
			k.kept = map[pastOf]*keptPast{}
		}
		one = &keptPast{}
		k.kept[key] = one
	}
	return one
}

// seenBy is the past of an event as a reader sees it now. It is shared and not to be changed.
func (p *Pages) seenBy(ctx context.Context, reader rights.Actor, event int64) (seen, error) {
	official := rights.Authorize(reader, rights.Place{Tournament: event}, rights.MaySeeDesk) == nil
	one := p.pasts.of(pastOf{event, official})
	one.mu.Lock()
	defer one.mu.Unlock()
	if age := p.Store.Now().Sub(one.at); age < pastLife {
		return one.seen, nil
	}
	s, err := p.read(naming.For(context.WithoutCancel(ctx), reader), reader, event) // others wait for it, who must not fail when this reader goes
	if err != nil {
		return s, err
	}
	s.official = official
	one.at, one.seen = p.Store.Now(), s
	return s, nil
}

func (p *Pages) read(ctx context.Context, reader rights.Actor, event int64) (s seen, err error) {
	s = seen{event: event}
	if s.sight, err = p.SightOf(ctx, reader, event); err != nil {
		return s, err
	}
	if s.Past, err = history.Of(ctx, p.Store, event, s.sight); err != nil {
		return s, err
	}
	s.sealed, err = p.Games.SealedIn(ctx, event)
	return s, err
}
