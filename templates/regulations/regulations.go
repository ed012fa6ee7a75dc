// Package regulations renders the regulations of a tournament from its rule set and format, and the guide for
// officials.
package regulations

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
)

// Chapter is one chapter of the regulations; chapters are numbered from 1.
type Chapter struct {
	Number   int       `json:"number"`
	Title    string    `json:"title"`
	Articles []Article `json:"articles"`
}

// Article is one numbered paragraph. Text contains the numbers that apply to the tournament.
type Article struct {
	Number string `json:"number" doc:"the number that rulings cite, such as 4.4"`
	Title  string `json:"title"`
	Text   string `json:"text"`
}

// ByLanguage holds the chapters by language from data/regulations. The texts are templates over the fields of a rule
// set.
var ByLanguage = mustRegulations(readRegulations())

func mustRegulations(r map[string][]Chapter, err error) map[string][]Chapter {
	if err != nil {
		panic(err) // the files are part of the program and tested
	}
	return r
}

func readRegulations() (map[string][]Chapter, error) {
	all := map[string][]Chapter{}
	files, err := data.Regulations.ReadDir("regulations")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := data.Regulations.ReadFile("regulations/" + f.Name())
		if err != nil {
			return nil, err
		}
		var file struct {
			Chapters []Chapter `json:"chapters"`
		}
		if err := json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("regulations/%s: %w", f.Name(), err)
		}
		for i := range file.Chapters {
			file.Chapters[i].Number = i + 1
		}
		all[strings.TrimSuffix(f.Name(), ".json")] = file.Chapters
	}
	return all, nil
}

// regulationsTag returns the language in which the articles are shown: the context's, or English if there is no
// translation.
func regulationsTag(ctx context.Context) string {
	if l := locale.LanguageOf(ctx); regulationsAreIn(l) {
		return l.Tag
	}
	return "en"
}

func regulationsAreIn(l locale.Language) bool { return ByLanguage[l.Tag] != nil }

func regulationsFor(ctx context.Context) []Chapter { return ByLanguage[regulationsTag(ctx)] }

// RegulationsPart holds the rules and the ranking of one stage for the regulations.
type RegulationsPart struct {
	Stage   func(context.Context) string // its name; nil if there is only one part
	Rules   ruleset.Ruleset
	Ranking StageRanking
}

// StageRanking describes how a stage is ranked, using the format's words. If By is empty, the rule set decides.
type StageRanking struct {
	By           string
	TieBreaks    []string // excluding play-offs and lots
	PlayOff, Lot bool
	Decide       int  // how many of the first places PlayOff and Lot decide
	Divisions    bool // each division has its own first places
	Cut          bool // another stage follows
	FirstTo      int
	WinBonus     int
	SecondBonus  int
	LossMost     int
	GainMost     int
	MinGames     int
	WinnerOnly   bool
	TablePoints  []TableScale
	PerRound     bool   // table points are given per round, not per game
	Carry        string // empty for the first stage
	Until        string
	UntilAt      int
	Pairs        bool // tables of two
}

// TableScale lists the table points by place for tables of one size.
type TableScale struct {
	Players int
	Points  string
}

// Regulations returns the whole text for a tournament with these parts, in the context's language. An article that
// differs between stages names them. Every rule set and language has the same articles with the same numbers.
func Regulations(ctx context.Context, parts ...RegulationsPart) ([]Chapter, error) {
	ctx = locale.LanguageOf(ctx).Texts.With(ctx, regulationsTag(ctx)) // write numbers in the language of the articles
	count := func(key string) func(int) string {
		return func(n int) string { return locale.T(ctx, key, "n", n) }
	}
	words := map[string]func(int) string{"tiles": count("regulations.tiles"), "seconds": count("regulations.seconds"),
		"points": count("regulations.points")}
	fields := make([]map[string]any, len(parts))
	for i, part := range parts {
		var err error
		if fields[i], err = ruleFields(part.Rules); err != nil {
			return nil, err
		}
		part.Ranking.By = cmp.Or(part.Ranking.By, part.Rules.Standings)
		fields[i]["ranking"] = part.Ranking
	}
	chapters := slices.Clone(regulationsFor(ctx))
	for i := range chapters {
		chapters[i].Articles = slices.Clone(chapters[i].Articles)
		for j := range chapters[i].Articles {
			a := &chapters[i].Articles[j]
			texts := make([]string, len(parts))
			for k := range parts {
				var err error
				if texts[k], err = fill(a.Text, words, fields[k]); err != nil {
					return nil, fmt.Errorf("article %s: %w", a.Number, err)
				}
			}
			a.Text = byStage(ctx, parts, texts)
		}
	}
	return chapters, nil
}

// byStage joins the texts of one article from all parts. Equal texts appear once; different ones name their stages.
func byStage(ctx context.Context, parts []RegulationsPart, texts []string) string {
	if !slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] }) {
		return texts[0]
	}
	var said []string
	for i, text := range texts {
		if slices.Index(texts, text) < i {
			continue
		}
		var stages []string
		for k, part := range parts {
			if texts[k] == text {
				stages = append(stages, part.Stage(ctx))
			}
		}
		said = append(said, strings.Join(stages, ", ")+": "+text)
	}
	return strings.Join(said, "\n")
}

// ruleFields returns the fields of a rule set by name, with numbers as int.
func ruleFields(rules ruleset.Ruleset) (map[string]any, error) {
	text, err := json.Marshal(rules)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{"penalties": ruleset.Automatic, "assist": ruleset.None}
	var own map[string]any
	if err := json.Unmarshal(text, &own); err != nil {
		return nil, err
	}
	for name, value := range own {
		if n, ok := value.(float64); ok {
			value = int(n)
		}
		if value != "" {
			fields[name] = value
		}
	}
	return fields, nil
}

// ArticleTitle returns an article's title in the context's language, or "" if there is no such article.
func ArticleTitle(ctx context.Context, number string) string {
	a, _ := ArticleIn(regulationsFor(ctx), number)
	return a.Title
}

// ArticleIn finds an article by its number; ok is false if there is none.
func ArticleIn(chapters []Chapter, number string) (a Article, ok bool) {
	for _, c := range chapters {
		for _, a := range c.Articles {
			if a.Number == number {
				return a, true
			}
		}
	}
	return Article{}, false
}

// CodeArticles maps the code of a refused play to the article that the play breaks.
var CodeArticles = map[string]string{
	judge.CodeInvalidSet: "3.1", judge.CodeTileLost: "3.2", judge.CodeNotOnRack: "3.3",
	judge.CodeNothingPlayed: "3.3",
	judge.CodeTableTouched:  "3.4", judge.CodeMeldShort: "3.4", judge.CodeJokerWithoutRackTile: "3.6",
	judge.CodeJokerNotReplaced: "3.7",
	engine.RefusedStaleTurn:    "4.8", engine.RefusedNotYourTurn: "4.8", engine.RefusedPaused: "8.11",
	engine.RefusedPoolEmpty: "4.2", engine.RefusedPoolNotEmpty: "4.1",
}

// CitedWords cites an article within a sentence: its number and title.
func CitedWords(ctx context.Context, number string) string {
	if title := ArticleTitle(ctx, number); title != "" {
		return locale.T(ctx, "regulations.article", "number", number, "title", title)
	}
	return locale.T(ctx, "regulations.number", "number", number)
}

func chapterID(c Chapter) string { return "c" + locale.Num(c.Number) }

// GuideSteps lists the parts of the guide in the order of a first turn; each has the texts guide.<step> and
// guide.<step>.text.
var GuideSteps = []string{"lay", "split", "set", "joker", "end", "draw", "time", "call"}

// guideDesk explains the pages of one group of officials, or answers what they ask. Its texts are guide.desk.<name>
// and, for each part, guide.<name>.<part> and guide.<name>.<part>.text.
type guideDesk struct {
	Name  string
	Parts []string
}

// GuideDesks lists the sections of the guide for officials.
var GuideDesks = []guideDesk{
	{"answers", []string{"results", "power", "penalty", "lap", "phones", "trust", "certificates"}},
	{"referee", []string{"need", "rule", "back", "penalty", "rewind", "card", "count", "second", "real", "train"}},
	{"organizer", []string{"create", "format", "draft", "publish", "promise", "people", "hall", "rehearse", "log"}},
}

// GuideChapters returns the sections of the guide for officials as chapters, whose articles can be searched. An article
// is numbered by its section and part: answers-power.
func GuideChapters(ctx context.Context) (chapters []Chapter) {
	for i, desk := range GuideDesks {
		c := Chapter{Number: i + 1, Title: locale.T(ctx, "guide.desk."+desk.Name)}
		for _, part := range desk.Parts {
			key := "guide." + desk.Name + "." + part
			c.Articles = append(c.Articles, Article{Number: desk.Name + "-" + part, Title: locale.T(ctx, key),
				Text: locale.T(ctx, key+".text")})
		}
		chapters = append(chapters, c)
	}
	return chapters
}

// Open reports whether the section is expanded for the role: officials see the answers and their own section expanded.
func (d guideDesk) Open(role part.Role) bool {
	return role.Official() && (d.Name == "answers" || (d.Name == "organizer") == (role == part.RoleOrganizer))
}

// GuideRows holds the rows of tiles that are drawn beside the steps.
var GuideRows = map[string]string{
	"lay":   "_ O4 O5 O6* _ _ _",
	"split": "B8 B9 B10 _ B10* B11 B12",
	"set":   ": K3 R3 B3 _ _ _",
	"joker": "R4 R5* R6 _ J* B9 O9",
}

// guideCell is one cell of a row in GuideRows.
type guideCell struct {
	Face        tile.Face
	Free        bool
	Fresh, Grip bool
}

// GuideCells parses a row: a tile, marked with * if it was just laid, _ for an empty cell and : for the handle of a
// set.
func GuideCells(row string) []guideCell {
	var cells []guideCell
	for word := range strings.FieldsSeq(row) {
		cell := guideCell{Free: true, Grip: word == ":", Fresh: strings.HasSuffix(word, "*")}
		if list, err := tile.ParseFaces(strings.TrimSuffix(word, "*")); err == nil && len(list) == 1 {
			cell.Face, cell.Free = list[0], false
		}
		cells = append(cells, cell)
	}
	return cells
}

// RuleRuling is a ruling that changes the rules of games from a round on.
type RuleRuling struct {
	Number, Round int
	Rules         []RuleSaid
	By, Why       string
	Cancelled     bool
	MayCancel     bool
}

// RuleSaid is a rule as a sentence, with its article.
type RuleSaid struct{ Text, Article string }
