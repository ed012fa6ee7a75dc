package archive

import (
	"encoding/json"
	"fmt"

	"meldhall/engine/score"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

// penalty is the data of a record of a penalty or of a decision on one.
type penalty struct {
	Kind     string        `json:"kind"`
	Points   score.Twelfth `json:"points"`
	Decision string        `json:"decision"`
}

// ruled lists the actions that write a row of a ruling.
var ruled = []string{"sanction.give", "sanction.propose", "result.propose", "sanction.seconded", "sanction.cancelled",
	"cut.lot", "protest.make", "protest.decide"}

// checkRulings compares penalties, protests, the decisions on both, signatures, lots and promises with the records.
func (f *facts) checkRulings() {
	given := map[int64]row{}
	for _, s := range f.c.all("sanctions") {
		given[s.n("id")] = s
		f.checkPenalty(s)
	}
	for _, d := range f.c.all("sanction_decisions") {
		f.checkDecision(given[d.n("sanction_id")], d)
	}
	f.checkProtests()
	for _, s := range f.c.all("signatures") {
		own := fmt.Sprintf("player:%d", s.n("player_id"))
		if f.recorded(sought{[]string{"result.agree"}, s.n("game_id"), "", s.at()}, func(r *record) bool {
			return r.s("actor") == own || parseActor(r.s("actor")).role == rights.RoleTable
		}) == nil {
			f.fault(resultsName, "%s: there is no record that %s agreed to the count", f.game(s.n("game_id")),
				f.player(s.n("player_id")))
		}
	}
	for i, l := range f.c.all("lots") {
		place := fmt.Sprintf("lot %d", i+1)
		if f.recorded(sought{[]string{"cut.lot"}, 0, l.s("actor"), l.at()}, func(r *record) bool {
			var said struct{ Seed int64 }
			return json.Unmarshal([]byte(r.s("data")), &said) == nil && said.Seed == l.n("seed")
		}) == nil {
			f.fault(roundsName, "%s: there is no record of it with its seed", place)
		}
		f.official(roundsName, place, l, rights.MayDrawLot)
	}
	for _, p := range f.c.all("seed_promises") {
		f.checkPromise(p)
	}
	for _, kind := range ruled {
		for _, r := range f.byKind[kind] {
			if !r.used && !r.old() {
				f.fault(actionsName, "record of %s by %s at %d: its row is missing", kind, r.s("actor"), r.at)
			}
		}
	}
}

// checkPenalty compares a penalty with its record.
func (f *facts) checkPenalty(s row) {
	place := fmt.Sprintf("round %d, penalty %d", s.n("round"), s.n("id"))
	right, kinds := rights.MayRule, []string{"sanction.give"}
	switch s.s("kind") {
	case result.Disqualification:
		kinds = append(kinds, "sanction.propose") // older versions let referees propose
	case result.CorrectedResult:
		right, kinds = rights.MayCorrectResult, []string{"result.propose"}
	}
	if s.n("player_id") != 0 {
		place += " for " + f.player(s.n("player_id"))
	}
	correction, game := s.s("kind") == result.CorrectedResult, s.n("game_id")
	if f.recorded(sought{kinds, 0, s.s("actor"), s.at()}, func(r *record) bool {
		p := dataOf[penalty](r)
		if correction {
			return r.about.Game == game
		}
		return p.Kind == s.s("kind") && int64(p.Points) == s.n("points") &&
			int64(r.about.Player) == f.players[s.n("player_id")].number()
	}) == nil {
		f.fault(rulingsName, "%s: there is no ruling on record that gives %v points (%s), by %s at %d", place,
			score.Twelfth(s.n("points")), s.s("kind"), s.s("actor"), s.at())
	}
	if g, known := f.gameRows[game]; known && s.n("round") != 0 {
		if r := f.rounds[f.tables[g.n("table_id")].round]; r != nil && int64(r.number) != s.n("round") {
			f.fault(rulingsName, "%s: its game is %s", place, f.place(g))
		}
	}
	f.official(rulingsName, place, s, right)
}

// checkDecision compares a decision on a penalty with the penalty and its record.
func (f *facts) checkDecision(s, d row) {
	place := fmt.Sprintf("penalty %d, %s", d.n("sanction_id"), d.s("decision"))
	if s.p == nil {
		f.fault(rulingsName, "%s: there is no such penalty", place)
		return
	}
	kind, right := "sanction.cancelled", rights.MayRule
	if d.s("decision") == "seconded" {
		kind, right = "sanction.seconded", rights.MayRuleHeavily
		if d.s("actor") == s.s("actor") {
			f.fault(rulingsName, "%s: %s both proposed and confirmed it", place, d.s("actor"))
		}
	}
	if d.at() < s.at() {
		f.fault(rulingsName, "%s: it was decided at %d, before it was given at %d", place, d.at(), s.at())
	}
	if f.recorded(sought{[]string{kind}, 0, d.s("actor"), d.at()}, func(r *record) bool {
		p := dataOf[penalty](r)
		return p.Kind == s.s("kind") && p.Decision == d.s("decision")
	}) == nil {
		f.fault(rulingsName, "%s: there is no record of it by %s at %d", place, d.s("actor"), d.at())
	}
	f.official(rulingsName, place, d, right)
}

func anyRecord(*record) bool { return true }

func (f *facts) checkProtests() {
	made := map[int64]row{}
	for _, p := range f.c.all("protests") {
		made[p.n("id")] = p
		if f.recorded(sought{[]string{"protest.make"}, p.n("game_id"), "", p.at()}, anyRecord) == nil {
			f.fault(rulingsName, "%s: there is no record of the protest of %s", f.game(p.n("game_id")),
				f.player(p.n("player_id")))
		}
	}
	for _, d := range f.c.all("protest_decisions") {
		p := made[d.n("protest_id")]
		if p.p == nil {
			f.fault(rulingsName, "protest %d was decided, but is missing", d.n("protest_id"))
			continue
		}
		place := f.game(p.n("game_id")) + ", decision on the protest"
		if d.at() < p.at() {
			f.fault(rulingsName, "%s: it was decided at %d, before it was made at %d", place, d.at(), p.at())
		}
		if f.recorded(sought{[]string{"protest.decide"}, p.n("game_id"), d.s("actor"), d.at()}, anyRecord) == nil {
			f.fault(rulingsName, "%s: there is no record of it by %s at %d", place, d.s("actor"), d.at())
		}
		f.official(rulingsName, place, d, rights.MayRuleHeavily)
	}
}

// checkPromise compares the promise of a round's seed with its record and its round.
func (f *facts) checkPromise(p row) {
	if p.n("lot") != 0 { // lots are promised without a record
		return
	}
	place := fmt.Sprintf("round %d, promise of its seed", p.n("round"))
	if f.recorded(sought{[]string{"round.promise"}, 0, p.s("actor"), p.at()}, func(r *record) bool {
		var said struct{ Hash string }
		return json.Unmarshal([]byte(r.s("data")), &said) == nil && said.Hash == p.s("hash")
	}) == nil {
		f.fault(roundsName, "%s: there is no record of the hash %s", place, p.s("hash"))
	}
	for _, r := range f.rounds {
		switch {
		case int64(r.number) != p.n("round"):
		case p.at() > r.at("published_at"):
			f.fault(roundsName, "%s: it was made at %d, after the round was published at %d", place, p.at(),
				r.at("published_at"))
		case p.n("seed") != r.n("seed") && r.n("sealed") == 0:
			f.note("%s: it was not kept: the round was drawn with another seed", place)
		}
	}
}
