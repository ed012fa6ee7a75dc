package tournament

import (
	"reflect"
	"testing"
)

// Standings read players with all that gorm reads, but for their e-mail addresses.
func TestPlayersOfBoard(t *testing.T) {
	s := newStore(t)
	tour := newTournament(t, s, "open", 7)
	enterPlayers(t, s, tour, 3)
	if _, err := s.WriteSQL.ExecContext(t.Context(), `UPDATE players SET country = 'IT', apart = 'a', club = 'Genova', mark = 'm', told = 'x', rating = 1500, email = 'a@example.org',
		state = 'withdrawn', gone = 1, fixed_table = 4, ticket = 'T', extra_seconds = 5, drawn = 6, division = 'junior', family = 'R', public = 'short',
		device_hash = 'h', device_at = 7 WHERE number = 2`); err != nil {
		t.Fatal(err)
	}
	var want []Player
	db := s.Read.WithContext(t.Context())
	if err := db.Omit("email").Where("tournament_id = ? AND "+countedPlayers, tour.ID).Order("number").Find(&want).Error; err != nil {
		t.Fatal(err)
	}
	got, err := playersOfBoard(db, tour.ID)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	filled := reflect.ValueOf(want[1])
	for i := range filled.NumField() {
		if name := filled.Type().Field(i).Name; filled.Field(i).IsZero() && name != "Email" && name != "For" {
			t.Errorf("%s is filled in no player of this test", name)
		}
	}
}
