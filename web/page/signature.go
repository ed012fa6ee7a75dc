package page

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
)

// signatureField is the form field with the signature of the official's device.
const signatureField = "signature"

// readSignature keeps a form's signature for the record of its action. A signature that does not fit is ignored, and
// the action counts as unsigned: no official must be locked out by a lost key.
func readSignature(c *gin.Context) {
	text := c.Request.PostForm.Get(signatureField)
	if text == "" {
		return
	}
	c.Request.PostForm.Del(signatureField)
	event, by, err := signing.ParseRuled(text)
	if err == nil && by.Fits(c.Request.URL.Path, c.Request.PostForm) && by.Holds(event) {
		c.Request = c.Request.WithContext(action.WithSignature(c.Request.Context(), event, by))
	}
}

// Signed records the signature of a ruling that a game has taken.
func (s *Base) Signed(ctx context.Context, actor rights.Actor, event, id int64, answer game.Answer) error {
	if answer.Again {
		return nil // recorded before
	}
	return s.Request.Desk.Ruled(ctx, actor, event, id, answer.Seq)
}
