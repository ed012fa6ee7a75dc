package spelling

import (
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Country is the code of the country that a text names, two letters of ISO 3166-1: by that code, by the one of three letters, or by
// a name in one of the languages in which rosters are written. Any other text is given back as Clean has it, and known is false.
func Country(text string) (code string, known bool) {
	text = Clean(text)
	if code, known = countryCodes()[Fold(text)]; known {
		return code, true
	}
	return text, false
}

// SameCountry is the same for two texts that name one country.
func SameCountry(text string) string {
	code, _ := Country(text)
	return Fold(code)
}

// rosterLanguages are the languages in which a country is known by its name.
var rosterLanguages = []language.Tag{language.English, language.Italian, language.Hebrew, language.German, language.French, language.Spanish, language.Portuguese,
	language.Dutch, language.Polish, language.Czech, language.Hungarian, language.Romanian, language.Greek, language.Turkish, language.Japanese, language.Korean,
	language.TraditionalChinese, language.SimplifiedChinese}

// otherCountryNames are names beside those of the tables of languages.
var otherCountryNames = map[string]string{"uk": "GB", "great britain": "GB", "gran bretagna": "GB", "holland": "NL", "olanda": "NL", "czech republic": "CZ",
	"repubblica ceca": "CZ", "korea": "KR", "corea": "KR", "hong kong": "HK", "macau": "MO", "macao": "MO", "türkiye": "TR", "turkiye": "TR", "u.s.a.": "US"}

// countryCodes are the codes of all countries by what they are called, as Fold has it. A name that means two countries is none.
var countryCodes = sync.OnceValue(func() map[string]string {
	codes := map[string]string{}
	var twice []string
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !region.IsCountry() || region.Canonicalize() != region {
				continue
			}
			code := region.String()
			codes[Fold(code)], codes[Fold(region.ISO3())] = code, code
			for _, in := range rosterLanguages {
				name := Fold(display.Regions(in).Name(region))
				if other := codes[name]; other != "" && other != code {
					twice = append(twice, name)
				}
				codes[name] = code
			}
		}
	}
	for _, name := range twice {
		delete(codes, name)
	}
	for name, code := range otherCountryNames {
		codes[name] = code
	}
	return codes
})
