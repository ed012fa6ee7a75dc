package tournament

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
)

// LogSearch is what the actions log of an event is searched by. Empty fields find everything; Text and Who are found anywhere,
// whatever their case. Round, Table and Player are numbers in the event, 0 for any. From is the first moment and Until the first
// one after the last; 0 for none. Before is an entry's id: only older ones.
type LogSearch struct {
	Text   string
	Who    string
	Round  int
	Table  int
	Player int
	From   engine.Millis
	Until  engine.Millis
	Before int64
	Limit  int
	Match  func(AuditEntry) bool // in place of Text: whether an entry has it, as its reader sees it
}

// LogPage is a part of the log: the newest entries first, and how many there are in all.
type LogPage struct {
	Entries []AuditEntry
	Total   int
	More    bool
}

// logMost is as many entries as one answer holds.
const logMost = 200

// SearchAudit searches the actions log of an event.
func (s *Store) SearchAudit(ctx context.Context, actor Actor, tournamentID int64, q LogSearch) (LogPage, error) {
	if err := Authorize(actor, Place{Tournament: tournamentID}, MaySeeAudit); err != nil {
		return LogPage{}, err
	}
	if q.Limit < 1 || q.Limit > logMost {
		q.Limit = logMost
	}
	where, args := q.where(tournamentID)
	db := s.Read.WithContext(ctx)
	if q.Match != nil {
		return q.matching(db.Where(where, args...))
	}
	var page LogPage
	var total int64
	if err := db.Model(&AuditEntry{}).Where(where, args...).Count(&total).Error; err != nil {
		return page, fmt.Errorf("search the log: %w", err)
	}
	page.Total = int(total)
	found := db.Where(where, args...)
	if q.Before > 0 {
		found = found.Where("id < ?", q.Before)
	}
	if err := found.Order("id DESC").Limit(q.Limit + 1).Find(&page.Entries).Error; err != nil {
		return page, fmt.Errorf("search the log: %w", err)
	}
	if page.More = len(page.Entries) > q.Limit; page.More {
		page.Entries = page.Entries[:q.Limit]
	}
	return page, nil
}

// matching reads the entries that are left and keeps those that match.
func (q LogSearch) matching(found *gorm.DB) (page LogPage, err error) {
	var entries []AuditEntry
	if err := found.Order("id DESC").Find(&entries).Error; err != nil {
		return page, fmt.Errorf("search the log: %w", err)
	}
	for _, e := range entries {
		if !q.Match(e) {
			continue
		}
		page.Total++
		switch {
		case q.Before > 0 && e.ID >= q.Before:
		case len(page.Entries) == q.Limit:
			page.More = true
		default:
			page.Entries = append(page.Entries, e)
		}
	}
	return page, nil
}

// where is the condition of a search. What an action was about is a text that begins with what it is: "round 3", "round 3,
// table 2, seat 1 (Ann)", "game 17", "player 4 (Ann)".
func (q LogSearch) where(tournamentID int64) (string, []any) {
	parts, args := []string{"tournament_id = ?"}, []any{tournamentID}
	add := func(part string, values ...any) { parts, args = append(parts, part), append(args, values...) }
	if text := cleanText(q.Text); text != "" && q.Match == nil {
		like := "%" + likeText(text) + "%"
		add(`(action LIKE ? ESCAPE '\' OR subject LIKE ? ESCAPE '\' OR why LIKE ? ESCAPE '\' OR before LIKE ? ESCAPE '\' OR after LIKE ? ESCAPE '\')`,
			like, like, like, like, like)
	}
	if who := cleanText(q.Who); who != "" {
		add(`actor LIKE ? ESCAPE '\'`, "%"+likeText(who)+"%")
	}
	if q.From != 0 {
		add("at >= ?", q.From)
	}
	if q.Until != 0 {
		add("at < ?", q.Until)
	}
	const gamesOf = ` OR subject IN (SELECT 'game ' || g.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id WHERE `
	if q.Round > 0 {
		add(`(subject = ? OR subject LIKE ? OR before LIKE ? OR after LIKE ?`+gamesOf+`r.tournament_id = ? AND r.number = ?))`,
			fmt.Sprintf("round %d", q.Round), fmt.Sprintf("round %d,%%", q.Round), fmt.Sprintf("%%round %d,%%", q.Round), fmt.Sprintf("%%round %d,%%", q.Round),
			tournamentID, q.Round)
	}
	if q.Table > 0 {
		add(`(subject = ? OR subject LIKE ? OR before LIKE ? OR after LIKE ?`+gamesOf+`r.tournament_id = ? AND t.number = ?))`,
			fmt.Sprintf("table %d", q.Table), fmt.Sprintf("%%table %d,%%", q.Table), fmt.Sprintf("%%table %d:%%", q.Table), fmt.Sprintf("%%table %d:%%", q.Table),
			tournamentID, q.Table)
	}
	if q.Player > 0 {
		add(`(subject LIKE ? OR actor IN (SELECT 'player:' || id FROM players WHERE tournament_id = ? AND number = ?)
			OR subject IN (SELECT 'game ' || g.id FROM games g JOIN seats e ON e.table_id = g.table_id JOIN players p ON p.id = e.player_id
				WHERE p.tournament_id = ? AND p.number = ?))`,
			fmt.Sprintf("%%player %d (%%", q.Player), tournamentID, q.Player, tournamentID, q.Player)
	}
	return strings.Join(parts, " AND "), args
}

// likeText takes the meaning from the letters that LIKE gives one.
func likeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
