package locale

import (
	"slices"
	"testing"
)

// TestNameOrder checks that names are sorted by the rules of each language, not by their bytes.
func TestNameOrder(t *testing.T) {
	names := []string{"Zoe", "Öwen", "de Vries", "Ola", "Łukasz", "Lucas", "Éva", "Ewa", "נועה", "אבי"}
	for language, want := range map[string][]string{
		"en": {"de Vries", "Éva", "Ewa", "Lucas", "Łukasz", "Ola", "Öwen", "Zoe", "אבי", "נועה"},
		"pl": {"de Vries", "Éva", "Ewa", "Lucas", "Łukasz", "Ola", "Öwen", "Zoe", "אבי", "נועה"},
	} {
		got := slices.Clone(names)
		slices.SortStableFunc(got, NameOrder(WithLanguage(t.Context(), language)))
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", language, got, want)
		}
	}
	if order := NameOrder(WithLanguage(t.Context(), "pl")); order("Lzy", "Łab") >= 0 {
		t.Error("Polish has Ł after every L")
	}
	if order := NameOrder(WithLanguage(t.Context(), "en")); order("Lzy", "Łab") <= 0 {
		t.Error("English has Ł among the L")
	}
}
