package play

import (
	"context"
	"strings"
	"sync"

	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// TileName returns the name of a tile: "red 7", "joker".
func TileName(ctx context.Context, f tile.Face) string {
	l := locale.LanguageOf(ctx)
	key := namesKey{l.Texts, l.Tag}
	names, ok := tileNames.Load(key)
	if !ok {
		names, _ = tileNames.LoadOrStore(key, newTileNames(ctx))
	}
	return names.(*[tile.Faces]string)[f]
}

// tileNames caches the names of all tiles by language, because a tablet shows dozens of tiles in every update.
var tileNames sync.Map

type namesKey struct {
	texts *locale.Texts
	tag   string
}

func newTileNames(ctx context.Context) *[tile.Faces]string {
	var names [tile.Faces]string
	for f := range tile.Joker {
		names[f] = locale.T(ctx, "tile."+colourName(f), "number", f.Number())
	}
	names[tile.Joker] = locale.T(ctx, "tile.joker")
	return &names
}

func colourName(f tile.Face) string {
	return [...]string{"black", "red", "blue", "orange"}[f.Colour()]
}

// tileClass returns the letter of the tile's colour, by which the style sheet sets colour and shape.
func tileClass(f tile.Face) string {
	return f.String()[:1]
}

// TileNames returns the names of tiles, separated by commas.
func TileNames(ctx context.Context, faces []tile.Face) string {
	names := make([]string, len(faces))
	for i, f := range faces {
		names[i] = TileName(ctx, f)
	}
	return strings.Join(names, ", ")
}

func tileText(faces []tile.Face) string {
	var text strings.Builder
	for i, f := range faces {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(f.String())
	}
	return text.String()
}

// isRun reports whether a valid set is a run: whether its numbered tiles have one colour. It does not validate the set.
func isRun(faces []tile.Face) bool {
	first := tile.Joker
	for _, f := range faces {
		if f.IsJoker() {
			continue
		}
		if first == tile.Joker {
			first = f
		} else if f.Colour() != first.Colour() {
			return false
		}
	}
	return true
}

// SetWords names the tiles of a set, for screen readers.
func SetWords(ctx context.Context, faces []tile.Face) string {
	kind := "tile.group"
	if isRun(faces) {
		kind = "tile.run"
	}
	return locale.T(ctx, kind) + ": " + TileNames(ctx, faces)
}
