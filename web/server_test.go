package web

import (
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
	"meldhall/web/live"
	"meldhall/web/page"
)

// A change wakes only watchers of its topics in its tournament.
func TestWatchersWakeByTopic(t *testing.T) {
	db, err := store.OpenAlone(storetest.At(t))
	if err != nil {
		t.Fatal(err)
	}
	log := game.OpenLog(db)
	games := result.NewGames(db, log)
	s, err := New(action.NewDesk(db, games), Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		games.Close()
		log.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	watchers := map[string]*live.Watcher{
		"a table's page":   s.Request.Hub.Watch(append(page.TableTopics(1), live.TableTopic(7))...),
		"the penalties":    s.Request.Hub.Watch(live.Topics(1, action.TopicStandings, action.TopicPeople)...),
		"the announcement": s.Request.Hub.Watch(live.NewsTopic(1)),
		"the desk":         s.Request.Hub.Watch(live.TournamentTopic(1)),
		"the standings":    s.Request.Hub.Watch(append(live.Topics(1, action.TopicStandings), live.DeskTopic(1))...),
		"another event": s.Request.Hub.Watch(append(page.TableTopics(2), live.TournamentTopic(2),
			live.NewsTopic(2))...),
	}
	for _, w := range watchers {
		defer w.Stop()
	}
	told := func(what any, want string) {
		t.Helper()
		var woken []string
		for name, w := range watchers {
			select {
			case <-w.Woken():
				woken = append(woken, name)
			default:
			}
		}
		slices.Sort(woken)
		if got := strings.Join(woken, ", "); got != want {
			t.Errorf("%v: woken are %s, want %s", what, got, want)
		}
	}
	at := game.Ref{ID: 3, TournamentID: 1, TableID: 7}
	s.moved(at, game.StepEvent)
	told("a move", "a table's page, the desk")
	s.moved(at, game.StepBegin)
	told("the beginning of a game", "a table's page, the desk")
	s.moved(at, game.StepPhase)
	told("the end of a game", "a table's page, the desk, the penalties, the standings")
	for what, want := range map[action.Topic]string{
		{What: action.TopicSeats}:        "a table's page, the desk, the standings",
		{What: action.TopicPeople}:       "a table's page, the desk, the penalties, the standings",
		{What: action.TopicStandings}:    "the desk, the penalties, the standings",
		{What: action.TopicSettings}:     "the desk, the standings",
		{What: action.TopicHall}:         "the desk, the standings",
		{What: action.TopicNews}:         "the announcement, the desk, the standings",
		{What: action.TopicTable, ID: 7}: "a table's page, the desk, the standings",
		{What: action.TopicTable, ID: 8}: "the desk, the standings",
	} {
		s.changed(action.Changed{Tournament: 1, Topics: []action.Topic{what}})
		told(what, want)
	}
}
