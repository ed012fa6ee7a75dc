package web

import (
	"cmp"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/refuse"
	"meldhall/web/live"
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
	Charge   *int   `json:"charge"`
	Charging bool   `json:"charging"`
	Delay    *int   `json:"delay"` // ms that the last report took to be answered
	Build    string `json:"build"` // the address of the page's assets
}

// devicePost hears that a tablet is there. That it is answered tells the tablet that the server is.
func (s *tabletPages) devicePost(c *gin.Context) error {
	me, err := s.seatHolder(c)
	if err != nil {
		return err
	}
	var r DeviceReport
	if err := readJSON(c, &r); err != nil {
		return err
	}
	charge := -1
	if r.Charge != nil {
		charge = min(max(*r.Charge, 0), 100)
	}
	delay := -1
	if r.Delay != nil {
		delay = min(max(*r.Delay, 0), 60_000)
	}
	s.presence.Reported(me, live.DeviceReport{Agent: cmp.Or(c.Request.UserAgent(), "?"), Build: r.Build[:min(len(r.Build), buildMost)], Delay: delay, Charge: charge, Charging: r.Charging})
	if r.Tab != "" && r.Here {
		s.presence.Claim(me, r.Tab)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// held refuses what comes from a page while another one plays the seat. A page without a name is let through.
func (s *tabletPages) held(c *gin.Context) {
	tab := c.GetHeader(tabHeader)
	who := callersIn(c)
	if tab != "" && who.player != nil && !s.presence.Claim(*who.player, tab) {
		s.fail(c, refuse.Conflict("err_elsewhere"))
		c.Abort()
		return
	}
	c.Next()
}
