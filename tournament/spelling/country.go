package spelling

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Country returns the two-letter ISO 3166-1 code of the country that a text names. The text may be that code, the
// three-letter code, the code of the IOC or FIDE, or the name in one of the languages used in rosters. Any other text
// and one that names several countries is returned cleaned, and known is false.
func Country(text string) (code string, known bool) {
	if codes := Countries(text); len(codes) == 1 {
		return codes[0], true
	}
	return Clean(text), false
}

// Countries returns the codes of all countries that a text can name. BRN is Brunei for ISO and Bahrain for the IOC.
func Countries(text string) []string { return countryCodes()[countryKey(text)] }

// countryKey returns the form in which names and codes of countries are compared.
func countryKey(text string) string { return strings.ReplaceAll(Search(text), ".", "") }

// SameCountry returns the same key for all texts that name the same country.
func SameCountry(text string) string {
	code, _ := Country(text)
	return Fold(code)
}

// rosterLanguages are the languages in which country names are recognized.
var rosterLanguages = []language.Tag{language.English, language.Italian, language.Hebrew, language.German,
	language.French, language.Spanish, language.Portuguese, language.Dutch, language.Polish, language.Czech,
	language.Hungarian, language.Romanian, language.Greek, language.Turkish, language.Japanese, language.Korean,
	language.TraditionalChinese, language.SimplifiedChinese, language.Russian, language.Ukrainian, language.Slovak,
	language.Slovenian, language.Croatian, language.Danish, language.Swedish, language.Norwegian, language.Finnish}

// otherCountryNames lists names that the language tables lack, each with its code. They mean nothing else.
const otherCountryNames = `uk GB,great britain GB,gran bretagna GB,gran bretana GB,grande-bretagne GB,gb GB,
	grossbritannien GB,groot-brittannie GB,wielka brytania GB,holland NL,olanda NL,holanda NL,hollande NL,holandia NL,
	the netherlands NL,czech republic CZ,czechia CZ,repubblica ceca CZ,tschechische republik CZ,korea KR,corea KR,
	coree KR,south korea KR,republic of korea KR,hong kong HK,macau MO,macao MO,turkey TR,turkiye TR,us US,
	america US,eeuu US,united states of america US,stati uniti d'america US,chinese taipei TW,macedonia MK,
	ivory coast CI,cape verde CV,burma MM,swaziland SZ,vatican VA,vaticano VA,russian federation RU,israele IL`

// sportCodes lists the codes of the IOC and FIDE that differ from ISO 3166-1, each with the ISO code.
const sportCodes = `AHO CW ALG DZ ANG AO ANT AG ARU AW ASA AS BAH BS BAN BD BAR BB BER BM BHU BT BIZ BZ BOT BW BRN BH
	BRU BN BUL BG BUR BF CAM KH CAY KY CGO CG CHA TD CHI CL CRC CR CRO HR DEN DK ESA SV FAI FO FIJ FJ GAM GM GBS GW
	GCI GG GEQ GQ GER DE GRE GR GRN GD GUA GT GUI GN HAI HT HON HN INA ID IOM IM IRI IR ISV VI IVB VG JCI JE KOS XK
	KSA SA KUW KW LAT LV LBA LY LES LS LIB LB MAD MG MAS MY MAW MW MGL MN MNC MC MON MC MRI MU MTN MR MYA MM NCA NI
	NED NL NEP NP NGR NG NIG NE OMA OM PAR PY PHI PH PLE PS POR PT PUR PR ROM RO RSA ZA SAM WS SEY SC SIN SG SKN KN
	SLO SI SOL SB SRI LK SUD SD SUI CH TAN TZ TGA TO TOG TG TPE TW TRI TT UAE AE URU UY VAN VU VIE VN VIN VC ZAM ZM
	ZIM ZW`

// countryCodes maps the names and codes of all countries, as countryKey writes them, to the countries' codes.
var countryCodes = sync.OnceValue(func() map[string][]string {
	codes := map[string][]string{}
	add := func(text, code string) {
		if key := countryKey(text); !slices.Contains(codes[key], code) {
			codes[key] = append(codes[key], code)
		}
	}
	var regions []language.Region
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string([]rune{a, b}))
			if err == nil && region.IsCountry() && region.Canonicalize() == region {
				regions = append(regions, region)
				add(region.String(), region.String())
				if region.ISO3() != "ZZZ" { // no country
					add(region.ISO3(), region.String())
				}
			}
		}
	}
	for _, in := range rosterLanguages {
		namer := display.Regions(in)
		for _, region := range regions {
			if name := namer.Name(region); name != "" {
				add(name, region.String())
			}
		}
	}
	sport := strings.Fields(sportCodes)
	for i := 0; i < len(sport); i += 2 {
		add(sport[i], sport[i+1])
	}
	for name := range strings.SplitSeq(otherCountryNames, ",") {
		name = strings.TrimSpace(name)
		codes[countryKey(name[:len(name)-3])] = []string{name[len(name)-2:]}
	}
	return codes
})
