package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

func (s *accountPages) accountsPage(c *gin.Context) error {
	return s.showAccounts(c, http.StatusOK, templates.AccountsView{})
}

func (s *accountPages) showAccounts(c *gin.Context, status int, view templates.AccountsView) error {
	actor := s.staff(c)
	accounts, err := tournament.Accounts(c.Request.Context(), s.store, actor)
	if err != nil {
		return err
	}
	devices, err := tournament.Devices(c.Request.Context(), s.store, actor, 0)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		row := templates.Account{ID: a.ID, Name: a.Name, Role: templates.Role(a.Role), Self: a.ID == actor.Account}
		for _, d := range devices {
			if d.AccountID == a.ID {
				row.Devices++
				row.Seen = max(row.Seen, d.SeenAt)
			}
		}
		view.Accounts = append(view.Accounts, row)
	}
	view.Page = s.newPage(c, templates.T(s.language(c), "accounts.title"), nil)
	return s.show(c, status, templates.AccountsPage(view))
}

func (s *accountPages) accountsPost(c *gin.Context) error {
	name, role := c.PostForm("name"), c.PostForm("role")
	again := func(c *gin.Context, status int, text string) error {
		return s.showAccounts(c, status, templates.AccountsView{Name: name, Role: templates.Role(role), Problem: text})
	}
	return s.post(c, tournament.CreateAccount{Name: name, Password: c.PostForm("password"), Role: rights.Role(role)}, again, templates.AccountsPath, "accounts.added")
}
