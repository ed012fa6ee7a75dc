package spelling

import "testing"

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
