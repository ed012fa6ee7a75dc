package web

import (
	"meldhall/tournament"
	"meldhall/web/live"
)

// views are what pages and programs are shown, drawn from what is stored, from the running games, and from what is known
// of the devices. They know no request: whoever asks is an argument where it matters. They change nothing.
type views struct {
	store     *tournament.Store
	games     *tournament.Games
	searches  *tournament.Searches
	presets   tournament.Presets
	assets    *AssetSet // of the pages that the devices should have
	frames    *frameCache
	paces     *paces
	presence  *live.Presence
	attention *live.Attention // who rules on which table just now
}
