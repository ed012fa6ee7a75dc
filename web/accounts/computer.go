package accounts

import (
	"crypto/subtle"
	"net"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/tournament/account"
	"meldhall/web/request"
)

// Computer is what a server that a person started on their own computer, without a terminal, offers to that person.
type Computer struct {
	// Key is a secret of this start. Only a request from the computer itself that has it sees the pages.
	Key string
	// Folder has the database and its copies.
	Folder string
	// Addresses returns the addresses at which other devices reach the server at present.
	Addresses func() []string
	// Quit stops the server after the request that calls it.
	Quit func()
}

// computerCookie holds the key until the browser is closed.
const computerCookie = "computer"

// addComputer adds the routes of the pages about the computer.
func (p *Pages) addComputer(pages *gin.RouterGroup) {
	pages.GET("/computer", p.Page.Request.Handle(p.computerPage))
	pages.GET("/computer/running", p.Page.Request.Handle(p.computerRunning))
	pages.GET("/computer/quit", p.Page.Request.Handle(p.quitPage))
	pages.POST("/computer/quit", p.Page.Request.Handle(p.quitPost))
}

// atComputer reports whether the request comes from the person who started the server: from this computer itself, with
// the key.
func (p *Pages) atComputer(c *gin.Context) bool {
	if p.Computer == nil {
		return false
	}
	cookie, _ := c.Cookie(p.Page.Request.Cookies.Name(computerCookie))
	return p.hasKey(c, cookie)
}

func (p *Pages) hasKey(c *gin.Context, key string) bool {
	host, _, err := net.SplitHostPort(c.Request.RemoteAddr)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback() &&
		subtle.ConstantTimeCompare([]byte(key), []byte(p.Computer.Key)) == 1
}

// computerPage shows the addresses for tablets. The program opens it in the browser with the key, and at first with the
// token for the first organizer, whose form is then the page to begin with.
func (p *Pages) computerPage(c *gin.Context) error {
	key, sent := c.GetQuery("key")
	switch {
	case !sent && p.atComputer(c):
	case sent && p.hasKey(c, key):
		p.Page.Request.Cookies.Set(c, p.Page.Request.Cookies.Name(computerCookie), key, 0)
		to := string(templates.ComputerPath)
		if token := c.Query("token"); token != "" {
			open, err := account.SetupOpen(c.Request.Context(), p.View.Store)
			if err != nil {
				return err
			}
			if open {
				to = string(templates.SetupPath) + "?token=" + token
			}
		}
		c.Redirect(http.StatusSeeOther, to)
		return nil
	default:
		return request.NotFound(c)
	}
	page := p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "computer.title"), nil)
	return p.Page.Show(c, http.StatusOK, accounts.ComputerPage(page, *p.computer()))
}

// computerRunning lets another start of the program find out that the server at this address is the one of its data.
func (p *Pages) computerRunning(c *gin.Context) error {
	if !p.atComputer(c) {
		return request.NotFound(c)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// computer returns the view of the computer.
func (p *Pages) computer() *accounts.ComputerView {
	return &accounts.ComputerView{Addresses: p.Computer.Addresses(), Folder: p.Computer.Folder}
}

func (p *Pages) quitPage(c *gin.Context) error {
	if !p.atComputer(c) {
		return request.NotFound(c)
	}
	page := p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "computer.quit"), nil)
	return p.Page.Show(c, http.StatusOK, accounts.QuitPage(page))
}

func (p *Pages) quitPost(c *gin.Context) error {
	if !p.atComputer(c) {
		return request.NotFound(c)
	}
	p.Computer.Quit()
	page := p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "computer.stopped"), nil)
	return p.Page.Show(c, http.StatusOK, accounts.StoppedPage(page))
}
