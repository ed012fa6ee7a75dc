package accounts

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/tournament/organization"
	"meldhall/tournament/security"
	"meldhall/web/page"
	"meldhall/web/request"
)

// securityShown is the number of entries on a page of the security log.
const securityShown = 100

// securityPage shows the log of sign-ins, rejected access and changes of rights.
func (p *Pages) securityPage(c *gin.Context) error {
	kind := security.Kind(c.Query("kind"))
	before, err := page.Optional(c.Query, "before")
	if err != nil {
		return err
	}
	list, more, err := security.Entries(c.Request.Context(), p.View.Store, p.Page.Request.Staff(c), kind, before,
		securityShown)
	if err != nil {
		return err
	}
	if kind != "" && !slices.Contains(security.Kinds, kind) {
		return request.NotFound(c)
	}
	view := accounts.SecurityView{Kind: string(kind), Older: more,
		Page: p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "security.title"), nil)}
	for _, k := range security.Kinds {
		view.Kinds = append(view.Kinds, string(k))
	}
	hosts, err := organization.ByNumber(c.Request.Context(), p.View.Store)
	if err != nil {
		return err
	}
	for _, e := range list {
		view.Entries = append(view.Entries, accounts.SecurityEntry{ID: e.ID, At: e.At, Last: e.Last, Times: e.Times,
			Kind: string(e.Kind), Name: e.Name,
			Address: e.Address, What: securityWords(p.Page.Request.Language(c), e.What),
			About: securityAbout(e, hosts)})
	}
	return p.Page.Show(c, http.StatusOK, accounts.SecurityPage(view))
}

// securityAbout returns whom an entry is about. Organizations are stored by number, so that no name remains after their
// deletion.
func securityAbout(e security.Entry, hosts map[int64]organization.Organization) string {
	if number, err := strconv.ParseInt(e.About, 10, 64); err == nil && strings.HasPrefix(e.What, "organization.") &&
		hosts[number].Name != "" {
		return hosts[number].Name
	}
	return e.About
}

// securityWords translates what an entry is about: a way of signing in or an action. A path of the program is returned
// unchanged.
func securityWords(ctx context.Context, what string) string {
	for _, family := range []string{"security.what.", "log.action."} {
		if locale.HasText(family + what) {
			return locale.T(ctx, family+what)
		}
	}
	return what
}
