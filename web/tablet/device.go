package tablet

import (
	"cmp"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/regulations"
	"meldhall/templates/tablet"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// tabHeader is the request header with the ID of the browser tab that sends a tablet's request.
const tabHeader = "X-Tab"

// buildMost is how many characters of a device's reported build are stored.
const buildMost = 80

// DeviceReport is what a tablet reports every few seconds. Tab is the ID of the browser tab, Here whether its page
// believes it is playing the seat, and Charge the battery in percent if the browser reveals it.
type DeviceReport struct {
	Tab      string `json:"tab"`
	Here     bool   `json:"here"`
	Gone     bool   `json:"gone"` // the page is closing; other fields are ignored
	Charge   *int   `json:"charge"`
	Charging bool   `json:"charging"`
	Delay    *int   `json:"delay"` // ms that the previous report took
	Build    string `json:"build"` // the address of the page's assets
}

// devicePost records a tablet's report. Its response confirms to the tablet that the server is reachable.
func (s *Pages) devicePost(c *gin.Context) error {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	var r DeviceReport
	if err := request.ReadJSON(c, &r); err != nil {
		return err
	}
	if r.Gone {
		s.View.Presence.Leave(me, r.Tab)
		c.Status(http.StatusNoContent)
		return nil
	}
	charge := -1
	if r.Charge != nil {
		charge = min(max(*r.Charge, 0), 100)
	}
	delay := -1
	if r.Delay != nil {
		delay = min(max(*r.Delay, 0), 60_000)
	}
	s.View.Presence.Reported(me, live.DeviceReport{Agent: cmp.Or(c.Request.UserAgent(), "?"),
		Build: r.Build[:min(len(r.Build), buildMost)], Delay: delay, Charge: charge, Charging: r.Charging})
	if r.Tab != "" && r.Here {
		s.View.Presence.Claim(me, r.Tab)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// held rejects requests from a browser tab while another tab plays the seat. Requests without tabHeader are let
// through.
func (s *Pages) held(c *gin.Context) {
	tab := c.GetHeader(tabHeader)
	who := request.CallersIn(c)
	if tab != "" && who.Player != nil && !s.View.Presence.Claim(*who.Player, tab) {
		s.Page.Request.Fail(c, refuse.Conflict("err_elsewhere"))
		c.Abort()
		return
	}
	c.Next()
}

// checkPing is how often the check's stream sends a sign of life.
const checkPing = time.Second

// checkPage lets anyone check whether a device is suitable for play before it is put on a table.
func (s *Pages) checkPage(c *gin.Context) error {
	page := s.Page.NewPage(c, locale.T(s.Page.Request.Language(c), "check.title"), nil)
	view := tablet.CheckView{Page: page, Stream: string(templates.CheckPath) + "/live"}
	if who := request.CallersIn(c); who.Player != nil && who.Player.Role == rights.RolePlayer {
		var err error
		if view.Hand, err = tournament.HandOf(c.Request.Context(), s.View.Store, *who.Player); err != nil {
			return err
		}
		view.HandAt = handPath
	}
	return s.Page.Show(c, http.StatusOK, tablet.CheckPage(view))
}

// handPath is where a device of a seat stores how tablets read the player's hand.
const handPath = templates.PlayPath + "/hand"

// handPost stores how the devices of the requesting player's seat read the player's hand.
func (s *Pages) handPost(c *gin.Context) error {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	var hand tournament.Hand
	if err := request.ReadJSON(c, &hand); err != nil {
		return err
	}
	if err := tournament.SetHand(c.Request.Context(), s.View.Store, me, hand); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// keyPost stores the key with which the requesting player's device signs its commands.
func (s *Pages) keyPost(c *gin.Context) error {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	if _, err := action.Do(c.Request.Context(), s.Page.Request.Desk, me,
		people.BindKey{Key: c.PostForm("key")}); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// checkLive sends the server's time once a second, like the streams of a game.
func (s *Pages) checkLive(c *gin.Context) error {
	return s.Page.StreamPage(c, live.Feed{Watcher: s.Page.Request.Hub.Watch(), Ping: checkPing,
		Next: func() (live.Message, error) {
			return s.Page.Request.Streams.Live.Clock(), nil
		}})
}

// guidePage renders the public first-time guide.
func (s *Pages) guidePage(c *gin.Context) error {
	ctx := s.Page.Request.Language(c)
	page := s.Page.Awaiting(c, s.Page.NewPage(c, locale.T(ctx, "guide.title"), nil))
	page.Seeks = true
	return s.Page.Show(c, http.StatusOK, tablet.GuidePage(tablet.GuideView{Page: page,
		Search: view.SearchOf(templates.GuidePath, view.Question(c.Query("q")), regulations.GuideChapters(ctx)),
		Seated: page.Role == part.RolePlayer, Authority: s.Page.Authority}))
}
