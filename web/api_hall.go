package web

import (
	"context"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// AnnouncementBody says something to a whole event.
type AnnouncementBody struct {
	Level   string            `json:"level" enum:"note,urgent"`
	Texts   map[string]string `json:"texts" doc:"by language, such as en; a reader of another language gets the English one, or the first"`
	Minutes int               `json:"minutes" doc:"how long it stands"`
}

// AnnouncementView is an announcement to a whole event. Text is in the language of Accept-Language, as far as there is one.
type AnnouncementView struct {
	ID       int64             `json:"id"`
	Level    string            `json:"level" enum:"note,urgent"`
	Text     string            `json:"text"`
	Language string            `json:"language"`
	Texts    map[string]string `json:"texts"`
	At       engine.Millis     `json:"at"`
	Until    engine.Millis     `json:"until"`
}

func (a *api) hallOperations() {
	operation(a, forAll, "GET /tournaments/{id}/announcements", "What is said to the whole event now, the newest first", a.apiAnnounced)
	operation(a, forReferee, "POST /tournaments/{id}/announcements", "Say something on all tablets, screens and pages of an event; for organizers and head referees", a.apiAnnounce)
	operation(a, forAll, "GET /tournaments/{id}/schedule", "The plan of an event's day, and what has become of it", a.apiSchedule)
	operation(a, forOrganizer, "POST /tournaments/{id}/schedule", "Make another plan of an event's day", a.apiScheduleSet)
	operation(a, forReferee, "GET /rounds/{id}/pace", "How the tables of a round get on, the slowest first", a.apiPace)
	operation(a, forReferee, "GET /tournaments/{id}/devices", "The tablets at the seats, and the screens", a.apiHallDevices)
	operation(a, forReferee, "GET /tournaments/{id}/readiness", "Whether all is there for the next round", a.apiReadiness)
	operation(a, forOrganizer, "POST /tournaments/{id}/rehearsal", "Let bots play a copy of an event at ten times the speed; it is in no list and ends by itself", a.apiRehearse)
	operation(a, forOrganizer, "POST /rehearsals/{id}/remove", "End a rehearsal and remove it", a.apiRehearsalRemove)
	gives(a, forOrganizer, "POST /backups", "Copy the database into the folder backups beside it, and check the copy", func(*nothing) tournament.ActionOf[tournament.BackupCopy] {
		return tournament.BackUpNow{}
	}, func(made tournament.BackupCopy) BackupView { return BackupView{made.At, made.File, made.Bytes} })
	operation(a, forReferee, "POST /announcements/{id}/end", "Take an announcement back; for organizers and head referees", a.apiAnnouncementEnd)
}

func announcementView(ctx context.Context, a tournament.Announcement) AnnouncementView {
	text, tag := a.TextFor(templates.LanguageOf(ctx).Tag)
	return AnnouncementView{a.ID, a.Level, text, tag, a.Texts, a.At, a.Until}
}

func (a *api) apiAnnounced(ctx context.Context, in *IDPath) (*listOf[AnnouncementView], error) {
	if _, err := tournament.TournamentByID(ctx, a.store, in.ID); err != nil {
		return nil, err
	}
	said, _, err := a.announced(ctx, in.ID)
	return listed(func(one tournament.Announcement) AnnouncementView { return announcementView(ctx, one) })(said, err)
}

func (a *api) apiAnnounce(ctx context.Context, in *idWith[AnnouncementBody]) (*with[AnnouncementView], error) {
	said, err := tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.Announce{Tournament: in.ID, Level: in.Body.Level, Texts: in.Body.Texts, Minutes: in.Body.Minutes})
	return answer(announcementView(ctx, said), err)
}

func (a *api) apiAnnouncementEnd(ctx context.Context, in *IDPath) (*with[AnnouncementView], error) {
	said, err := tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.EndAnnouncement{ID: in.ID})
	return answer(announcementView(ctx, said), err)
}
