package web

import (
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

// logSpan reads from when until when the log is searched, either of them empty for no limit: the first moment, and the first
// one after the last. What is typed counts whole: until a day is until its end.
func logSpan(from, until string) (first, end engine.Millis, err error) {
	if strings.TrimSpace(from) != "" {
		start, _, ok := logMoment(from)
		if !ok {
			return 0, 0, refuse.Invalid("err_log_time", "field", "from", "value", from)
		}
		first = engine.MillisOf(start)
	}
	if strings.TrimSpace(until) != "" {
		_, after, ok := logMoment(until)
		if !ok {
			return 0, 0, refuse.Invalid("err_log_time", "field", "until", "value", until)
		}
		end = max(engine.MillisOf(after), 1) // 0 is no limit
	}
	if end != 0 && end <= first {
		return 0, 0, refuse.Invalid("err_log_span", "from", from, "until", until)
	}
	return first, end, nil
}

// logMoment reads a day, a minute or a second of the server's zone, as the log shows it or as the field of a form writes it,
// and gives where it begins and where the next one does.
func logMoment(text string) (start, after time.Time, ok bool) {
	text = strings.Replace(strings.TrimSpace(text), " ", "T", 1)
	if at, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return at, at.AddDate(0, 0, 1), true
	}
	if at, err := time.ParseInLocation(dayFormat, text, time.Local); err == nil {
		return at, at.Add(time.Minute), true
	}
	at, err := time.ParseInLocation(dayFormat+":05", text, time.Local)
	return at.Truncate(time.Second), at.Truncate(time.Second).Add(time.Second), err == nil
}

// fieldMoment writes what was asked for as a field of a form holds it: of a day alone, its first or last minute.
func fieldMoment(text string, last bool) string {
	text = strings.Replace(strings.TrimSpace(text), " ", "T", 1)
	switch _, err := time.Parse(time.DateOnly, text); {
	case err != nil:
		return text
	case last:
		return text + "T23:59"
	}
	return text + "T00:00"
}
