package feeds

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/housekeeping"
	"meldhall/web/page"
	"meldhall/web/request"
)

// coloursMost limits the colours of one style sheet.
const coloursMost = 500

// colours serves the style sheet that defines tournaments' colours and the ink on each of them. It depends on its
// address only, so that browsers may keep it. The strict security policy allows no styles within a page.
func (p *Pages) colours(c *gin.Context) error {
	of := strings.Split(c.Query("of"), "-")
	if len(of) > coloursMost {
		return request.NotFound(c)
	}
	var css strings.Builder
	for _, hex := range of {
		colour := "#" + strings.ToLower(hex)
		if !tournament.IsColour(colour) {
			return request.NotFound(c)
		}
		class, shade := part.ColourClass(colour), tournament.Dimmed(colour)
		light := fmt.Sprintf("{--event:%s;--on-event:%s}\n", colour, tournament.InkOn(colour))
		dark := fmt.Sprintf("{--event:%s;--on-event:%s}", shade, tournament.InkOn(shade))
		fmt.Fprintf(&css, ".%s%s", class, light)
		fmt.Fprintf(&css, ":root[data-theme=dark] .%s%s\n", class, dark)
		fmt.Fprintf(&css, "@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .%s%s}\n", class, dark)
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Data(http.StatusOK, "text/css; charset=utf-8", []byte(css.String()))
	return nil
}

// photo serves a photo of a tournament, whose address changes with the picture.
func (p *Pages) photo(c *gin.Context) error {
	picture, found, err := housekeeping.PhotoJPEG(c.Request.Context(), p.View.Store, page.ID(c, "event"),
		page.ParseID(c.Param("photo")))
	if err != nil {
		return err
	}
	if !found {
		return request.NotFound(c)
	}
	c.Header("Cache-Control", "private, max-age=86400")
	send(c, "image/jpeg", picture)
	return nil
}
