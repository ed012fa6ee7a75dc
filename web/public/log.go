package public

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/tournament/archive"
	"meldhall/tournament/refuse"
	"meldhall/tournament/transparency"
	"meldhall/web/guard"
	"meldhall/web/page"
	"meldhall/web/request"
)

const (
	plain        = "text/plain; charset=utf-8"
	bytesOnly    = "application/octet-stream"
	cosignedMost = 30 // a minute from one address, which may be that of a hall
)

// addLog registers the transparency log of a tournament. data/record/log.md specifies these addresses.
func (s *Pages) addLog(log *gin.RouterGroup) {
	log.GET("/checkpoint", s.Page.Request.Handle(s.checkpoint))
	log.GET("/key", s.Page.Request.Handle(s.logKey))
	log.GET("/policy", s.Page.Request.Handle(s.policy))
	log.GET("/tile/*tile", s.Page.Request.Handle(s.tile))
	log.GET("/consistency", s.Page.Request.Handle(s.consistency))
	log.GET("/inclusion", s.Page.Request.Handle(s.inclusion))
	log.POST("/cosignature", s.Page.Request.Handle(s.cosign))
}

func sendText(c *gin.Context, text string) error {
	if !request.HasAlready(c, []byte(text)) {
		c.Data(http.StatusOK, plain, []byte(text))
	}
	return nil
}

// checkpoint serves the newest checkpoint with its cosignatures. An event without one is no error: every public page
// asks for it.
func (s *Pages) checkpoint(c *gin.Context) error {
	signed, err := s.View.Logs.Checkpoint(c.Request.Context(), page.ID(c, "event"))
	if errors.Is(err, refuse.ErrNotFound) {
		if _, err = tournament.TournamentByID(c.Request.Context(), s.View.Store, page.ID(c, "event")); err == nil {
			c.Status(http.StatusNoContent)
		}
		return err
	}
	if err != nil {
		return err
	}
	return sendText(c, signed.Note)
}

// logKey serves the server's key, and the keys of the witnesses of the newest checkpoint.
func (s *Pages) logKey(c *gin.Context) error {
	signed, err := s.View.Logs.Checkpoint(c.Request.Context(), page.ID(c, "event"))
	if err != nil {
		return err
	}
	key, err := s.View.Logs.Key(c.Request.Context())
	if err != nil {
		return err
	}
	return sendText(c, strings.Join(append([]string{key}, signed.Witnesses...), "\n")+"\n")
}

// policy serves a policy that names the server and all witnesses of the log. One witness is enough for it; readers may
// raise the number and remove witnesses that they do not trust.
func (s *Pages) policy(c *gin.Context) error {
	ctx, event := c.Request.Context(), page.ID(c, "event")
	if _, err := s.View.Logs.Checkpoint(ctx, event); err != nil {
		return err
	}
	key, err := s.View.Logs.Key(ctx)
	if err != nil {
		return err
	}
	witnesses, err := s.View.Logs.Witnesses(ctx, event)
	if err != nil {
		return err
	}
	p := archive.Policy{Logs: []string{key}, Witnesses: []string{}, Need: min(len(witnesses), 1)}
	for _, w := range witnesses {
		p.Witnesses = append(p.Witnesses, w.Witness.String())
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", `attachment; filename="policy.json"`)
	c.Data(http.StatusOK, "application/json; charset=utf-8", append(text, '\n'))
	return nil
}

// tile serves a tile of hashes or a bundle of entries.
func (s *Pages) tile(c *gin.Context) error {
	ctx, event := c.Request.Context(), page.ID(c, "event")
	at, err := transparency.ParseTile(strings.TrimPrefix(c.Param("tile"), "/"))
	if err != nil {
		return request.NotFound(c)
	}
	var data []byte
	if at.Entries {
		leaves, err := s.View.Logs.Leaves(ctx, event, at.From, at.Until)
		if err != nil {
			return err
		}
		data = transparency.Bundle(leaves)
	} else {
		tree, err := s.View.Logs.Tree(ctx, event)
		if err != nil {
			return err
		}
		if data, err = tree.Data(at); err != nil {
			return request.NotFound(c)
		}
	}
	if !request.HasAlready(c, data) {
		c.Data(http.StatusOK, bytesOnly, data)
	}
	return nil
}

// sizes returns numbers of the query.
func sizes(c *gin.Context, names ...string) (all []int64, err error) {
	for _, name := range names {
		n, err := page.Number(c.Query, name)
		if err != nil {
			return nil, err
		}
		all = append(all, int64(n))
	}
	return all, nil
}

// consistency serves the proof that the tree of one size continues that of a smaller one, for small clients. Others
// compute it from tiles.
func (s *Pages) consistency(c *gin.Context) error {
	of, err := sizes(c, "from", "to")
	if err != nil {
		return err
	}
	tree, err := s.View.Logs.Tree(c.Request.Context(), page.ID(c, "event"))
	if err != nil {
		return err
	}
	proof, err := tree.Consistency(of[0], of[1])
	if err != nil {
		return request.NotFound(c)
	}
	return sendText(c, transparency.Hashes(proof))
}

// inclusion serves the proof of a leaf in the newest checkpoint.
func (s *Pages) inclusion(c *gin.Context) error {
	ctx, event := c.Request.Context(), page.ID(c, "event")
	of, err := sizes(c, "index")
	if err != nil {
		return err
	}
	signed, err := s.View.Logs.Checkpoint(ctx, event)
	if err != nil {
		return err
	}
	tree, err := s.View.Logs.Tree(ctx, event)
	if err != nil {
		return err
	}
	path, err := tree.Inclusion(of[0], signed.Size)
	if err != nil {
		return request.NotFound(c)
	}
	return sendText(c, transparency.Proof{Index: of[0], Path: path, Checkpoint: signed.Note}.String())
}

// cosign stores the cosignature of a witness.
func (s *Pages) cosign(c *gin.Context) error {
	if err := s.cosigned.Spend("address " + guard.Network(c.ClientIP())); err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(c.Request.Body, 2000))
	if err != nil {
		return err
	}
	if err := s.View.Logs.Cosign(c.Request.Context(), page.ID(c, "event"), string(text)); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
