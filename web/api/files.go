package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/archive"
	"meldhall/tournament/export"
	"meldhall/web/request"
)

const (
	csvKind  = "text/csv; charset=utf-8"
	xlsxKind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	zipKind  = "application/zip"
)

// ListAnswer is one of a tournament's lists. Columns and their order do not change.
type ListAnswer struct {
	Columns []string         `json:"columns"`
	Rows    []map[string]any `json:"rows"`
}

// listKinds are the file formats of a tournament's lists.
var listKinds = []struct {
	name, media string
	answer      any
	write       func(l export.List, out io.Writer, what string) error
}{
	{"csv", csvKind, "", func(l export.List, out io.Writer, _ string) error { return l.WriteCSV(out) }},
	{"json", request.JSONKind, ListAnswer{}, func(l export.List, out io.Writer, _ string) error {
		return json.NewEncoder(out).Encode(ListAnswer{l.Columns, l.Objects()})
	}},
	{"xlsx", xlsxKind, "", export.List.WriteXLSX},
}

const rosterName = "roster"

func (a *api) fileOperations() {
	for _, what := range append([]string{rosterName}, export.Lists...) {
		for _, kind := range listKinds {
			role, read, summary := forAll, a.listOf, "The "+what+" as a file"
			if what == rosterName {
				role, read, summary = forOrganizer, a.rosterOf, "The roster as a file that can be imported again"
			}
			if what == rosterName && kind.name == "json" {
				continue // GET /tournaments/{id}/people returns this data and more
			}
			a.plain(role, fmt.Sprintf("GET /tournaments/{id}/export/%s.%s", what, kind.name), summary, nil, kind.answer,
				kind.media, func(c *gin.Context) error {
					list, err := read(c, what)
					if err != nil {
						return err
					}
					c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="event-%s-%s.%s"`, c.Param("id"),
						what, kind.name))
					if what == rosterName {
						return send(c, kind.media, func(out io.Writer) error { return kind.write(list, out, what) })
					}
					return sendOnce(c, kind.media, func(out io.Writer) error { return kind.write(list, out, what) })
				})
		}
	}
	a.plain(forOrganizer, "GET /tournaments/{id}/export/archive.zip",
		"The archive of an event: all its decisions and games", nil, "", zipKind, a.exportArchive,
		describe("Check it with `meldhall verify`, or import it on another server with POST "+
			"/actions/tournament.import; ?preview=true lists its contents. "+
			"Unfinished games and all secrets are left out. Two archives of the same event are equal. "+
			"The event's public page shows the SHA-256 and the time of the last archive."))
}

// listOf returns one of a tournament's lists as the caller may see it.
func (a *api) listOf(c *gin.Context, what string) (list export.List, err error) {
	id, err := request.IDParam(c, "id")
	if err != nil {
		return list, err
	}
	sight, err := a.View.Sights.Of(c.Request.Context(), a.Request.Staff(c), id)
	if err != nil {
		return list, err
	}
	return export.ListOf(c.Request.Context(), a.View.Store, id, what, sight)
}

// rosterOf returns all players who are or were entered.
func (a *api) rosterOf(c *gin.Context, _ string) (list export.List, err error) {
	id, err := request.IDParam(c, "id")
	if err != nil {
		return list, err
	}
	players, err := tournament.PlayersFull(c.Request.Context(), a.View.Store, a.Request.Staff(c), id)
	return export.RosterList(players), err
}

// exportArchive responds with the archive of a tournament.
func (a *api) exportArchive(c *gin.Context) error {
	id, err := request.IDParam(c, "id")
	if err != nil {
		return err
	}
	made, err := action.Do[archive.Exported](c.Request.Context(), a.Request.Desk, a.Request.Staff(c),
		archive.ExportEvent{Tournament: id})
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="event-%d.zip"`, id))
	return send(c, zipKind, func(out io.Writer) error { _, err := made.Archive.WriteTo(out); return err })
}

// send responds with everything that write writes. If write fails, it sends nothing and returns the error.
func send(c *gin.Context, kind string, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	c.Data(http.StatusOK, kind, out.Bytes())
	return nil
}

// sendOnce is like send, but responds with 304 if the client already has the contents.
func sendOnce(c *gin.Context, kind string, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	if !request.HasAlready(c, out.Bytes()) {
		c.Data(http.StatusOK, kind, out.Bytes())
	}
	return nil
}
