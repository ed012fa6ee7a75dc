package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/web/request"
)

// helpTold lists the words in responses that reveal what fits.
var helpTold = []string{`"fits"`, `"holds"`, "data-assist"}

// TestAssistIsTold checks that only the player whose turn it is learns what fits, and only if the rules allow help.
func TestAssistIsTold(t *testing.T) {
	t.Parallel()
	for assist, want := range map[string][]string{ruleset.None: nil, ruleset.On: {"data-assist", `"fits"`, `"holds"`}} {
		t.Run(assist, func(t *testing.T) {
			t.Parallel()
			k := newTabletGame(t, map[string]any{"assist": assist})
			draft := request.DraftRequest{Turn: k.turn, Table: k.opening}
			own := answers(t, k.seats[0], k.game, draft)
			got := slices.DeleteFunc(slices.Clone(helpTold),
				func(word string) bool { return !strings.Contains(own, word) })
			slices.Sort(got)
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("the player to move is told %q, want %q", got, want)
			}
			if assist == ruleset.On && !strings.Contains(own, `{"face":"O13","set":0,"at":3}`) {
				t.Errorf("where O13 goes is not told: %s", own)
			}
			for _, seat := range []int{1, 2} {
				_, v := k.post(t, seat, "draft", draft)
				if _, told := v["fits"]; told {
					t.Errorf("seat %d, not to move, is told %v", seat, v["fits"])
				}
			}
			var api map[string]any
			k.e.at(0, 0).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", k.game), draft, &api)
			if _, told := api["fits"]; told {
				t.Errorf("a program is told %v", api)
			}
		})
	}
}

// answers returns all that a tablet receives when it lays a draft and plans its whole rack.
func answers(t *testing.T, p *tablet, game int64, draft request.DraftRequest) string {
	t.Helper()
	page := p.expect("/play/game", nil, 200, "")
	rack := tile.FaceList(faces(t, attribute(t, page, "data-rack")))
	all := page
	for action, body := range map[string]any{"draft": draft, "plan": map[string][]tile.FaceList{"sets": {rack}}} {
		asked, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		status, _, text := p.send(http.MethodPost, fmt.Sprintf("/play/game/%d/%s", game, action), string(asked),
			"Content-Type", request.JSONKind, "Accept", request.JSONKind)
		if status != http.StatusOK {
			t.Fatalf("%s: %d %s", action, status, text)
		}
		all += text
	}
	return all
}
