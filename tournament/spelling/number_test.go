package spelling

import "testing"

// TestNumbersOfAnyScript checks that Number accepts numbers in any script and rejects other text.
func TestNumbersOfAnyScript(t *testing.T) {
	for text, want := range map[string]string{
		"40": "40", " 40\u00a0": "40", "٤٠": "40", "۴۰": "40", "४०": "40", "４０": "40", "๔๐": "40",
		"\U0001d7d2\U0001d7d8": "40", "\U0001d7fa\U0001d7f6": "40",
		"-20": "-20", "\u221220": "-20", "\uff0d２０": "-20", "\u200f\u2212٢٠": "-20",
		"76.5": "76.5", "76,5": "76.5", "٧٦٫٥": "76.5", "007": "007",
	} {
		if got, ok := Number(text); !ok || got != want {
			t.Errorf("%+q is read as %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", " ", "4O", "abc", "\u201320", "\u201420", "1e3", "0x10", "+5", "Infinity", "NaN",
		"--5", "5-", "1.2.3", "1_000", "²", "Ⅻ", "十", "5 points"} {
		if got, ok := Number(text); ok {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if n, ok := Whole("٤٠"); !ok || n != 40 {
		t.Errorf("٤٠ is read as %d, %v", n, ok)
	}
	for _, text := range []string{"4.5", "999999999999999999999"} {
		if n, ok := Whole(text); ok {
			t.Errorf("%s is read as %d", text, n)
		}
	}
}
