package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament/format"
)

// TestAFinalThatStartsFromZeroSaysSo: once it is published, desk, public and players read that nothing is carried over; of a draft and of a
// final with the points of before, nobody does.
func TestAFinalThatStartsFromZeroSaysSo(t *testing.T) {
	t.Parallel()
	const said = "Everybody starts from zero points"
	for _, carry := range []string{format.CarryNone, format.CarryAll} {
		t.Run(carry, func(t *testing.T) {
			e, _ := playedOut(t, func(f *format.Format) {
				f.Stages = append(f.Stages, format.Stage{Name: "final", Kind: format.Final, Rounds: 2, GamesPerRound: 1, Cut: 4, Seating: format.ByStandings,
					SeatChange: format.EveryRound, CarryOver: carry})
			})
			e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
			o, public := e.signedIn("organizer"), e.reader()
			for _, page := range []*leaf{o.get(t, string(templates.RoundPath(e.id, e.round.ID))), o.get(t, string(templates.LeaderboardPath(e.id)))} {
				if text := page.is(http.StatusOK).text("main"); strings.Contains(text, said) {
					t.Errorf("of a draft: %s", text)
				}
			}
			e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
			e.joinAll()
			for who, page := range map[string]*leaf{"desk": o.get(t, string(templates.RoundPath(e.id, e.round.ID))), "tables": public.get(t, string(templates.TablesPath(e.id))),
				"standings": public.get(t, string(templates.LeaderboardPath(e.id))), "player": e.readerAt(0, 0).get(t, string(templates.PlayPath))} {
				if text := page.is(http.StatusOK).text("main"); strings.Contains(text, "Final: nothing is carried over. "+said) != (carry == format.CarryNone) {
					t.Errorf("%s: %s", who, text)
				}
			}
		})
	}
}
