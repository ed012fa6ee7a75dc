package web

import (
	"embed"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/web/request"
)

// flagFiles holds the flags of countries.
//
//go:embed assets/flags
var flagFiles embed.FS

// flag serves the flag of a country. Its address has no hash, because regions that are drawn once for all readers do
// not know the release, so browsers keep it for a month only.
func flag(c *gin.Context) error {
	svg, err := flagFiles.ReadFile("assets/flags/" + c.Param("name"))
	if err != nil {
		return request.NotFound(c)
	}
	c.Header("Cache-Control", "public, max-age=2592000")
	c.Data(http.StatusOK, assetKind(".svg"), svg)
	return nil
}
