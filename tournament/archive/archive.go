// Package archive stores a whole tournament permanently in one file: everything that was decided and played in it.
// Another machine can replay it, and anyone can check it without other data. README.md describes the file.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/store"
)

const (
	// Format and Version identify the file type; a reader rejects a higher version.
	Format  = "meldhall-archive"
	Version = 2

	manifestName = "manifest.json"
)

// The files of an archive, besides its games.
const (
	eventName     = "event.json"
	formatName    = "format.json"
	rulesName     = "rules.json"
	playersName   = "players.json"
	roundsName    = "rounds.json"
	resultsName   = "results.json"
	rulingsName   = "rulings.json"
	seatingName   = "seating.json"
	standingsName = "standings.json"
	actionsName   = "actions.jsonl"
	logName       = "log.json" // not in archives of tournaments without a transparency log
)

// topics lists those that every archive has.
var topics = []string{actionsName, eventName, formatName, playersName, resultsName, roundsName, rulesName, rulingsName,
	seatingName, standingsName}

// gameNames matches the names of the games' files.
var gameNames = regexp.MustCompile(`^games/([0-9]{4}|[1-9][0-9]{4,17})\.json$`)

func gameName(id int64) string { return fmt.Sprintf("games/%04d.json", id) }

// mayBeNamed reports whether an archive of this version can have a file with this name.
func mayBeNamed(name string) bool {
	return name == manifestName || name == logName || slices.Contains(topics, name) || gameNames.MatchString(name)
}

// Manifest describes the contents of an archive. It does not depend on when or where the archive was made, so two
// archives of the same tournament are equal.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // the program that made the archive
	Event   Summary   `json:"event"`
	LeftOut []LeftOut `json:"left_out"`
	// Tables counts the rows of each table. Records is the hash of the last record. Head covers the tournament; see
	// store.EventHead.
	Tables  map[string]int `json:"tables,omitempty"`
	Records string         `json:"records,omitempty"`
	Head    string         `json:"head,omitempty"`
	Files   []File         `json:"files"`
	// SHA256 is the hash of this file with the field empty, and so covers the whole archive.
	SHA256 string `json:"sha256"`
}

// Summary describes the archived tournament, so that an official can decide whether to import it. Until is the time of
// its newest entry.
type Summary struct {
	Name    string        `json:"name"`
	Place   string        `json:"place"`
	Status  string        `json:"status"`
	Created engine.Millis `json:"created_at"`
	Until   engine.Millis `json:"until"`
	Players int           `json:"players"`
	Rounds  int           `json:"rounds"`
	Games   int           `json:"games"`
	Logs    int           `json:"logs"`
	Actions int           `json:"actions"`
}

// LeftOut is a game whose log is not in the archive, and the reason. Head is the hash of its last event if the game is
// over.
type LeftOut struct {
	Game int64  `json:"game"`
	Why  string `json:"why"`
	Head string `json:"head,omitempty"`
}

// Reasons to leave out a log: the game is not over, other tables still play the same deal, or the log cannot be read.
const (
	notOver    = "not_over"
	sealed     = "same_deal_in_play"
	unreadable = "unreadable"
)

// File is one file of an archive.
type File struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// text returns the encoded manifest with its own hash.
func (m Manifest) text() []byte {
	m.SHA256 = ""
	m.SHA256 = hashOf(m.bare())
	return m.bare()
}

func (m Manifest) bare() []byte {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // plain values always encode
	}
	return append(data, '\n')
}

// program returns this program's name, with its version if known.
func program() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return "meldhall " + info.Main.Version
	}
	return "meldhall"
}

// Archive is an archive in memory: its manifest and its files by name.
type Archive struct {
	Manifest Manifest
	files    map[string][]byte
	// Notes lists facts that Verify could not check or that were not decided yet.
	Notes []string

	signed Signed // set by Verify
	// open opens the temporary database; nil stands for store.OpenScratch. A test of many archives copies an empty one.
	open func(path string) (*store.DB, error)
}

// names returns the names of all files, sorted.
func (a *Archive) names() []string {
	names := make([]string, 0, len(a.files))
	for name := range a.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// gameFiles returns the names of the games' files, sorted.
func (a *Archive) gameFiles() []string {
	return slices.DeleteFunc(a.names(), func(name string) bool { return !gameNames.MatchString(name) })
}
