package storage

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What the program's SQL says as SQLite alone understands it.
var (
	jsonField = regexp.MustCompile(`json_extract\(([a-z_.]+), '\$\.([a-z0-9_]+)'\)`)
	asBytes   = regexp.MustCompile(`CAST\(([a-z_.]+) AS BLOB\)`)
)

// forServer makes a statement of this program one of PostgreSQL. They are alike but for the values, fields of JSON, texts that are read
// as bytes, and LIKE, which here does not tell large letters from small ones.
func forServer(query string) string {
	if strings.Contains(query, "json_extract(") {
		query = jsonField.ReplaceAllString(query, `(CAST($1 AS json) ->> '$2')`)
	}
	if strings.Contains(query, " AS BLOB)") {
		query = asBytes.ReplaceAllString(query, `convert_to($1, 'UTF8')`)
	}
	if strings.Contains(query, " LIKE ") {
		query = strings.ReplaceAll(query, " LIKE ", " ILIKE ")
	}
	if !strings.Contains(query, "?") {
		return query
	}
	var out strings.Builder
	out.Grow(len(query) + 32)
	n, quote := 0, byte(0)
	for i := range len(query) {
		switch b := query[i]; {
		case b == '?' && quote == 0:
			out.WriteByte('$')
			if i+1 == len(query) || query[i+1] < '0' || query[i+1] > '9' { // else it is numbered
				n++
				out.WriteString(strconv.Itoa(n))
			}
			continue
		case quote == 0 && (b == '\'' || b == '"'):
			quote = b
		case b == quote:
			quote = 0
		}
		out.WriteByte(query[i])
	}
	return out.String()
}

// escaped begins what stands for a byte that PostgreSQL keeps in no text: zero, and what is no UTF-8.
const escaped = "\x1f"

// escape makes of a text one that PostgreSQL keeps. Nearly all texts are such as they are.
func escape(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00"+escaped) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if b := text[i]; b == 0 || b == escaped[0] || r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&out, escaped+"%02x", b)
		} else {
			out.WriteString(text[i : i+size])
		}
		i += size
	}
	return out.String()
}

// unescape gives the text that was kept.
func unescape(text string) string {
	if !strings.Contains(text, escaped) {
		return text
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, escaped)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		var b byte
		if len(after) < 2 {
			out.WriteString(escaped)
			text = after
			continue
		}
		if _, err := fmt.Sscanf(after[:2], "%02x", &b); err != nil {
			out.WriteString(escaped)
			text = after
			continue
		}
		out.WriteByte(b)
		text = after[2:]
	}
}
