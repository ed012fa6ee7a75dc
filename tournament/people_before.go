package tournament

import (
	"encoding/json"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
)

// withdrawnAt returns, by start number, whether players had left the tournament before at. It contains only players
// whose state has changed since. For a finished tournament the moment is its end at the latest: players who leave
// afterwards must not change its places, its cuts or the qualification.
func withdrawnAt(db *gorm.DB, t Tournament, at engine.Millis) (map[int]bool, error) {
	var end int64
	if t.Status == StatusFinished {
		err := db.Model(&action.Record{}).Where("tournament_id = ? AND action = ?", t.ID,
			finishEventKind.Name).Select("coalesce(max(id), 0)").Scan(&end).Error
		if err != nil {
			return nil, err
		}
	}
	if at == Always && end == 0 {
		return nil, nil
	}
	since := db.Where("at >= ?", at)
	if end > 0 {
		since = since.Or("id > ?", end)
	}
	var records []action.Record
	err := db.Select("action", "about", "data").Where("tournament_id = ? AND (action = ? OR action LIKE 'people.%')",
		t.ID, ruledOut).
		Where(since).Order("id").Find(&records).Error
	out := map[int]bool{}
	note := func(number int, left bool) {
		if _, noted := out[number]; !noted {
			out[number] = left
		}
	}
	for _, r := range records {
		if r.Kind == ruledOut {
			var on action.About
			var step action.Step
			if json.Unmarshal([]byte(r.AboutJSON), &on) == nil && json.Unmarshal([]byte(r.Data), &step) == nil {
				note(on.Player, step.Was == "true")
			}
			continue
		}
		var changed peopleChanged
		if json.Unmarshal([]byte(r.Data), &changed) != nil {
			continue // this kind of record changes no player's state
		}
		for _, p := range changed.Was.Players {
			note(p.Number, p.State != "" && p.State != StateWaiting && !Player{State: p.State}.Plays())
		}
	}
	return out, err
}
