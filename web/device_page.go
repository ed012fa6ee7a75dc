package web

import (
	"cmp"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/refuse"
	"meldhall/web/live"
	"meldhall/web/shell"
)

// tabHeader names the page that a tablet's request comes from.
const tabHeader = "X-Tab"

// buildMost is how much is kept of what a device says that its page was made with.
const buildMost = 80

// DeviceReport is what a tablet says of itself every few seconds. Tab is the page, Here tells whether it plays the
// seat as far as it knows, and Charge is the battery's in percent where the browser tells it.
type DeviceReport struct {
	Tab      string `json:"tab"`
	Here     bool   `json:"here"`
	Gone     bool   `json:"gone"` // the page is being closed; it says nothing else then
	Charge   *int   `json:"charge"`
	Charging bool   `json:"charging"`
	Delay    *int   `json:"delay"` // ms that the last report took to be answered
	Build    string `json:"build"` // the address of the page's assets
}

// devicePost hears that a tablet is there. That it is answered tells the tablet that the server is.
func (s *tabletPages) devicePost(c *gin.Context) error {
	me, err := s.SeatHolder(c)
	if err != nil {
		return err
	}
	var r DeviceReport
	if err := shell.ReadJSON(c, &r); err != nil {
		return err
	}
	if r.Gone {
		s.Presence.Leave(me, r.Tab)
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
	s.Presence.Reported(me, live.DeviceReport{Agent: cmp.Or(c.Request.UserAgent(), "?"), Build: r.Build[:min(len(r.Build), buildMost)], Delay: delay, Charge: charge, Charging: r.Charging})
	if r.Tab != "" && r.Here {
		s.Presence.Claim(me, r.Tab)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// held refuses what comes from a page while another one plays the seat. A page without a name is let through.
func (s *tabletPages) held(c *gin.Context) {
	tab := c.GetHeader(tabHeader)
	who := shell.CallersIn(c)
	if tab != "" && who.Player != nil && !s.Presence.Claim(*who.Player, tab) {
		s.Fail(c, refuse.Conflict("err_elsewhere"))
		c.Abort()
		return
	}
	c.Next()
}

// checkPing is how often the check's stream says that it lives.
const checkPing = time.Second

// checkPage lets anybody see whether a device is fit to play on, before it lies on a table.
func (s *tabletPages) checkPage(c *gin.Context) error {
	page := s.NewPage(c, templates.T(s.Language(c), "check.title"), nil)
	return s.Show(c, http.StatusOK, templates.CheckPage(templates.CheckView{Page: page, Stream: string(templates.CheckPath) + "/live"}))
}

// checkLive sends the server's time once a second, as the streams of a game do.
func (s *tabletPages) checkLive(c *gin.Context) error {
	return s.StreamPage(c, live.Feed{Watcher: s.Hub.Watch(), Ping: checkPing, Next: func() (live.Message, error) {
		return s.Streams.Clock(), nil
	}})
}

// guidePage is the first-time guide, for everybody.
func (s *tabletPages) guidePage(c *gin.Context) error {
	page := s.awaiting(c, s.NewPage(c, templates.T(s.Language(c), "guide.title"), nil))
	return s.Show(c, http.StatusOK, templates.GuidePage(templates.GuideView{Page: page, Seated: page.Role == templates.RolePlayer}))
}
