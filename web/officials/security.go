package officials

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/hosting"
	"meldhall/tournament/security"
	"meldhall/web/frame"
	"meldhall/web/shell"
)

// securityShown is how many entries a page of the security log holds.
const securityShown = 100

// securityPage is the log of who came in, who was kept out, and who changed what others may do.
func (p *Pages) securityPage(c *gin.Context) error {
	kind := security.Kind(c.Query("kind"))
	before, err := frame.Optional(c.Query, "before")
	if err != nil {
		return err
	}
	list, more, err := security.Entries(c.Request.Context(), p.Store, p.Staff(c), kind, before, securityShown)
	if err != nil {
		return err
	}
	if kind != "" && !slices.Contains(security.Kinds, kind) {
		return shell.NotFound(c)
	}
	view := templates.SecurityView{Kind: string(kind), Older: more, Page: p.NewPage(c, templates.T(p.Language(c), "security.title"), nil)}
	for _, k := range security.Kinds {
		view.Kinds = append(view.Kinds, string(k))
	}
	hosts, err := hosting.ByNumber(c.Request.Context(), p.Store)
	if err != nil {
		return err
	}
	for _, e := range list {
		view.Entries = append(view.Entries, templates.SecurityEntry{ID: e.ID, At: e.At, Last: e.Last, Times: e.Times, Kind: string(e.Kind), Name: e.Name,
			Address: e.Address, What: securityWords(p.Language(c), e.What), About: securityAbout(e, hosts)})
	}
	return p.Show(c, http.StatusOK, templates.SecurityPage(view))
}

// securityAbout is whom an entry is about. Of an organization its number is kept, so that no name stays when it goes.
func securityAbout(e security.Entry, hosts map[int64]hosting.Organization) string {
	if number, err := strconv.ParseInt(e.About, 10, 64); err == nil && strings.HasPrefix(e.What, "organization.") && hosts[number].Name != "" {
		return hosts[number].Name
	}
	return e.About
}

// securityWords say what an entry is about: a way in or an action; an address of the program stays as it is.
func securityWords(ctx context.Context, what string) string {
	for _, family := range []string{"security.what.", "log.action."} {
		if templates.HasText(family + what) {
			return templates.T(ctx, family+what)
		}
	}
	return what
}
