package door

import (
	"context"
	"log/slog"
	"time"
)

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
		}
	}
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
	if len(records) > 0 {
		if err := d.Games.RefreshWaiting(ctx); err != nil {
			return err
		}
	}
	var changes []Changed
	for _, r := range records {
		d.lastRecord = r.ID
		changes = unite(changes, r.changed())
	}
	d.behind = false
	for _, c := range changes {
		d.reseat(c)
		d.say(c)
	}
	return nil
}

// lookFrom makes the records that there are the ones that need no look; where they cannot be read, all are looked at.
func (d *Desk) lookFrom() {
	_ = d.DB.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM audit`).Scan(&d.lastRecord)
}
