// Package embedding controls which sites may embed a tournament in frames of their own pages.
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
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// The limits of a list of sites.
const (
	sitesMost = 20
	siteMost  = 200 // bytes
)

// row is the stored list of a tournament's sites.
type row struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Sites        string
}

// TableName returns the name of the table.
func (row) TableName() string { return "embeddings" }

// Sites returns the origins that may embed a tournament, in the form that browsers send. It is empty by default.
func Sites(ctx context.Context, s *store.DB, tournamentID int64) ([]string, error) {
	return sitesOf(s.Read.WithContext(ctx), tournamentID)
}

func sitesOf(db *gorm.DB, tournamentID int64) ([]string, error) {
	r, _, err := store.First[row](db.Where("tournament_id = ?", tournamentID))
	return strings.Fields(r.Sites), err
}

// SetSites sets which sites may embed a tournament.
type SetSites struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Sites      string `json:"sites" maxLength:"5000" doc:"addresses such as https://club.example, with *. for all subdomains, separated by spaces or line breaks; empty: none"`
}

var _ = action.NewKind[SetSites](action.Kind{Name: "embedding.set", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[action.Change[kept]]})

// kept is the list of sites as stored in a record.
type kept []string

// Phrases describes the sites.
func (k kept) Phrases() []action.Phrase {
	if len(k) == 0 {
		return nil
	}
	return []action.Phrase{action.Tell(strings.Join(k, ", "))}
}

func (s SetSites) Do(tx *action.Tx) ([]string, error) {
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
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name},
		Is: action.Change[kept]{Was: before, Is: sites}})
	return sites, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row{TournamentID: t.ID,
		Sites: strings.Join(sites, " ")}).Error
}

// origins converts the addresses of sites to origins, which are what browsers compare. An address may be that of the
// site or of any of its pages.
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

// originOf returns the origin of a site: scheme, host and port. It returns false for an invalid address. Non-ASCII
// names are converted to what browsers send.
func originOf(typed string) (string, bool) {
	if len(typed) > siteMost {
		return "", false
	}
	if !strings.Contains(typed, "://") {
		typed = "https://" + typed
	}
	u, err := url.Parse(typed)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Opaque != "" ||
		u.Hostname() == "" || strings.HasSuffix(u.Host, ":") {
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

// host returns a host name in ASCII form, or an IP address.
func host(name string) (string, error) {
	if strings.Contains(name, ":") {
		return "[" + name + "]", nil // IPv6, already checked by url.Parse
	}
	return idna.Lookup.ToASCII(name)
}
