package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"
)

// harness exposes the scripts' functions to the tests, using JSON values; an empty cell is null.
const harness = `
import { ascending, exchanged, isRun, joined, jokerFor, kindOf, ordered, splitAfter, standFor, without } from "./js/sets.js";
import { spans } from "./js/layout.js";
import { Draft } from "./js/draft.js";
import { execute } from "./js/execute.js";
import { flow, largest } from "./js/grid.js";
import { fold } from "./js/fold.js";
import { lexicon, parse } from "./js/parse.js";
import { Rack } from "./js/rack.js";
export { fit, handOf, measure } from "./js/fit.js";
import { commitment, follows, nonceOf, order, pool, tiles } from "./js/deal.js";
import { continues } from "./js/merkle.js";
import { sha256 } from "./js/sha256.js";
import { content, publicKey, signature, statement } from "./js/statement.js";

export const grows = (m, older, n, newer, proof) => continues(m, atob(older), n, atob(newer), proof.map(atob));
export function signed(seed, before, game, seat, seen, history, action, body) {
  const what = content(action, body);
  const text = statement(before, game, seat, seen, history, what);
  return { key: publicKey(seed), content: what, statement: text, signature: signature(text, seed) };
}
export const sum = (text) => [...sha256(text)].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("");

export { ascending, isRun, kindOf, spans, standFor };
const names = (sets, faces) => (sets ?? []).map((set) => set.map((id) => faces[id]).join(" "));
const of = (faces) => (id) => faces[id];
export const joinedTo = (sets, ids, beside, faces) => names(joined(sets, ids, beside, of(faces)), faces);
export const split = (sets, id, faces) => names(splitAfter(sets, id), faces);
export function freed(sets, set, id, faces) {
  const joker = jokerFor(sets[set], faces[id], of(faces));
  return joker === undefined ? [] : names(exchanged(sets, joker, id), faces);
}
export function laidOut(lengths, felt) {
  const grid = largest(lengths, felt);
  return { cells: flow(lengths, grid) ?? [], cols: grid.cols, rows: grid.rows, w: grid.w };
}

let draft, rack;
const state = (done) => ({
  done,
  at: draft.pieces.map((p) => p.at),
  sets: draft.sets,
  past: draft.past.length,
  moved: draft.moved,
  played: draft.played,
  cols: draft.grid.cols,
  rows: draft.grid.rows,
});
export function begin(table, tiles, felt, opened) {
  draft = new Draft();
  Object.assign(draft, { felt, opened, mine: true });
  const sets = table.map(({ at, tiles }) =>
    tiles.map((face, k) => draft.pieces.push({ face, rack: false, at: -1, slot: -1, log: at + k }) - 1));
  for (const face of tiles) draft.pieces.push({ face, rack: true, at: -1, slot: -1, log: -1 });
  draft.open(sets);
  return state(true);
}
export const put = (ids, at, after, reach) => state(draft.put(ids, at, after, reach));
export const add = (ids) => state(draft.add(ids));
export const back = (ids) => state(draft.back(ids));
export const reset = () => state(draft.reset() ?? true);
export const undo = () => state(draft.undo() ?? true);
export const laid = () => draft.laid();
export const now = () => state(true);
export function again() {
  const laid = draft.laid();
  const next = new Draft();
  Object.assign(next, { felt: draft.felt, opened: draft.opened, pieces: draft.pieces.map((p) => ({ ...p, at: -1 })) });
  next.open(draft.home);
  next.apply(laid);
  return [laid, next.laid()];
}
export function reloaded() {
  const kept = {};
  globalThis.localStorage = { setItem: (key, text) => (kept[key] = text), getItem: (key) => kept[key] ?? null };
  draft.keep();
  const next = new Draft();
  const { felt, opened, signature, game, turn, home } = draft;
  Object.assign(next, { felt, opened, signature, game, turn, pieces: draft.pieces.map((p) => ({ ...p, at: -1 })) });
  next.open(home);
  next.recall(undefined);
  draft = next;
  return state(true);
}

let words;
const game = { mine: () => draft.mine, verdicts: () => [], lay: (ids, change) => change(), press: (key) => key === "undo", tell: {} };
export const speak = (texts) => (words = texts);
export const folded = fold;
export const typed = (text, more) => parse(text, lexicon(more));
export function obey(text) {
  const answer = execute(parse(text, lexicon(words.words)), Object.assign(game, { draft, words }));
  return { answer, sets: draft.sets.map((s) => s.map(draft.faceOf)) };
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

const inOrder = () => Array.from(rack.board(), (i) => (i === undefined ? "." : rack.pieces[i].face)).join(" ").replace(/( \.)+$/, "");
export function newRack(by) {
  rack = new Rack();
  rack.by = by;
}
export function render(game, deal, faces, size, cols) {
  rack.dealt(deal);
  rack.read(game, faces.map((face) => ({ face, rack: true, at: -1, slot: -1 })), size, cols);
  return inOrder();
}
export const sorted = (by) => rack.sort(by) ?? inOrder();
export const standardOrder = () => tiles().join(" ");
export const nonce = nonceOf;
export const deal = (j) => ({
  commitment: commitment(j.game, j.secret),
  follows: follows(j),
  pool: pool(j),
  draws: order(j, "meldhall draws v1"),
});
export const arranged = (ids, slot, after) => rack.move(ids, slot, after) && inOrder();
`

// scripts runs the tablet's modules that do not need a page, without a browser.
type scripts struct {
	t  *testing.T
	vm *goja.Runtime
}

func loadScripts(t *testing.T) *scripts {
	t.Helper()
	made := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: harness + fewestKeys, ResolveDir: assets, Sourcefile: "harness.js"},
		Bundle: true, Format: api.FormatIIFE, GlobalName: "scripts", Target: api.ES2019,
	})
	if len(made.Errors) > 0 {
		t.Fatal(api.FormatMessages(made.Errors, api.FormatMessagesOptions{}))
	}
	vm := goja.New()
	for name, f := range map[string]any{"atob": atob, "btoa": btoa} { // goja has none
		if err := vm.Set(name, f); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := vm.RunString(string(made.OutputFiles[0].Contents)); err != nil {
		t.Fatal(err)
	}
	return &scripts{t, vm}
}

// atob and btoa are the browser's functions. Their binary texts have one character a byte.
func atob(text string) string {
	bytes, _ := base64.StdEncoding.DecodeString(text)
	runes := make([]rune, len(bytes))
	for i, b := range bytes {
		runes[i] = rune(b)
	}
	return string(runes)
}

func btoa(text string) string {
	var bytes []byte
	for _, r := range text {
		bytes = append(bytes, byte(r))
	}
	return base64.StdEncoding.EncodeToString(bytes)
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
