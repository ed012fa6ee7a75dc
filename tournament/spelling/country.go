package spelling

import (
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Country returns the two-letter ISO 3166-1 code of the country that a text names. The text may be that code, the
// three-letter code, or the name in one of the languages used in rosters. Any other text is returned cleaned, and known
// is false.
func Country(text string) (code string, known bool) {
	text = Clean(text)
	if code, known = countryCodes()[Fold(text)]; known {
		return code, true
	}
	return text, false
}

// SameCountry returns the same key for all texts that name the same country.
func SameCountry(text string) string {
	code, _ := Country(text)
	return Fold(code)
}

// rosterLanguages are the languages in which country names are recognized.
var rosterLanguages = []language.Tag{language.English, language.Italian, language.Hebrew, language.German,
	language.French, language.Spanish, language.Portuguese,
	language.Dutch, language.Polish, language.Czech, language.Hungarian, language.Romanian, language.Greek,
	language.Turkish, language.Japanese, language.Korean,
	language.TraditionalChinese, language.SimplifiedChinese}

// otherCountryNames lists additional names that the language tables lack.
var otherCountryNames = map[string]string{"uk": "GB", "great britain": "GB", "gran bretagna": "GB", "holland": "NL",
	"olanda": "NL", "czech republic": "CZ",
	"repubblica ceca": "CZ", "korea": "KR", "corea": "KR", "hong kong": "HK", "macau": "MO", "macao": "MO",
	"türkiye": "TR", "turkiye": "TR", "u.s.a.": "US"}

// countryCodes maps the folded names and codes of all countries to their codes. Ambiguous names are left out.
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
