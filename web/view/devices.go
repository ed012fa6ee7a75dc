package view

import (
	"context"
	"strings"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
)

// HallDevices lists the tablets at the seats of a tournament's round, by table and seat, and its screens.
type HallDevices struct {
	Round       int          `json:"round" doc:"the round's number; 0: none is published"`
	Here        int          `json:"here" doc:"seats with a connected tablet"`
	Screens     int          `json:"screens" doc:"screens paired with the event"`
	ScreensHere int          `json:"screens_here"`
	Version     string       `json:"version" doc:"the release of this server's pages"`
	Seats       []SeatDevice `json:"seats"`

	Open bool `json:"-"` // the round is not over: codes for other tablets can be issued
}

// SeatDevice describes the tablet at one seat.
type SeatDevice struct {
	Table    int           `json:"table"`
	TableID  int64         `json:"table_id"`
	Seat     int           `json:"seat" doc:"from 0"`
	Player   string        `json:"player"`
	Name     string        `json:"name,omitempty" doc:"the tablet's name, as it shows it; none: no tablet holds the seat"`
	State    string        `json:"state" enum:"here,offline,silent,none" doc:"silent: it holds the seat, but has not been seen since the server started; none: no tablet holds the seat"`
	Heard    engine.Millis `json:"heard_at,omitempty"`
	Device   string        `json:"device,omitempty" doc:"browser and operating system, if known"`
	Delay    *int          `json:"delay_ms,omitempty" doc:"round-trip time of its last report"`
	Charge   *int          `json:"charge,omitempty" doc:"battery charge in percent"`
	Charging bool          `json:"charging,omitempty"`
	Version  string        `json:"version,omitempty" doc:"the release of its page; none: not reported"`
	Stale    bool          `json:"stale,omitempty" doc:"its page is from a different release than the server's"`
	Whole    bool          `json:"whole_table,omitempty" doc:"one tablet serves all seats of the table"`
	Missed   int           `json:"missed_shuffles,omitempty" doc:"shuffles from which the player's tablet withheld its part after it had announced it"`
	Real     bool          `json:"real,omitempty" doc:"the table plays with real tiles, so its seats need no tablet"`
}

// Devices returns the screens of a tournament and the tablets of its newest published round. Without such a round, it
// returns no tablets.
func (s *Reader) Devices(ctx context.Context, t tournament.Tournament) (HallDevices, error) {
	hall := HallDevices{Seats: []SeatDevice{}, Version: shownVersion(s.Build)}
	screens, err := screen.Displays(ctx, s.Store, rights.Staff(rights.RoleReferee, ""), t.ID)
	if err != nil {
		return hall, err
	}
	now := engine.MillisOf(s.Store.Now())
	hall.Screens = len(screens)
	for _, d := range screens {
		if d.SeenAt != 0 && now-d.SeenAt < HereWithin {
			hall.ScreensHere++
		}
	}
	rounds, err := draw.Rounds(ctx, s.Store, t.ID)
	if err != nil {
		return hall, err
	}
	round, ok := CurrentRound(rounds)
	if !ok {
		return hall, nil
	}
	hall.Round, hall.Open = round.Number, round.Status != tournament.RoundFinished
	tables, err := tournament.Tables(ctx, s.Store, round.ID)
	if err != nil {
		return hall, err
	}
	whole, err := tournament.TableDevices(ctx, s.Store, t.ID)
	if err != nil {
		return hall, err
	}
	missed, err := s.Games.Shares.Missed(ctx, t.ID)
	if err != nil {
		return hall, err
	}
	for _, table := range tables {
		served := t.Physical(table) && whole[table.Number] != ""
		for _, seat := range table.Seats {
			holder, name := seat.PlayerID, seat.Player.DeviceName()
			if served { // a table's own tablet holds no seat and has its own ID
				holder, name = tournament.TableDeviceID(t.ID, table.Number), whole[table.Number]
			}
			d := s.seatDevice(seat, served, holder)
			d.Name, d.Missed = name, missed[seat.PlayerID]
			d.Table, d.TableID, d.Real = table.Number, table.ID, t.Physical(table)
			if d.State == "here" {
				hall.Here++
			}
			hall.Seats = append(hall.Seats, d)
		}
	}
	return hall, nil
}

// seatDevice describes the tablet at a seat. served means that this tablet serves the whole table. holder is the player
// or table-device ID under which its presence is recorded.
func (s *Reader) seatDevice(seat tournament.Seat, served bool, holder int64) SeatDevice {
	d := SeatDevice{Seat: seat.Seat, Player: seat.Player.Name, State: "none", Whole: served}
	seen := s.Presence.Seen(holder)
	switch {
	case !served && !seat.Player.Joined():
		return d
	case seen.Heard == 0:
		d.State = "silent"
		return d
	case seen.Here:
		d.State = "here"
	default:
		d.State = "offline"
	}
	d.Heard, d.Device, d.Charging = seen.Heard, AgentWords(seen.Agent), seen.Charging
	d.Version = shownVersion(seen.Build)
	d.Stale = seen.Build != "" && seen.Build != s.Build
	if seen.Delay >= 0 {
		d.Delay = &seen.Delay
	}
	if seen.Charge >= 0 {
		d.Charge = &seen.Charge
	}
	return d
}

// versionShown is how many characters of a page's version are displayed.
const versionShown = 7

// shownVersion returns the displayed version of a page, given the address of its assets: the first characters of their
// hash.
func shownVersion(build string) string {
	hash := []rune(build[strings.LastIndexByte(build, '/')+1:])
	return string(hash[:min(len(hash), versionShown)])
}

// HereWithin is how recently a screen must have been seen to count as online.
const HereWithin = engine.Millis(90_000)

// CurrentRound returns the newest published round. It returns false if there is none.
func CurrentRound(rounds []tournament.Round) (tournament.Round, bool) {
	for i := len(rounds) - 1; i >= 0; i-- {
		if rounds[i].Status != tournament.RoundDraft {
			return rounds[i], true
		}
	}
	return tournament.Round{}, false
}

// The names of browsers and systems, by a part of their User-Agent. The first match counts, because Chrome's User-Agent
// also contains Safari, and that of a current iPad contains Macintosh.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"},
		{"CriOS", "Chrome"}, {"FxiOS", "Firefox"},
		{"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
		{"Go-http-client", "Go"}, {"python", "Python"}}
	systems = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Macintosh", "Mac"}, {"Linux", "Linux"}}
)

// AgentNames returns the browser and the system named in a User-Agent; empty if unknown.
func AgentNames(agent string) (browser, system string) {
	named := func(list [][2]string) string {
		for _, one := range list {
			if strings.Contains(agent, one[0]) {
				return one[1]
			}
		}
		return ""
	}
	return named(browsers), named(systems)
}

// AgentWords returns the browser and the system named in a User-Agent, as one text.
func AgentWords(agent string) string {
	browser, system := AgentNames(agent)
	return strings.Trim(browser+", "+system, ", ")
}
