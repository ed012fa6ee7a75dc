package game

import (
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/store"
)

// EraseReasons removes reasons of rulings from the logs of the games of these tournaments: those for which erase
// returns true. A ruling on the whole table has seat -1. Canned reasons stay, because they are codes. EraseReasons
// returns the games whose logs have changed. The caller must pass them to Games.Forget.
func EraseReasons(db *gorm.DB, events []int64, erase func(game int64, seat int, reason string) bool) (games []int64,
	n int, err error) {
	var rows []struct {
		ID, GameID             int64
		Seq, Version           int
		Kind, Data, Actor, Cmd string
		At                     int64
		Salt                   string
		Summed                 bool
	}
	err = db.Raw(`SELECT e.id, e.game_id, e.seq, e.version, e.kind, e.data, e.actor, coalesce(e.cmd_id, '') AS cmd,
			e.at, e.salt, e.sum IS NOT NULL AS summed
		FROM game_events e JOIN games g ON g.id = e.game_id WHERE g.tournament_id IN ? AND e.data LIKE '%"reason":"%' ORDER BY e.id`, events).Scan(&rows).Error
	for _, r := range rows {
		var said struct{ Seat *int }
		var reason string
		before, quoted, after := store.CutReason(r.Data)
		if json.Unmarshal([]byte(r.Data), &said) != nil || json.Unmarshal([]byte(quoted), &reason) != nil ||
			reason == "" || reason == store.Erased || canned(reason) {
			continue
		}
		seat := -1
		if said.Seat != nil {
			seat = *said.Seat
		}
		if !erase(r.GameID, seat, reason) {
			continue
		}
		data := before + `"` + store.Erased + `"` + after
		salt := store.EraseSalt(r.Salt, []string{quoted}, []string{""})
		var sum any
		if r.Summed {
			sum = eventRow{seq: r.Seq, kind: r.Kind, data: data, actor: r.Actor, cmd: r.Cmd, at: r.At}.sum(r.GameID,
				r.Version)
		}
		if err := db.Exec(`UPDATE game_events SET data = ?, salt = ?, sum = ? WHERE id = ?`, data, salt, sum,
			r.ID).Error; err != nil {
			return games, n, err
		}
		n++
		if !slices.Contains(games, r.GameID) {
			games = append(games, r.GameID)
		}
	}
	return games, n, err
}

// canned reports whether a reason is a predefined one that officials choose from a list.
func canned(reason string) bool {
	return slices.ContainsFunc(engine.RulingKinds(), func(k engine.RulingKind) bool {
		return slices.ContainsFunc(k.Reasons, func(r engine.RulingReason) bool { return r.Code == reason })
	})
}
