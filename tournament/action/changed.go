package action

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

// Changed is a hint about what a commit changed: the tournament, 0 for none, and the topics. It carries no data.
type Changed struct {
	Tournament int64
	Topics     []Topic
}

// Topic is a part of a tournament that viewers watch. ID identifies a table, a game or an account; for other topics it
// is 0.
type Topic struct {
	What What  `json:"what"`
	ID   int64 `json:"id,omitempty"`
}

// What names a kind of topic.
type What string

// The kinds of topics.
const (
	TopicStandings What = "standings" // results, penalties, cuts, lots, qualifiers
	TopicPenalties What = "penalties" // penalties only, of which players are notified while they play
	TopicSeats     What = "seats"     // rounds, tables, places
	TopicDevices   What = "devices"   // devices of players; ID: the unlinked player or TableDeviceID
	TopicPeople    What = "people"    // participants, their names, who is present
	TopicTable     What = "table"     // a change at one table; ID: the table
	TopicGame      What = "game"      // a change in one game; ID: the game
	TopicHall      What = "hall"      // screens, tablets, zones, seat requests: shown only to officials
	TopicSettings  What = "settings"  // format, rules, schedule, how players sign up
	TopicNews      What = "news"      // announcements to the whole tournament
	TopicScreens   What = "screens"   // which screen is at which table
	TopicOfficials What = "officials" // ID: the account whose rights or devices changed
)

// Add adds topics that are not included yet.
func (c *Changed) Add(topics ...Topic) {
	for _, t := range topics {
		if !slices.Contains(c.Topics, t) {
			c.Topics = append(c.Topics, t)
		}
	}
}

// unite adds a change to all, merging it with an earlier change of the same tournament.
func unite(all []Changed, c Changed) []Changed {
	for i := range all {
		if all[i].Tournament == c.Tournament {
			all[i].Add(c.Topics...)
			return all
		}
	}
	return append(all, c)
}

// Has reports whether a topic of one of these kinds has changed.
func (c Changed) Has(whats ...What) bool {
	return slices.ContainsFunc(c.Topics, func(t Topic) bool { return slices.Contains(whats, t.What) })
}

// OnChanged adds a listener that is called after every commit that changed something. It must not block. Call OnChanged
// before the first action.
func (d *Desk) OnChanged(f func(Changed)) { d.watchers = append(d.watchers, f) }

// OnRecorded adds a listener that is called for every record after its commit. It must not block. Call OnRecorded
// before the first action.
func (d *Desk) OnRecorded(f func(Record)) { d.readers = append(d.readers, f) }

// reseat invalidates cached data about seats. It is called after the commit, because readers see the change only then.
func (d *Desk) reseat(c Changed) {
	if c.Has(TopicSeats, TopicPeople, TopicDevices) {
		d.Games.Seatings.Changed(c.Tournament)
	}
}

// notify calls all listeners of a change.
func (d *Desk) notify(c Changed) {
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
		panic(err) // plain values always encode
	}
	return string(text)
}

// Watch checks once a second, until ctx ends, what another process has done in the same database. It announces the
// changes named in the new records to the listeners of this process, and invalidates cached data about seats.
func (d *Desk) Watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := d.Poll(ctx); err != nil && ctx.Err() == nil {
			slog.Error("reading the changes of other processes failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-d.soon:
		}
	}
}

// LookSoon makes Watch check at once, after a hint that another process has acted. It does not block.
func (d *Desk) LookSoon() {
	select {
	case d.soon <- struct{}{}:
	default:
	}
}

// ownRecords holds the records that this node has written and announced itself, so that Watch skips them.
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
	if o.ids == nil || len(o.ids) > ownMost { // announcing a record twice is harmless
		o.ids = map[int64]bool{}
	}
	for _, r := range records {
		o.ids[r.ID] = true
	}
}

// take reports whether this node wrote and announced the record, and forgets the record.
func (o *ownRecords) take(id int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	own := o.ids[id]
	delete(o.ids, id)
	return own
}

// Poll makes one check of Watch. After an error, the next call repeats the check. Heartbeats of other processes leave
// no records, so they announce nothing.
func (d *Desk) Poll(ctx context.Context) error {
	written, err := d.DB.WrittenElsewhere(ctx)
	if err != nil || !written && !d.behind {
		return err
	}
	d.behind = true
	var records []Record
	err = d.DB.Write.WithContext(ctx).Select("id", "tournament_id", "topics").Where("id > ?",
		d.lastRecord).Order("id").Find(&records).Error
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
		d.notify(c)
	}
	return nil
}

// refresh reloads the seats of games whose tables the changes may concern.
func (d *Desk) refresh(ctx context.Context, changes []Changed) error {
	if len(changes) == 0 {
		return nil
	}
	if d.DB.Nodes == nil {
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

// lookFrom marks the existing records as seen. If they cannot be read, all will be checked.
func (d *Desk) lookFrom() {
	_ = d.DB.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM audit`).Scan(&d.lastRecord)
}
