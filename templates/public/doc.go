// Package public renders the pages that anybody may see: home, standings, tables, replays, past rounds, players and the
// schedule.
package public
