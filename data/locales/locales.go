// Package locales holds the texts for people, one file a language. A new language is a new file.
package locales

import "embed"

// Files are the message files in go-i18n's format, named after the language: en.json, it.json.
//
//go:embed *.json
var Files embed.FS
