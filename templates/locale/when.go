package locale

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	decimals "golang.org/x/text/number"

	"meldhall/engine"
	"meldhall/engine/score"
)

// Formats of times and amounts for pages, screens, files and paper. Times are in the context's time zone (InZone). They
// use the 24-hour clock in every language, like the clock in the hall.

type zoneKey struct{}

// InZone returns a context in which times are shown in a time zone, which is a tournament's. zone is called when the
// first time is shown, because most commands show none; it may return nil.
func InZone(ctx context.Context, zone func() *time.Location) context.Context {
	return context.WithValue(ctx, zoneKey{}, zone)
}

// ZoneOf returns the context's time zone, or the server's if it has none.
func ZoneOf(ctx context.Context) *time.Location {
	if zone, ok := ctx.Value(zoneKey{}).(func() *time.Location); ok {
		if at := zone(); at != nil {
			return at
		}
	}
	return time.Local
}

// ClockTime formats a time as hours, minutes and seconds; "" for 0.
func ClockTime(ctx context.Context, at engine.Millis) string {
	if at == 0 {
		return ""
	}
	return Moment(ctx, at).Format("15:04:05")
}

// MinuteTime formats a time as hours and minutes.
func MinuteTime(ctx context.Context, at engine.Millis) string { return Moment(ctx, at).Format("15:04") }

// HourTime is like MinuteTime, but returns "–" for 0.
func HourTime(ctx context.Context, at engine.Millis) string {
	if at == 0 {
		return "–"
	}
	return MinuteTime(ctx, at)
}

// DayTimeOf formats a time as day, hours and minutes; "" for 0.
func DayTimeOf(ctx context.Context, at engine.Millis) string {
	if at == 0 {
		return ""
	}
	return DayTime(ctx, Moment(ctx, at))
}

// DayClockOf formats a time as day, hours, minutes and seconds, as in records; "" for 0.
func DayClockOf(ctx context.Context, at engine.Millis) string {
	if at == 0 {
		return ""
	}
	return DayClock(ctx, Moment(ctx, at))
}

// DayOf formats the day of a time.
func DayOf(ctx context.Context, at engine.Millis) string { return Day(ctx, Moment(ctx, at)) }

// SameDay reports whether two times are on the same day.
func SameDay(ctx context.Context, a, b engine.Millis) bool {
	return Moment(ctx, a).Format(time.DateOnly) == Moment(ctx, b).Format(time.DateOnly)
}

// MachineTime formats a time for the datetime attribute.
func MachineTime(at engine.Millis) string {
	return time.UnixMilli(int64(at)).UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// Moment converts the engine's time to the context's time zone.
func Moment(ctx context.Context, at engine.Millis) time.Time {
	return time.UnixMilli(int64(at)).In(ZoneOf(ctx))
}

// dates is a language's date format. In Pattern, {E} is the weekday and {d} {M} {y} are day, month and year; Between
// separates the day from the time.
type dates struct{ Pattern, Between, Months, Weekdays string }

// datesIn holds the date formats from the Unicode CLDR (skeletons yMMMEd and Hm, release 48); English uses the British
// ones. Months start with January, weekdays with Sunday. A test compares them with the browser's.
var datesIn = map[string]dates{
	"en": {"{E}, {d} {M} {y}", ", ", "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec",
		"Sun Mon Tue Wed Thu Fri Sat"},
	"de": {"{E}, {d}. {M} {y}", ", ", "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
		"So. Mo. Di. Mi. Do. Fr. Sa."},
	"es": {"{E}, {d} {M} {y}", ", ", "ene feb mar abr may jun jul ago sept oct nov dic",
		"dom lun mar mié jue vie sáb"},
	"fr": {"{E} {d} {M} {y}", ", ", "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
		"dim. lun. mar. mer. jeu. ven. sam."},
	"he": {"{E}, {d} ב{M} {y}", ", ", "ינו׳ פבר׳ מרץ אפר׳ מאי יוני יולי אוג׳ ספט׳ אוק׳ נוב׳ דצמ׳",
		"יום\u00a0א׳ יום\u00a0ב׳ יום\u00a0ג׳ יום\u00a0ד׳ יום\u00a0ה׳ יום\u00a0ו׳ שבת"},
	"it": {"{E} {d} {M} {y}", ", ", "gen feb mar apr mag giu lug ago set ott nov dic",
		"dom lun mar mer gio ven sab"},
	"ja": {"{y}年{M}月{d}日({E})", " ", "1 2 3 4 5 6 7 8 9 10 11 12", "日 月 火 水 木 金 土"},
	"ko": {"{y}년 {M}월 {d}일 ({E})", " ", "1 2 3 4 5 6 7 8 9 10 11 12", "일 월 화 수 목 금 토"},
	"nl": {"{E} {d} {M} {y}", ", ", "jan feb mrt apr mei jun jul aug sep okt nov dec", "zo ma di wo do vr za"},
	"pl": {"{E}, {d} {M} {y}", ", ", "sty lut mar kwi maj cze lip sie wrz paź lis gru",
		"niedz. pon. wt. śr. czw. pt. sob."},
	"zh-Hant": {"{y}年{M}月{d}日{E}", " ", "1 2 3 4 5 6 7 8 9 10 11 12", "週日 週一 週二 週三 週四 週五 週六"},
}

// Day formats the day of a time in the context's language, or as 2026-11-26 if there is no format for the language.
func Day(ctx context.Context, t time.Time) string { return date(ctx, t.In(ZoneOf(ctx))) }

// Days formats a period of whole days, which belong to no time zone. A single day has the same first and last.
func Days(ctx context.Context, first, last time.Time) string {
	if first.Equal(last) {
		return date(ctx, first)
	}
	return date(ctx, first) + " – " + date(ctx, last)
}

// date formats the day of a time in its own zone.
func date(ctx context.Context, t time.Time) string {
	in, known := datesIn[LanguageOf(ctx).Tag]
	if !known {
		return t.Format(time.DateOnly)
	}
	nth := func(list string, n int) string { return strings.Split(list, " ")[n] }
	return strings.NewReplacer("{E}", nth(in.Weekdays, int(t.Weekday())), "{d}", Num(t.Day()), "{M}",
		nth(in.Months, int(t.Month())-1), "{y}", Num(t.Year())).Replace(in.Pattern)
}

// DayTime formats a time as day, hours and minutes; the digits of a time read from left to right in every language.
func DayTime(ctx context.Context, t time.Time) string { return dayAnd(ctx, t, "15:04") }

// DayClock is DayTime with seconds.
func DayClock(ctx context.Context, t time.Time) string { return dayAnd(ctx, t, "15:04:05") }

func dayAnd(ctx context.Context, t time.Time, clock string) string {
	between := " "
	if in, known := datesIn[LanguageOf(ctx).Tag]; known {
		between = in.Between
	}
	t = t.In(ZoneOf(ctx))
	return date(ctx, t) + between + t.Format(clock)
}

// ZoneWords names the time zone on a day with its offset from UTC: CET (UTC+1), UTC-3:30.
func ZoneWords(ctx context.Context, at engine.Millis) string {
	name, utc := zoneOf(Moment(ctx, at))
	if name == "" || name == utc {
		return utc
	}
	return name + " (" + utc + ")"
}

// ClockIn is DayClock with the time zone, for records that are read in other places.
func ClockIn(ctx context.Context, t time.Time) string {
	return DayClock(ctx, t) + " " + Isolate(ZoneName(ctx, t))
}

// ZoneName returns the short name of the time zone: CET, or UTC-3:30 if it has no letters.
func ZoneName(ctx context.Context, t time.Time) string {
	name, utc := zoneOf(t.In(ZoneOf(ctx)))
	if name == "" {
		return utc
	}
	return name
}

func zoneOf(t time.Time) (name, utc string) {
	name, seconds := t.Zone()
	if name == "UTC" {
		return name, name
	}
	sign, minutes := "+", seconds/60
	if seconds < 0 {
		sign, minutes = "-", -minutes
	}
	utc = "UTC" + sign + Num(minutes/60)
	if minutes%60 != 0 {
		utc += fmt.Sprintf(":%02d", minutes%60)
	}
	if strings.ContainsAny(name, "+-") {
		name = ""
	}
	return name, utc
}

// decimalMark returns a language's decimal separator.
func decimalMark(tag language.Tag) string {
	return strings.Trim(message.NewPrinter(tag).Sprint(decimals.Decimal(1.5)), "15")
}

// AmountText formats points or wins in the context's language with at most two decimals: 118, −16, 76.5 or 76,5.
func AmountText(ctx context.Context, t score.Twelfth) string {
	return strings.Replace(t.String(), ".", LanguageOf(ctx).decimal, 1)
}

// SignedPoints formats points with their sign, which precedes the number even in right-to-left text.
func SignedPoints(ctx context.Context, points score.Twelfth) string {
	text := AmountText(ctx, points)
	if points > 0 {
		text = "+" + text
	}
	if LanguageOf(ctx).Dir == "rtl" {
		return "\u2066" + text + "\u2069"
	}
	return text
}

// PointsText formats points with their sign, or without it if they are charges, where lower is better.
func PointsText(ctx context.Context, points score.Twelfth, charges bool) string {
	if charges {
		return AmountText(ctx, points)
	}
	return SignedPoints(ctx, points)
}

// WinsText returns a number of wins in words.
func WinsText(ctx context.Context, wins score.Twelfth) string {
	return T(ctx, "past.wins", "n", WholeWins(wins), "wins", AmountText(ctx, wins))
}

// WholeWins returns the number that selects the plural form for a number of wins.
func WholeWins(w score.Twelfth) int {
	if w == 12 {
		return 1
	}
	return max(2, int(w/12))
}

// Tenths formats a number with one decimal.
func Tenths(ctx context.Context, n float64) string {
	return message.NewPrinter(language.Make(LanguageOf(ctx).Tag)).Sprintf("%.1f", n)
}

// Rate formats turns per minute with one decimal; "–" if there are none.
func Rate(ctx context.Context, perMinute float64) string {
	if perMinute == 0 {
		return "–"
	}
	return Tenths(ctx, perMinute)
}
