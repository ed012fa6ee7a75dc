package page

import (
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"
)

// QueryID parses a database ID in the query.
func QueryID(c *gin.Context, name string) int64 { return ParseID(c.Query(name)) }

// FormID parses a database ID in the form.
func FormID(c *gin.Context, name string) int64 { return ParseID(c.PostForm(name)) }

// ParseID parses a database ID. If text is not a number, it returns 0, which is the ID of no row.
func ParseID(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// RoundPlace is the tournament and the round in an address.
type RoundPlace struct{ TournamentID, Round int64 }

// RoundOf returns the tournament and the round in the address.
func RoundOf(c *gin.Context) RoundPlace {
	return RoundPlace{ID(c, "event"), ID(c, "round")}
}

// OfEvent returns a function that returns, for a request, the address of a page of the tournament in the request's
// address.
func OfEvent(path func(tournamentID int64) templ.SafeURL) func(*gin.Context) templ.SafeURL {
	return func(c *gin.Context) templ.SafeURL { return path(ID(c, "event")) }
}

// PartHeader is the header that marks a request of the site's own script for a part of a page.
const PartHeader = "X-Part"
