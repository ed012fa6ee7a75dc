package spelling

import (
	"strings"
	"testing"
)

// TestCleanLeavesNothingThatNobodySees checks that text without visible characters becomes empty, while joiners between
// visible characters stay.
func TestCleanLeavesNothingThatNobodySees(t *testing.T) {
	for _, text := range []string{"\u200d", "\u00ad\u2060", "\u3164", "\u2800 \u2800", "\u115f\u1160", "\ufe0f",
		"\u034f", "\U000e0041\U000e0042", "\u180e\u00a0\u3000", "\u2066\u2069"} {
		if got := Clean(text); got != "" {
			t.Errorf("%+q leaves %+q", text, got)
		}
	}
	for _, text := range []string{"Ada", "می\u200cخواهم", "王", "👨\u200d👩\u200d👧", "é", "·"} {
		if got := Clean(text); got != text {
			t.Errorf("%+q becomes %+q", text, got)
		}
	}
}

// TestSpellingsOfOneName checks that spellings of one name have the same key, and that other names have another.
func TestSpellingsOfOneName(t *testing.T) {
	for _, same := range [][]string{
		{"O'Brien", "O\u2019Brien", "o\u2018brien", "O\u00b4Brien", "O`Brien", " O\u02bcBRIEN\u200b"},
		{"Anna-Maria", "Anna\u2010Maria", "anna\u2013maria", "Anna\u00ad-Maria", "Anna\u2011Maria"},
		{"Straße", "STRASSE"}, {"E\u0301mile", "\u00c9MILE"}, {"ＡＤＡ", "Ada"}, {"Team ٣", "team 3"},
		{"\u202eAda\u202c", "A\u2060da"}, {"צ'רלי", "צ\u05f3רלי"}, {"می\u200cخواهم", "میخواهم"},
	} {
		for _, text := range same {
			if Fold(text) != Fold(same[0]) || Fold(Fold(text)) != Fold(text) {
				t.Errorf("%+q and %+q are not one name: %q, %q", text, same[0], Fold(text), Fold(same[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"Muller", "Müller"}, {"Lukasz", "Łukasz"}, {"Anna", "Аnna"}, {"A B", "AB"}} {
		if Fold(pair[0]) == Fold(pair[1]) {
			t.Errorf("%s and %s are one name", pair[0], pair[1])
		}
	}
}

func TestSearchFindsPlainLetters(t *testing.T) {
	for asked, text := range map[string]string{"lukasz": "Łukasz", "orsted": "Ørsted", "strasse": "Straße",
		"O\u2019Brien": "O'Brien", "thor": "Þór", "dorde": "Đorđe", "aesir": "Æsir", "ilker": "İlker", "isik": "Işık",
		"emile": "Émile", "jean\u2013luc": "Jean-Luc", "12": "١٢", "שלום": "שָׁלוֹם", "oe": "Œuvre"} {
		if Search(asked) == "" || !strings.HasPrefix(Search(text), Search(asked)) {
			t.Errorf("%s does not find %s: %q, %q", asked, text, Search(asked), Search(text))
		}
	}
}

func TestCodesOfAnyKeyboard(t *testing.T) {
	for _, typed := range []string{"ABCT-2345", "abct 2345", "\u200fABCT\u20132345", "ＡＢＣＴ２３４５", "ABCT٢٣٤٥",
		"аВСт 2345", "Α\u200bBCΤ\t2345"} {
		if got := Code(typed); got != "ABCT2345" {
			t.Errorf("%+q is %+q", typed, got)
		}
	}
}

func TestNamesThatLookAlike(t *testing.T) {
	for _, pair := range [][2]string{{"Bob", "Bоb"}, {"ANNA", "АΝNА"}, {"Roma club", "Rоmа сlub"}, {"Noël", "Noёl"}} {
		if Fold(pair[0]) == Fold(pair[1]) || Skeleton(pair[0]) != Skeleton(pair[1]) {
			t.Errorf("%s and %s do not look alike: %s, %s", pair[0], pair[1], Skeleton(pair[0]), Skeleton(pair[1]))
		}
	}
	if Skeleton("Bob") == Skeleton("Rob") || Skeleton("Иван") == Skeleton("Ivan") {
		t.Error("names that differ look alike")
	}
}
