package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// deviceSlack is the largest difference between the clocks of an official's device and of the server that is not named.
const deviceSlack = engine.Millis(5 * 60_000)

// checkRuled compares the signatures of officials' devices with the records and rulings that they are about. It counts
// the rulings and the decisions about results that are signed, and names each further key of an official.
func (f *facts) checkRuled() {
	for _, log := range f.games {
		for _, e := range log.Events {
			if _, ruling := engine.RulingKindOf(e.Kind); ruling && parseActor(e.Actor).role != rights.RoleProgram {
				f.Signed.Rulings++
			}
		}
	}
	keys := map[string][]string{} // by actor
	for i, r := range f.records {
		if r.kind != action.SignedKind.Name || r.old() {
			continue
		}
		by := signing.Ruled(dataOf[action.SignedBy](r))
		who := r.s("actor")
		if !slices.Contains(keys[who], by.Key) {
			if keys[who] = append(keys[who], by.Key); len(keys[who]) > 1 {
				f.note("%s signs with another device since record %d", who, i+1)
			}
		}
		if by.Seq > 0 {
			f.Signed.SignedRulings++
		}
		if about, why := f.ruledBy(i, r, by); why != "" && !store.HasErased(r.s("salt")) {
			f.fault(actionsName, "record %d: the signature of %s about %s: %s", i+1, who, about, why)
		} else if d := by.At - r.at; d > deviceSlack || d < -deviceSlack {
			f.note("record %d: %s signed %s %d minutes apart from the server's clock", i+1, who, about,
				max(d, -d)/60_000)
		}
	}
	if missing := f.unsignedDecisions(keys); len(missing) > 0 {
		f.note("not signed, although the official's device signs: %s", someOf(missing))
	}
}

// unsignedDecisions returns the rulings, and the records of decisions about results and penalties, that officials who
// have keys did not sign.
func (f *facts) unsignedDecisions(keys map[string][]string) (missing []string) {
	signed := map[int64]map[int]bool{} // by game and seq
	for i, r := range f.records {
		isSigned := i+1 < len(f.records) && f.records[i+1].kind == action.SignedKind.Name
		decides := strings.HasPrefix(r.kind, "result.") || strings.HasPrefix(r.kind, "sanction.")
		if decides && !isSigned && len(keys[r.s("actor")]) > 0 {
			missing = append(missing, fmt.Sprintf("record %d (%s) by %s", i+1, r.kind, r.s("actor")))
		}
		if r.kind == action.SignedKind.Name {
			if signed[r.about.Game] == nil {
				signed[r.about.Game] = map[int]bool{}
			}
			signed[r.about.Game][dataOf[action.SignedBy](r).Seq] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.games)) {
		turn, events := 0, f.games[id].Events
		for i, e := range events {
			_, ruling := engine.RulingKindOf(e.Kind)
			same := i > 0 && events[i-1].Actor == e.Actor && events[i-1].At == e.At && signed[id][e.Seq-1]
			switch {
			case same: // of the same ruling
				signed[id][e.Seq] = true
			case ruling && !signed[id][e.Seq] && len(keys[e.Actor]) > 0:
				missing = append(missing, fmt.Sprintf("%s, turn %d, seq %d: %s by %s", f.game(id), turn, e.Seq, e.Kind,
					e.Actor))
			}
			var said struct{ Turn struct{ Number int } }
			_ = json.Unmarshal(e.Data, &said) // without a turn, it stays
			turn = cmp.Or(said.Turn.Number, turn)
		}
	}
	return missing
}

// ruledBy returns what an official's signature is about, and why it does not fit; "" if it does.
func (f *facts) ruledBy(i int, r *record, by signing.Ruled) (about, why string) {
	about = "nothing"
	var data map[string]json.RawMessage
	kind := path.Base(by.Address())
	switch log, known := f.games[r.about.Game]; {
	case by.Seq == 0 && i > 0:
		about = fmt.Sprintf("record %d (%s)", i, f.records[i-1].kind)
		if f.records[i-1].s("actor") != r.s("actor") {
			return about, "it is by " + f.records[i-1].s("actor")
		}
	case !known && by.Seq > 0:
		return fmt.Sprintf("game %d", r.about.Game), "" // its log is not here; another fault names it
	case by.Seq > 0 && by.Seq <= len(log.Events):
		e := log.Events[by.Seq-1]
		about = fmt.Sprintf("%s, seq %d (%s)", f.game(r.about.Game), by.Seq, e.Kind)
		if e.Actor != r.s("actor") {
			return about, "it is by " + e.Actor
		}
		if k, ok := engine.RulingKindOf(e.Kind); ok && k.Name != kind && kind != "rule" && !decides(k.Name, kind) {
			return about, "it was signed as " + kind
		}
		_ = json.Unmarshal(e.Data, &data) // export.Verify has read it
	default:
		return about, "there is no such event"
	}
	if !f.imported && !by.Holds(f.c.event.ID) {
		return about, "it is not valid"
	}
	return about, contradicts(by, data)
}

// decides reports whether a ruling may come from a page about several proposals.
func decides(ruling, page string) bool {
	return (ruling == "penalty" || ruling == "waive") && len(page) == 1 // the seat
}

// contradicts returns the signed field that a ruling has with another value; "" if there is none.
func contradicts(by signing.Ruled, data map[string]json.RawMessage) string {
	if asked, ok := data["asked"]; ok {
		data["tiles"] = asked // the number; the ruling's tiles are those that were drawn
	}
	for name, values := range by.Fields() {
		is, ok := data[name]
		if !ok || len(values) != 1 || is[0] == '{' || is[0] == '[' {
			continue
		}
		text := string(is)
		_ = json.Unmarshal(is, &text) // a number stays as it is
		if text != values[0] {
			return fmt.Sprintf("%s is %s, signed was %s", name, text, values[0])
		}
	}
	return ""
}
