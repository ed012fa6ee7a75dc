// Package embedding controls which sites may embed a tournament's public content in frames of their own pages.
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

// Which sites may embed a tournament.
const (
	Any    = "any"    // all: the default
	Listed = "listed" // those that the organizer lists
	None   = "none"
)

// row is the stored list of a tournament's sites; empty: no site. A tournament without a row may be embedded by any.
type row struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Sites        string
}

// TableName returns the name of the table.
func (row) TableName() string { return "embeddings" }

// Allowed is which sites may embed a tournament. Sites are the listed origins, in the form that browsers send.
type Allowed struct {
	Allow string   `json:"allow" enum:"any,listed,none"`
	Sites []string `json:"sites,omitempty"`
}

// Of returns which sites may embed a tournament.
func Of(ctx context.Context, s *store.DB, tournamentID int64) (Allowed, error) {
	return allowed(s.Read.WithContext(ctx), tournamentID)
}

func allowed(db *gorm.DB, tournamentID int64) (Allowed, error) {
	r, set, err := store.First[row](db.Where("tournament_id = ?", tournamentID))
	switch sites := strings.Fields(r.Sites); {
	case err != nil:
		return Allowed{Allow: None}, err
	case !set:
		return Allowed{Allow: Any}, nil
	case len(sites) == 0:
		return Allowed{Allow: None}, nil
	default:
		return Allowed{Listed, sites}, nil
	}
}

// Ancestors returns the sources for the frame-ancestors directive of a Content Security Policy; none if no site may
// embed the tournament.
func (a Allowed) Ancestors() []string {
	if a.Allow == Any {
		return []string{"*"}
	}
	return a.Sites
}

// SetSites sets which sites may embed a tournament's public pages.
type SetSites struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Allow      string `json:"allow,omitempty" enum:"any,listed,none" doc:"default: listed, or none without sites"`
	Sites      string `json:"sites,omitempty" maxLength:"5000" doc:"for listed, such as https://club.example"`
}

var _ = action.NewKind[SetSites](action.Kind{Name: "embedding.set", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[action.Change[kept]]})

// kept is what SetSites stores in a record: the sites, or any.
type kept []string

// Phrases describes the sites.
func (k kept) Phrases() []action.Phrase {
	switch {
	case len(k) == 0:
		return []action.Phrase{action.Say("embed.allow." + None)}
	case k[0] == "*":
		return []action.Phrase{action.Say("embed.allow." + Any)}
	}
	return []action.Phrase{action.Tell(strings.Join(k, ", "))}
}

// wanted returns what the action asks for.
func (s SetSites) wanted() (Allowed, error) {
	to := Allowed{Allow: s.Allow}
	if to.Allow == "" && strings.TrimSpace(s.Sites) == "" {
		to.Allow = None
	}
	if to.Allow == Any || to.Allow == None {
		return to, nil
	}
	to.Allow = Listed
	sites, err := origins(s.Sites)
	if err == nil && len(sites) == 0 {
		err = refuse.Invalid("err_embed_none", "field", "sites")
	}
	to.Sites = sites
	return to, err
}

func (s SetSites) Do(tx *action.Tx) (Allowed, error) {
	t, err := tournament.FindTournament(tx.DB, s.Tournament)
	if err != nil {
		return Allowed{}, err
	}
	to, err := s.wanted()
	if err != nil {
		return to, err
	}
	before, err := allowed(tx.DB, s.Tournament)
	if err != nil || before.Allow == to.Allow && slices.Equal(before.Sites, to.Sites) {
		return to, err
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name},
		Is: action.Change[kept]{Was: before.Ancestors(), Is: to.Ancestors()}})
	if to.Allow == Any {
		return to, tx.Where("tournament_id = ?", t.ID).Delete(&row{}).Error
	}
	return to, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row{TournamentID: t.ID,
		Sites: strings.Join(to.Sites, " ")}).Error
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
