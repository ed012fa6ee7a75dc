// Package data is the files that the program carries: rule sets, formats, texts and the demo's roster.
package data

import "embed"

// Rules holds rules/*.json, Formats formats/*.json, Locales locales/*.json, Regulations
// regulations/*.json, Demo demo/roster.csv.
var (
	//go:embed rules/*.json
	Rules embed.FS
	//go:embed formats/*.json
	Formats embed.FS
	//go:embed locales/*.json
	Locales embed.FS
	//go:embed regulations/*.json
	Regulations embed.FS
	//go:embed demo/roster.csv
	Demo embed.FS
)
