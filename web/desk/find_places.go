package desk

import (
	"github.com/a-h/templ"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// A findPlace is a page of a tournament that officials may open. Title and Also are text keys; Also names common other
// terms for the page.
type findPlace struct {
	At    func(tournamentID int64) templ.SafeURL
	Title string
	Also  string
	Right rights.Right
	When  func(tournament.Tournament, []tournament.Round) bool // nil means always
}

func always(url templ.SafeURL) func(int64) templ.SafeURL {
	return func(int64) templ.SafeURL { return url }
}

// findPlaces lists the pages that the search finds, in the order in which a tournament is run.
var findPlaces = []findPlace{
	{templates.DeskPath, "nav.desk", "finder.also.desk", rights.MaySeatRound, nil},
	{templates.HallPath, "hall.title", "finder.also.hall", rights.MaySeeDesk, nil},
	{templates.DetailsPath, "details.title", "finder.also.details", rights.MayPlanDay, nil},
	{templates.AgainPath, "again.link", "finder.also.again", rights.MayCreateTournament, nil},
	{templates.RosterPath, "roster.title", "finder.also.roster", rights.MaySeeRoster, nil},
	{templates.LatePath, "finder.late", "finder.also.late", rights.MayEditRoster,
		func(t tournament.Tournament, rounds []tournament.Round) bool { return !entriesClosed(t, rounds) }},
	{templates.CheckInPath, "check_in.title", "finder.also.check_in", rights.MayCheckIn, nil},
	{templates.PeoplePath, "people.link", "finder.also.people", rights.MayEditRoster, nil},
	{func(tournamentID int64) templ.SafeURL { return templates.PeoplePath(tournamentID) + "#close-number" },
		"people.do.close_table", "finder.also.close_table",
		rights.MayEditRoster, nil},
	{templates.PaperPath, "paper.title", "finder.also.paper", rights.MaySeeDesk, nil},
	{templates.ReadyPath, "ready.title", "finder.also.ready", rights.MaySeeDesk, nil},
	{templates.PacePath, "pace.title", "finder.also.pace", rights.MaySeeDesk, nil},
	{templates.DevicesPath, "devices.title", "finder.also.devices", rights.MaySeeDesk, nil},
	{templates.DisplaysPath, "displays.title", "finder.also.displays", rights.MaySeeDesk, nil},
	{templates.AnnouncementsPath, "announce.title", "finder.also.announce", rights.MaySeeDesk, nil},
	{templates.ZonesPath, "zones.title", "finder.also.zones", rights.MaySeeDesk, nil},
	{templates.RealHallPath, "real.hall", "finder.also.real", rights.MaySeeDesk, nil},
	{templates.PenaltiesPath, "penalties.title", "finder.also.penalties", rights.MaySeeDesk, nil},
	{templates.ProtestsPath, "protest.title", "finder.also.protests", rights.MaySeeDesk, nil},
	{templates.ResultsPath, "nav.results", "finder.also.results", rights.MaySeeDesk, nil},
	{templates.LeaderboardPath, "nav.leaderboard", "finder.also.leaderboard", rights.MaySeePublic, nil},
	{templates.WhyPath, "why.title", "finder.also.why", rights.MaySeePublic, nil},
	{templates.TablesPath, "nav.tables", "finder.also.tables", rights.MaySeePublic, nil},
	{templates.PastRoundsPath, "past.rounds", "finder.also.past_rounds", rights.MaySeePublic, nil},
	{templates.PlayersPath, "past.players", "finder.also.past_players", rights.MaySeePublic, nil},
	{templates.CrosstablePath, "past.crosstable", "finder.also.crosstable", rights.MaySeePublic, nil},
	{templates.StatisticsPath, "past.statistics", "finder.also.statistics", rights.MaySeePublic, nil},
	{templates.QualificationPath, "qualify.title", "finder.also.qualify", rights.MayQualify, nil},
	{templates.EventFormatPath, "formats.edit", "finder.also.format", rights.MayEditFormats, nil},
	{templates.RulesPath, "event_rules.title", "finder.also.rules", rights.MayEditFormats, nil},
	{templates.PlanPath, "plan.title", "finder.also.plan", rights.MayPlanDay, nil},
	{templates.SchedulePath, "schedule.title", "finder.also.plan", rights.MaySeePublic, nil},
	{templates.PrivacyPath, "privacy.title", "finder.also.privacy", rights.MayEditRoster, nil},
	{templates.PublishingPath, "publish.title", "finder.also.publishing", rights.MayPublishRound, nil},
	{templates.RehearsalPath, "rehearsal.title", "finder.also.rehearsal", rights.MayRehearse, nil},
	{templates.TrainingPath, "training.title", "finder.also.training", rights.MayTrain, nil},
	{templates.ReopenPath, "reopen.title", "finder.also.reopen", rights.MaySeatRound,
		func(t tournament.Tournament, _ []tournament.Round) bool { return t.Status == tournament.StatusFinished }},
	{templates.LogPath, "log.title", "finder.also.log", rights.MaySeeAudit, nil},
	{templates.RegulationsPath, "regulations.title", "finder.also.regulations", rights.MaySeePublic, nil},
	{always(templates.GuidePath + "#answers"), "guide.desk.answers", "finder.also.answers", rights.MaySeeDesk, nil},
	{always(templates.GuidePath + "#referee"), "guide.desk.referee", "finder.also.guide", rights.MaySeeDesk, nil},
	{always(templates.GuidePath + "#organizer"), "guide.desk.organizer", "finder.also.guide", rights.MaySeatRound, nil},
	{always(templates.DeskListPath), "events.title", "finder.also.events", rights.MaySeatRound, nil},
	{always(templates.NewEventPath), "events.new", "finder.also.events", rights.MayCreateTournament, nil},
	{always(templates.AccountsPath), "nav.accounts", "finder.also.accounts", rights.MayManageAccounts, nil},
	{always(templates.HostedPath), "hosting.title", "finder.also.hosting", rights.MayHost, nil},
	{always(templates.SecurityPath), "security.title", "finder.also.security", rights.MaySeeSecurity, nil},
	{always(templates.CopiesPath), "copies.title", "finder.also.copies", rights.MayBackUp, nil},
	{always(templates.OwnPath), "own.title", "finder.also.own", rights.MaySeeDesk, nil},
}

// findRulings lists the rulings at a running table that need no further input. All other rulings are on the table's
// sheet.
var findRulings = []struct{ Name, Query, Title string }{
	{"pause", "", "say.rule.pause"}, {"resume", "", "say.rule.resume"}, {"time", "&seconds=60", "say.rule.time"},
	{"call-time", "", "say.rule.call-time"},
}

// findAll lists the same rulings for all tables of a running round.
var findAll = []struct{ Name, Query, Title string }{
	{"pause", "", "say.all.pause"}, {"resume", "", "say.all.resume"}, {"time", "?seconds=60", "say.all.time"},
	{"call-time", "", "say.all.call-time"},
}
