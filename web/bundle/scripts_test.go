package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"
)

// harness exposes the scripts' functions to the tests, using JSON values; an empty cell is null.
const harness = `
import { blocks, place, spans, isRun } from "./js/layout.js";
import { ascending, tidy } from "./js/tidy.js";
import { Draft } from "./js/draft.js";
import { gridOf } from "./js/grid.js";
import { Rack } from "./js/rack.js";

const bare = (board) => board.map((id) => id ?? undefined);
const full = (board) => board && Array.from(board, (id) => id ?? null);
const byFace = (faces) => (ids) => ascending(ids.map((i) => faces[i])).map((k) => ids[k]);

export const lay = (board, faces, ids, at, after) =>
  full(place(bare(board), ids, at, after, { order: byFace(faces), faceOf: (i) => faces[i] }));
export const tidied = (board, faces) => full(tidy(bare(board), byFace(faces)));
export { ascending, spans, isRun };

let draft, rack;
const state = (done) => ({ done, at: draft.pieces.map((p) => p.at), past: draft.past.length, moved: draft.moved, played: draft.played });
export function begin(tiles) {
  draft = new Draft();
  draft.pieces = tiles.map((t) => ({ face: t.face, rack: t.at < 0, at: t.at, slot: -1, log: t.at }));
  draft.start = tiles.map((t) => t.at);
  for (const b of draft.blocks()) draft.log.set(b.ids.join(), b.at);
  draft.mine = true;
  return state(true);
}
export const put = (ids, at, after) => state(draft.put(ids, at, after));
export const back = (ids) => state(draft.back(ids));
export const tidyUp = () => state(draft.tidy());
export const reset = () => state(draft.reset() ?? true);
export const undo = () => state(draft.undo() ?? true);
export const setOf = (id) => draft.setOf(id);
export function again() {
  const laid = draft.laid();
  const next = new Draft();
  next.pieces = draft.pieces.map((p, i) => ({ ...p, at: draft.start[i] }));
  next.start = [...draft.start];
  for (const b of next.blocks()) next.log.set(b.ids.join(), b.at);
  next.apply(laid);
  return [laid, next.laid()];
}

export function small(felt, w, sets, cells, tile) {
  const d = (draft = new Draft());
  Object.assign(d, { felt, grid: gridOf(felt, w), mine: true });
  sets.forEach((s, k) =>
    s.forEach((face, i) => d.pieces.push({ face, rack: false, at: cells[k] + i, slot: -1, log: k * 13 + i })));
  d.pieces.push({ face: tile, rack: true, at: -1, slot: 0, log: -1 });
  d.start = d.pieces.map((p) => p.at);
}
export const gridFor = (felt, w) => gridOf(felt, w);
export function onto(face) {
  const [id, at] = [draft.pieces.length - 1, draft.pieces.find((p) => p.face === face).at];
  const done = draft.put([id], at, false) || draft.squeeze([id], at, false);
  return { ...state(done), set: draft.setOf(id).map((i) => draft.pieces[i].face) };
}

const standing = (done) => ({ done, slots: rack.pieces.map((p) => (p.at < 0 ? p.slot : -1)) });
export function fill(faces, size, cols) {
  rack = new Rack();
  rack.read("1", faces.map((face) => ({ face, rack: true, at: -1, slot: -1 })), size, cols);
  return standing(true);
}
export const shift = (ids, slot, after) => standing(rack.move(ids, slot, after));
export const sort = (by) => standing(rack.sort(by) ?? true);
export function out(ids, at) {
  for (const i of ids) rack.pieces[i].at = at;
  rack.settle();
  return standing(true);
}
`

// scripts runs the tablet's modules that do not need a page, without a browser.
type scripts struct {
	t  *testing.T
	vm *goja.Runtime
}

func loadScripts(t *testing.T) *scripts {
	t.Helper()
	made := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: harness, ResolveDir: assets, Sourcefile: "harness.js"},
		Bundle: true, Format: api.FormatIIFE, GlobalName: "scripts", Target: api.ES2019,
	})
	if len(made.Errors) > 0 {
		t.Fatal(api.FormatMessages(made.Errors, api.FormatMessagesOptions{}))
	}
	vm := goja.New()
	if _, err := vm.RunString(string(made.OutputFiles[0].Contents)); err != nil {
		t.Fatal(err)
	}
	return &scripts{t, vm}
}

// call calls a function of the harness.
func call[T any](s *scripts, name string, arguments ...any) T {
	s.t.Helper()
	text, err := json.Marshal(append([]any{}, arguments...))
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := s.vm.RunString(fmt.Sprintf("JSON.stringify(scripts.%s(...%s) ?? null)", name, text))
	if err != nil {
		s.t.Fatalf("%s(%s): %v", name, text, err)
	}
	var value T
	if err := json.Unmarshal([]byte(answer.String()), &value); err != nil {
		s.t.Fatalf("%s(%s) = %s: %v", name, text, answer, err)
	}
	return value
}

const lanes, cells = 14, 13

// board is a tile's index in each of the 182 cells, or nil.
type board []*int

// sets returns the groups of adjacent tiles, in the order of the cells.
func (b board) sets() (sets [][]int) {
	for at, id := range b {
		if id == nil {
			continue
		}
		if at%cells == 0 || b[at-1] == nil {
			sets = append(sets, nil)
		}
		sets[len(sets)-1] = append(sets[len(sets)-1], *id)
	}
	return sets
}

func (b board) tiles() []int {
	return slices.Sorted(slices.Values(slices.Concat(b.sets()...)))
}

// lay puts tiles into free cells with an empty cell on either side, and returns false if one of these is taken.
func (b board) lay(at int, ids ...int) bool {
	from, to := at, at+len(ids)
	if at%cells+len(ids) > cells {
		return false
	}
	if at%cells > 0 {
		from--
	}
	if to%cells > 0 {
		to++
	}
	for _, id := range b[from:to] {
		if id != nil {
			return false
		}
	}
	for k, id := range ids {
		b[at+k] = &id
	}
	return true
}
