package door

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// Changed is what a commit changed, as a hint to look again: which event, 0 for none, and what of it. It carries no data.
type Changed struct {
	Tournament int64
	Topics     []Topic
}

// Topic is something of an event that people watch. ID is a table's, a game's or an account's, 0 for the others.
type Topic struct {
	What What  `json:"what"`
	ID   int64 `json:"id,omitempty"`
}

// What names a kind of topic.
type What string

// The kinds of topics.
const (
	TopicStandings What = "standings" // results, penalties, cuts, lots, who qualifies
	TopicPenalties What = "penalties" // those alone, which players are told of while they play
	TopicSeats     What = "seats"     // rounds, tables, places
	TopicDevices   What = "devices"   // which device plays for whom; ID: the player or table (TableDeviceID) whose device was taken out
	TopicPeople    What = "people"    // who plays, how they are written, who is here
	TopicTable     What = "table"     // ID: something at one table
	TopicGame      What = "game"      // ID: something in one game
	TopicHall      What = "hall"      // screens, tablets, zones, wishes of seats: what the desk alone shows
	TopicSettings  What = "settings"  // format, rules, plan of the day, how people come in
	TopicNews      What = "news"      // announcements to the whole event
	TopicScreens   What = "screens"   // which screen stands at which table
	TopicOfficials What = "officials" // ID: an account's rights, or its devices
)

// Add unites topics, each once.
func (c *Changed) Add(topics ...Topic) {
	for _, t := range topics {
		if !slices.Contains(c.Topics, t) {
			c.Topics = append(c.Topics, t)
		}
	}
}

// unite adds what was changed to what is known to be of the same event.
func unite(all []Changed, c Changed) []Changed {
	for i := range all {
		if all[i].Tournament == c.Tournament {
			all[i].Add(c.Topics...)
			return all
		}
	}
	return append(all, c)
}

// Has tells whether something of one of these kinds has changed.
func (c Changed) Has(whats ...What) bool {
	return slices.ContainsFunc(c.Topics, func(t Topic) bool { return slices.Contains(whats, t.What) })
}

// OnChanged adds a listener that is told of every commit that changed something, after it. It must not block, and is to be
// called before anything is done.
func (d *Desk) OnChanged(f func(Changed)) { d.watchers = append(d.watchers, f) }

// OnRecorded adds a listener that is told of every record, after its commit. It must not block, and is to be called before anything is
// done.
func (d *Desk) OnRecorded(f func(Record)) { d.readers = append(d.readers, f) }

// reseat has what is remembered of who sits where asked again, after the commit: a reader sees the change only then.
func (d *Desk) reseat(c Changed) {
	if c.Has(TopicSeats, TopicPeople, TopicDevices) {
		d.Games.Reseat(c.Tournament)
	}
}

// say tells everybody what was changed.
func (d *Desk) say(c Changed) {
	for _, f := range d.watchers {
		f(c)
	}
}

func packTopics(topics []Topic) string {
	if len(topics) == 0 {
		return ""
	}
	slices.SortFunc(topics, func(a, b Topic) int {
		return cmp.Or(strings.Compare(string(a.What), string(b.What)), cmp.Compare(a.ID, b.ID))
	})
	text, err := json.Marshal(topics)
	if err != nil {
		panic(err) // plain values
	}
	return string(text)
}

// Watch looks once a second, until ctx ends, at what another process has done on the same database: what its records say has
// changed is announced here as well, and what is remembered of the seating is asked again.
func (d *Desk) Watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := d.LookElsewhere(ctx); err != nil && ctx.Err() == nil {
			slog.Error("look at what another process has done", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-d.soon:
		}
	}
}

// LookSoon has Watch look at once: another process is said to have done something. It does not block.
func (d *Desk) LookSoon() {
	select {
	case d.soon <- struct{}{}:
	default:
	}
}

// ownRecords are records of a node's own, which it has announced already: nobody else looks at what it did itself.
type ownRecords struct {
	mu  sync.Mutex
	ids map[int64]bool
}

const ownMost = 1000

func (o *ownRecords) add(node string, records []Record) {
	if node == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ids == nil || len(o.ids) > ownMost { // to announce one twice does no harm
		o.ids = map[int64]bool{}
	}
	for _, r := range records {
		o.ids[r.ID] = true
	}
}

// take tells whether a record is one of these, once.
func (o *ownRecords) take(id int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	own := o.ids[id]
	delete(o.ids, id)
	return own
}

// LookElsewhere looks once. After an error the next call looks again. Another process's heartbeats leave no records.
func (d *Desk) LookElsewhere(ctx context.Context) error {
	written, err := d.DB.WrittenElsewhere(ctx)
	if err != nil || !written && !d.behind {
		return err
	}
	d.behind = true
	var records []Record
	err = d.DB.Write.WithContext(ctx).Select("id", "tournament_id", "topics").Where("id > ?", d.lastRecord).Order("id").Find(&records).Error
	if err != nil {
		return err
	}
	var changes []Changed
	last := d.lastRecord
	for _, r := range records {
		if last = r.ID; !d.own.take(r.ID) {
			changes = unite(changes, r.changed())
		}
	}
	if err := d.refresh(ctx, changes); err != nil {
		return err
	}
	d.lastRecord, d.behind = last, false
	for _, c := range changes {
		d.reseat(c)
		d.say(c)
	}
	return nil
}

// refresh has the games know who sits at their tables by now.
func (d *Desk) refresh(ctx context.Context, changes []Changed) error {
	if len(changes) == 0 {
		return nil
	}
	if d.DB.Node() == "" {
		return d.Games.RefreshWaiting(ctx)
	}
	for _, c := range changes {
		if !c.Has(TopicSeats, TopicPeople, TopicDevices) {
			continue
		}
		if err := d.Games.RefreshSeats(ctx, c.Tournament); err != nil {
			return err
		}
	}
	return nil
}

// lookFrom makes the records that there are the ones that need no look; where they cannot be read, all are looked at.
func (d *Desk) lookFrom() {
	_ = d.DB.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM audit`).Scan(&d.lastRecord)
}
