// Package data embeds the program's files: rule sets, formats, texts, regulations, the demo's roster, third-party
// licences, and the verifier of archives.
package data

import "embed"

// Files by folder: Rules holds rules/*.json, Formats holds formats/*.json, Locales holds locales/*.json, Regulations
// holds regulations/*.json, and Demo holds demo/roster.csv. Read holds read/*.json: the texts of each language as a
// native player read them, by key. A text that has changed since counts as unread.
var (
	//go:embed rules/*.json
	Rules embed.FS
	//go:embed formats/*.json
	Formats embed.FS
	//go:embed locales/*.json
	Locales embed.FS
	//go:embed regulations/*.json
	Regulations embed.FS
	//go:embed read/*.json
	Read embed.FS
	//go:embed demo/roster.csv
	Demo embed.FS
	// Unit is the unit of the service for systemd.
	//go:embed deploy/meldhall.service
	Unit string
	// Verifier is the independent verifier, see record/README.md.
	//go:embed record/verifier.html
	Verifier []byte
	// Licences holds the licences of all third-party code and files in the program.
	//go:embed licences.txt
	Licences string
)

//go:generate sh -c "go run ../cmd/internal/licences > licences.tmp && mv licences.tmp licences.txt"
