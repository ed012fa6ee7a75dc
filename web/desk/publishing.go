package desk

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/embedding"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// usualDelay is the delay that the form suggests, in minutes.
const usualDelay = 15

// publishingPage shows what the public sees of a tournament, part by part.
func (s *Pages) publishingPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayPublishRound); err != nil {
		return err
	}
	is, was, err := tournament.PublishingOf(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	v := public.PublishingView{Event: tournamentID, Hows: tournament.HowShown}
	all := public.PublishingRow{Part: "all", How: tournament.ShownPublic, Minutes: usualDelay}
	current := is.Effective(s.View.Store.Millis())
	for _, part := range tournament.Parts {
		shown, last := *is.Of(part), *current.Of(part)
		row := public.PublishingRow{Part: part, Is: view.HowWords(ctx, last),
			Held: last.How != tournament.ShownPublic, How: shown.How, Minutes: shown.Minutes}
		if shown.Minutes == 0 {
			row.Minutes = usualDelay
		}
		if last != shown {
			row.Follows = locale.T(ctx, "publish.follows."+part, "how", view.HowWords(ctx, shown))
		}
		if shown.How != tournament.ShownPublic {
			row.Fields = shownFields(tournamentID, part, tournament.Showing{How: tournament.ShownPublic})
			all.Fields = shownFields(tournamentID, all.Part, tournament.Showing{How: tournament.ShownPublic})
		}
		if before, changed := was[part]; changed && (before.How != tournament.ShownPublic || len(row.Fields) == 0) {
			row.Back, row.Was = shownFields(tournamentID, part, before), view.HowWords(ctx, before)
		}
		v.Rows = append(v.Rows, row)
	}
	v.Rows = append(v.Rows, all)
	sites, err := embedding.Of(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	v.Embeds, v.Sites, v.Base = sites.Allow, strings.Join(sites.Sites, "\n"), s.Page.Request.BaseURL(c)
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "publish.title"), &v, &v.Page,
		public.PublishingPage)
}

// shownFields returns the form fields that publish a part in a given way.
func shownFields(tournamentID int64, one string, shown tournament.Showing) []part.FormField {
	return part.Sends(templates.PublishingPath(tournamentID), "tournament", tournamentID, "part", one, "how",
		shown.How, "minutes", shown.Minutes, "since", int64(shown.Since))
}

// showPublishing previews what the public would see.
func (s *Pages) showPublishing(c *gin.Context, set tournament.SetShown, out tournament.ShownSet) error {
	tournamentID := set.Tournament
	ctx, back := s.Page.Request.Language(c), templates.PublishingPath(tournamentID)
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	v := desk.PeopleConfirmView{ID: tournamentID, Title: t("publish.title"), Go: t("publish.go"),
		Back: string(part.AtPlace(back, set.Part)), Post: string(templates.ActionPath("publishing.set"))}
	v.Fields = part.Sends(back, "tournament", tournamentID, "part", set.Part, "how", set.How, "minutes",
		set.Minutes, "at", set.Part, "from", c.Request.URL.RequestURI())
	now := s.View.Store.Millis()
	was, is := out.Was.Effective(now), out.Is.Effective(now)
	parts := map[tournament.Showing][]string{}
	var ways []tournament.Showing
	for _, part := range tournament.Parts {
		if before, after := *was.Of(part), *is.Of(part); before != after {
			if parts[after] == nil {
				ways = append(ways, after)
			}
			parts[after] = append(parts[after], t("publish.part."+part))
		}
	}
	for _, way := range ways {
		v.Effects = append(v.Effects, t("publish.effect."+way.How, "part", strings.Join(parts[way], ", "), "how",
			view.HowWords(ctx, way)))
	}
	if len(v.Effects) > 0 {
		v.Effects = append(v.Effects, t("publish.effect.officials"))
		held := is.Standings.How != tournament.ShownPublic
		if held && is.Tables.How == tournament.ShownPublic {
			v.Effects = append(v.Effects, t("publish.effect.live"))
		}
		if held && is.Pairing.How == tournament.ShownPublic {
			v.Effects = append(v.Effects, t("publish.effect.seats"))
		}
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, v.Title, &v, &v.Page, desk.PeopleConfirmPage)
}
