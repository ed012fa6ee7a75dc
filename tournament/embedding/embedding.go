// Package embedding is which sites may show an event in frames of their own pages.
package embedding

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// The bounds of a list of sites.
const (
	sitesMost = 20
	siteMost  = 200 // bytes
)

// row is the list of an event.
type row struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Sites        string
}

// TableName is embeddings.
func (row) TableName() string { return "embeddings" }

// Sites are the origins that may show an event, as browsers name them; none where nobody has allowed any.
func Sites(ctx context.Context, s *storage.DB, event int64) ([]string, error) {
	return sitesOf(s.Read.WithContext(ctx), event)
}

func sitesOf(db *gorm.DB, event int64) ([]string, error) {
	r, _, err := storage.First[row](db.Where("tournament_id = ?", event))
	return strings.Fields(r.Sites), err
}

// SetSites lets other sites show an event in frames of their pages, and none besides.
type SetSites struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Sites      string `json:"sites" maxLength:"5000" doc:"addresses such as https://club.example, *. before a name for all below it, with spaces or line ends between; empty: none"`
}

var _ = door.NewKind[SetSites](door.Kind{Name: "embedding.set", Right: rights.MayPublishRound, Changes: []door.What{door.TopicSettings},
	Details: door.Keep[door.Change[kept]]})

// kept is what a record keeps of the sites.
type kept []string

// Phrases tells the sites.
func (k kept) Phrases() []door.Phrase {
	if len(k) == 0 {
		return nil
	}
	return []door.Phrase{door.Tell(strings.Join(k, ", "))}
}

func (s SetSites) Do(tx *door.Tx) ([]string, error) {
	t, err := tournament.FindTournament(tx.DB, s.Tournament)
	if err != nil {
		return nil, err
	}
	sites, err := origins(s.Sites)
	if err != nil {
		return nil, err
	}
	before, err := sitesOf(tx.DB, s.Tournament)
	if err != nil || slices.Equal(before, sites) {
		return sites, err
	}
	tx.Record(door.Entry{Event: t.ID, On: door.About{Name: t.Name}, Is: door.Change[kept]{Was: before, Is: sites}})
	return sites, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row{TournamentID: t.ID, Sites: strings.Join(sites, " ")}).Error
}

// origins reads addresses of sites: of each what a browser goes by, a page of the site as well as the site.
func origins(text string) ([]string, error) {
	sites := []string{}
	for _, typed := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) }) {
		site, ok := originOf(typed)
		if !ok {
			return nil, refuse.Invalid("err_embed_site", "site", typed)
		}
		if !slices.Contains(sites, site) {
			sites = append(sites, site)
		}
	}
	if len(sites) > sitesMost {
		return nil, refuse.Invalid("err_embed_many", "most", sitesMost)
	}
	return sites, nil
}

// originOf is the origin of a site: scheme, name or number, and port. Letters of other scripts become what browsers send for them.
func originOf(typed string) (string, bool) {
	if len(typed) > siteMost {
		return "", false
	}
	if !strings.Contains(typed, "://") {
		typed = "https://" + typed
	}
	u, err := url.Parse(typed)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Opaque != "" || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	name, below := strings.CutPrefix(u.Hostname(), "*.")
	if name, err = host(name); err != nil || below && !strings.Contains(name, ".") {
		return "", false
	}
	if below {
		name = "*." + name
	}
	if port := u.Port(); port != "" {
		name += ":" + port
	}
	return u.Scheme + "://" + name, true
}

// host is a name as it goes over the wire, or an address of numbers.
func host(name string) (string, error) {
	if strings.Contains(name, ":") {
		return "[" + name + "]", nil // IPv6, which url.Parse has checked
	}
	return idna.Lookup.ToASCII(name)
}
