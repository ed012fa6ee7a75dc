package request

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web/guard"
)

// noteFailure logs refusals that concern security.
func (s *Base) noteFailure(c *gin.Context, err error) {
	switch {
	case errors.As(err, new(*guard.TooMany)), errors.Is(err, &refuse.Error{Kind: refuse.KindBusy}):
		s.Notes.Common(c, security.Throttled)
	case errors.Is(err, &refuse.Error{Kind: refuse.KindUnauthenticated, Key: "err_token_unknown"}):
		s.Notes.Common(c, security.Forged)
	case rights.Denied(err):
		if me := CallersIn(c).staff(); me.Role != rights.RolePublic {
			s.Notes.Add(c, security.Denied, me.Name, c.FullPath())
		}
	case TooDeep(err), errors.As(err, new(*http.MaxBytesError)), isUnreadable(err), isImpossible(err):
		s.NoteInput(c)
	}
}

func isUnreadable(err error) bool {
	own := new(requestError)
	return errors.As(err, &own) && own.status == http.StatusBadRequest
}

// isImpossible reports whether a play used tiles that are not there, which no tablet sends.
func isImpossible(err error) bool {
	play := new(engine.Refusal)
	return errors.As(err, &play) && (play.Code == judge.CodeTileLost || play.Code == judge.CodeNotOnRack)
}

// NoteInput logs a request that none of our pages would send, by the caller's name if identified, otherwise by address.
func (s *Base) NoteInput(c *gin.Context) {
	if me := CallersIn(c).staff(); me.Role != rights.RolePublic {
		s.Notes.Add(c, security.Input, me.Name, c.FullPath())
		return
	}
	s.Notes.Common(c, security.Input)
}
