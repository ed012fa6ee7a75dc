package pagetest

import (
	"context"
	"slices"
	"testing"

	"golang.org/x/net/html"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/regulations"
	"meldhall/templates/tablet"
)

func samplePractice() play.Game {
	g := samplePlaying()
	g.Place = play.GamePlace{Practice: "master"}
	g.Seats = []play.Person{{Name: "Ada"}, {Name: "Emmy"}, {Name: "Kurt"}, {Name: "You"}}
	return g
}

// sampleLesson returns a lesson at its last step.
func sampleLesson(mood string) play.Game {
	step := play.LessonStep{Name: "joker", Sets: [][]tile.Face{faces("K8 R8 B8 O8"), faces("K3 R3 J")},
		Fresh: faces("O8 K3 R3")}
	g := samplePractice()
	if g.View.Last = nil; mood == "done" {
		g.View.Phase, g.View.Turn.Due, g.View.Result = engine.PhaseOver, 0, sampleOver().View.Result
	}
	g.Place.Practice, g.View.Table, g.View.Rack = "lesson", laid("0:K8 R8 B8 J"), faces("K3 R3 O8")
	g.Lesson = &play.Lesson{LessonStep: step, Mood: mood, Number: 5, Of: 5, Moves: "O8 > J; K3 R3 > J", Ends: true,
		All: []play.LessonStep{step}}
	return g
}

func practiceSamples(ctx context.Context) []sample {
	strengths := make([]play.Choice, 0, 3)
	for _, s := range []string{"novice", "club", "master"} {
		strengths = append(strengths, play.Choice{Value: s, Name: locale.T(ctx, "practice."+s),
			Text: locale.T(ctx, "practice."+s+".text")})
	}
	rules := []play.Choice{{Value: "wrc", Name: locale.T(ctx, "rules.wrc"), Text: locale.T(ctx, "rules.wrc.text")},
		{Value: "family", Name: locale.T(ctx, "rules.family"), Text: locale.T(ctx, "rules.family.text")}}
	atTablet := samplePage(ctx, "practice.title", part.RolePlayer, templates.PracticeGamePath)
	atTablet.Live = part.Live{URL: "/practice/live", Quiet: 20_000}
	over := sampleOver()
	over.Place, over.Seats, over.Standing = samplePractice().Place, samplePractice().Seats, nil
	return []sample{
		{"guide", tablet.GuidePage(tablet.GuideView{Page: samplePage(ctx, "guide.title", part.RolePlayer,
			templates.GuidePath), Seated: true})},
		{"practice", tablet.PracticePage(tablet.PracticeView{Page: samplePage(ctx, "practice.title", part.RolePublic,
			templates.PracticePath),
			Strengths: strengths, RuleSets: rules, Strength: "club", Rules: "wrc", Running: true, Lesson: sampleLesson("").Lesson.LessonStep})},
		{"practice-game", play.GamePage(play.GameView{Page: atTablet, Game: samplePractice()})},
		{"lesson", play.GamePage(play.GameView{Page: atTablet, Game: sampleLesson("")})},
		{"lesson-good", play.GamePage(play.GameView{Page: atTablet, Game: sampleLesson("good")})},
		{"lesson-over", play.GamePage(play.GameView{Page: atTablet, Game: sampleLesson("done")})},
		{"practice-over", play.GamePage(play.GameView{Page: atTablet, Game: over})},
	}
}

// TestGuideIsShort checks that reading the guide takes at most one minute, at 150 words a minute for a slow reader.
// Languages with longer words are measured by the letters of 150 Italian words. A Chinese, Japanese or Korean character
// counts as two or three letters.
func TestGuideIsShort(t *testing.T) {
	for _, l := range locale.LanguagesOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		doc := parse(t, ctx, tablet.GuidePage(tablet.GuideView{Page: samplePage(ctx, "guide.title", part.RolePublic,
			templates.GuidePath)}))
		guide := one(t, doc, "guide", byClass("guide"))
		words, pictures, letters := 0, 0, 6
		if slices.Contains([]string{"ja", "ko", "zh-Hant"}, l.Tag) {
			letters = 3
		}
		for _, p := range all(guide, byTag("p")) {
			words += len([]rune(textOf(p))) / letters
		}
		for _, h := range append(all(guide, byTag("h2")), all(guide, byTag("h1"))...) {
			words += len([]rune(textOf(h))) / letters
		}
		for range all(guide, byClass("guide-picture")) {
			pictures++
		}
		if words < 60 || words > 150 {
			t.Errorf("%s: the guide has %d words of six letters, want 60 to 150", l.Tag, words)
		}
		if pictures != len(regulations.GuideSteps) || len(all(guide, byClass("tile"))) < 15 {
			t.Errorf("%s: got %d pictures with %d tiles", l.Tag, pictures, len(all(guide, byClass("tile"))))
		}
	}
}

// TestFirstSteps checks that the guide and the practice table are one tap away from the code page, from the waiting
// room and from each other.
func TestFirstSteps(t *testing.T) {
	ctx := t.Context()
	for _, s := range samples(ctx) {
		want := map[string][]string{
			"join": {"/guide", "/practice"}, "waiting": {"/guide", "/practice"}, "practice": {"/guide"},
			"guide": {"/practice", "/play"},
		}[s.name]
		doc := parse(t, ctx, s.page)
		for _, href := range want {
			if len(all(one(t, doc, "main", byTag("main")), func(n *html.Node) bool {
				return n.Data == "a" &&
					attr(n, "href") == href
			})) == 0 {
				t.Errorf("%s: no link to %s", s.name, href)
			}
		}
	}
}
