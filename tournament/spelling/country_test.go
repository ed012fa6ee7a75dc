package spelling

import "testing"

func TestCountryIsOneHoweverItIsWritten(t *testing.T) {
	for want, texts := range map[string][]string{
		"IT": {"IT", "it", "ITA", "Italy", " ITALIA ", "Italien", "Italië", "איטליה", "イタリア", "Włochy", "ITÁLIA",
			"Италия"},
		"NL": {"nl", "NLD", "Netherlands", "Paesi Bassi", "Nederland", "Holland"},
		"GB": {"GB", "UK", "United Kingdom", "Great Britain", "Regno Unito"},
		"DE": {"GER", "deu", "Germania", "Alemania", "Niemcy", "독일"},
		"CH": {"SUI", "CHE", "Schweiz", "Svizzera", "Suisse"},
		"ES": {"Espana", "España", "ESP"},
		"US": {"U.S.A.", "usa", "United States"},
		"BH": {"Bahrain", "bh"},
		"BN": {"BRU", "Brunei"},
		"IL": {"Israel", "ישראל", "Israele"},
		"KR": {"Korea", "South Korea", "대한민국", "KOR"},
		"NE": {"Niger"},
		"NG": {"Nigeria"},
	} {
		for _, text := range texts {
			if got, known := Country(text); got != want || !known {
				t.Errorf("%s is %q, %v, want %s", text, got, known, want)
			}
		}
	}
	for _, text := range []string{"", "Wakanda", "Scotland", "X", "ZZ", "+1", "BRN"} {
		if got, known := Country(" " + text); got != text || known {
			t.Errorf("%q is %q, %v", text, got, known)
		}
	}
	if SameCountry("Italy") != SameCountry("it") || SameCountry("Scotland") != SameCountry("SCOTLAND ") ||
		SameCountry("IT") == SameCountry("FR") {
		t.Error("one country is not compared as one")
	}
}
