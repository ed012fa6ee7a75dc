package public

import (
	"context"
	"sync"
	"time"

	"meldhall/tournament/displayname"
	"meldhall/tournament/past"
	"meldhall/tournament/rights"
)

// pastLife is how long the history of a tournament is cached, so that many readers of hundreds of player pages need
// only one read. It is as short as the cache time of a page.
const pastLife = 400 * time.Millisecond

// pastsMost limits the number of cached histories.
const pastsMost = 16

// pasts caches the latest histories, separately for officials and for the public.
type pasts struct {
	mu   sync.Mutex
	kept map[pastOf]*keptPast
}

type pastOf struct {
	tournamentID int64
	official     bool
}

// keptPast is a cached history. One request reads it while others wait for the result.
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

// seenBy returns the history of a tournament as a reader may see it now. The result is shared and must not be changed.
func (p *PastPages) seenBy(ctx context.Context, reader rights.Actor, tournamentID int64) (seen, error) {
	official := rights.Authorize(reader, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk) == nil
	one := p.pasts.of(pastOf{tournamentID, official})
	one.mu.Lock()
	defer one.mu.Unlock()
	if age := p.View.Store.Now().Sub(one.at); age < pastLife {
		return one.seen, nil
	}
	// others wait for it, so it must not be canceled with this request
	s, err := p.read(displayname.For(context.WithoutCancel(ctx), reader), reader, tournamentID)
	if err != nil {
		return s, err
	}
	s.official = official
	one.at, one.seen = p.View.Store.Now(), s
	return s, nil
}

func (p *PastPages) read(ctx context.Context, reader rights.Actor, tournamentID int64) (s seen, err error) {
	s = seen{tournamentID: tournamentID}
	if s.sight, err = p.View.Sights.Of(ctx, reader, tournamentID); err != nil {
		return s, err
	}
	if s.Past, err = past.Of(ctx, p.View.Store, tournamentID, s.sight); err != nil {
		return s, err
	}
	s.sealed, err = p.View.Games.Seals.SealedIn(ctx, tournamentID)
	return s, err
}
