// @ts-check
// Executes typed commands on the draft. Every change goes through the functions that a tap uses.
import { fill, isSet, named, rackText, tilesText } from "./describe.js";
import { insert, isRun, without } from "./sets.js";

/** @typedef {import("./parse.js").Command} Command */
/**
 * @typedef {{
 *   draft: import("./draft.js").Draft,
 *   words: import("./describe.js").Words,
 *   mine: () => boolean,
 *   verdicts: () => { ok: boolean, word: string }[],
 *   lay: (ids: number[], change: () => boolean) => void,
 *   press: (key: string) => boolean,
 *   point: (set: number) => void,
 *   tell: Record<string, () => string>,
 *   verbose: boolean,
 * }} Game
 * mine reports whether the player may move tiles; lay changes the draft as a tap does; press uses a key of the tablet
 * and returns false if it is off; point shows a set, counted from 0, to the whole table; tell has the answers that need
 * the page: check, clock, last, players.
 */

/** The keys of the tablet that a command uses. @type {Record<string, string>} */
const KEYS = {
  draw: "draw",
  pass: "pass",
  done: "play",
  ready: "ready",
  redeal: "redeal",
  referee: "call",
  agree: "agree",
  undo: "undo",
  reset: "reset",
};

/**
 * Executes a command and returns the answer. "" means that the page answers, such as with the verdict on a change.
 * @param {Command} command @param {Game} game @returns {string}
 */
export function execute(command, game) {
  const { verb, strange } = command;
  const { words } = game;
  if (verb === "help") return words.help;
  if (!verb || strange) return fill(words.strange, { text: strange });
  if (verb === "terse" || verb === "verbose") {
    game.verbose = verb === "verbose";
    return words[verb];
  }
  if (KEYS[verb]) return press(verb, game);
  if (verb === "rack") return rack(command, game);
  if (verb === "sets") return sets(game);
  if (verb === "read" || (verb === "check" && command.from)) return read(command, game);
  if (verb === "point") return point(command, game);
  if (game.tell[verb]) return game.tell[verb]();
  return game.mine() ? CHANGES[verb](command, game) : words.notTurn;
}

/** @param {string} verb @param {Game} game */
function press(verb, game) {
  const { words } = game;
  const own = !["referee", "ready", "redeal", "agree"].includes(verb);
  if (own && !game.mine()) return words.notTurn;
  if (game.press(KEYS[verb])) return verb === "undo" || verb === "reset" ? words.undone : "";
  return verb === "done" ? words.nothing : words.off;
}

/** @param {Command} command @param {Game} game */
function rack({ colours }, { draft, words }) {
  const faces = draft.pieces.filter((p) => p.rack && p.at < 0).map((p) => p.face);
  const some = colours.length ? faces.filter((f) => colours.includes(f[0])) : faces;
  return fill(words.rack, { n: some.length, tiles: rackText(some, words) });
}

/** @param {Game} game */
function sets(game) {
  const { draft, words } = game;
  if (!draft.sets.length) return words.empty;
  return [
    fill(words.sets, { n: draft.sets.length }),
    ...draft.sets.map((_, k) => setText(k, game, !game.verbose)),
  ].join(" ");
}

/**
 * Describes a set, and its fault if it has one.
 * @param {number} k @param {Game} game @param {boolean} [brief] only with its number
 */
export function setText(k, { draft, words, verdicts, verbose }, brief) {
  const faces = draft.sets[k].map(draft.faceOf);
  const v = verdicts()[k];
  const tiles = verbose ? faces.map((f) => named(f, words)).join(", ") : tilesText(faces, words);
  const text = v && (!v.ok || verbose || !brief) ? `${tiles}, ${v.word}` : tiles;
  return brief ? `${k + 1}: ${text}.` : fill(words.set, { n: k + 1, tiles: text });
}

/**
 * Describes the sets that are new or changed since an earlier arrangement.
 * @param {number[][]} was @param {Game} game
 */
export function changesText(was, game) {
  const same = (/** @type {number[]} */ set) => was.some((s) => s.join() === set.join());
  return game.draft.sets.flatMap((set, k) => (same(set) ? [] : [setText(k, game)])).join(" ");
}

/** Describes the invalid sets; "" if there are none. @param {Game} game */
export function faultsText(game) {
  return game.draft.sets.flatMap((_, k) => (game.verdicts()[k]?.ok === false ? [setText(k, game)] : [])).join(" ");
}

/** @param {Command} command @param {Game} game */
function read({ from = 0 }, game) {
  if (!from) return game.words.whichSet;
  return game.draft.sets[from - 1] ? setText(from - 1, game) : fill(game.words.noSet, { n: from });
}

/** @param {Command} command @param {Game} game */
function point({ from = 0 }, { draft, point, words }) {
  if (!draft.sets[from - 1]) return from ? fill(words.noSet, { n: from }) : words.whichSet;
  point(from - 1);
  return "";
}

/**
 * Returns tiles of the rack, and those that lie alone on the table, such as a freed joker.
 * @param {string[]} faces @param {Game} game
 */
function loose(faces, { draft, words }) {
  const free = draft.pieces.flatMap((p, i) => (p.rack && p.at < 0 ? [i] : []));
  return take(faces, [...free, ...draft.sets.filter((s) => s.length === 1).flat()], draft, words);
}

/**
 * Takes tiles out of a list of pieces. Returns a text if one is missing.
 * @param {string[]} faces @param {number[]} from @param {Game["draft"]} draft @param {Game["words"]} words
 * @returns {number[] | string}
 */
function take(faces, from, draft, words) {
  if (!faces.length) return words.whichTiles;
  const left = [...from];
  /** @type {number[]} */
  const ids = [];
  /** @type {string[]} */
  const missing = [];
  for (const face of faces) {
    const k = left.findIndex((i) => draft.pieces[i].face === face);
    if (k < 0) missing.push(face);
    else ids.push(...left.splice(k, 1));
  }
  return missing.length ? fill(words.missing, { tiles: tilesText(missing, words) }) : ids;
}

/**
 * Adds pieces to a set, where they fit best. Returns a text if there is no such set or the rules forbid it.
 * @param {number[]} ids @param {number} n from 1 @param {Pick<Game, "draft" | "words" | "lay">} game @returns {string}
 */
export function add(ids, n, game) {
  const { draft, words } = game;
  const target = draft.sets[n - 1];
  if (!target) return n ? fill(words.noSet, { n }) : words.whichSet;
  if (!draft.free(target)) return words.fixed;
  game.lay(ids, () => {
    const rest = without(draft.sets, ids, draft.faceOf);
    const ways = joins(
      target.filter((i) => !ids.includes(i)),
      ids,
      draft.faceOf,
    );
    const made = ways.flatMap(({ beside, after }) => {
      const next = insert(rest, ids, beside, after, draft.faceOf);
      return next ? [next] : [];
    });
    const good = made.find((next) => next.every((s) => !ids.some((i) => s.includes(i)) || isSet(s.map(draft.faceOf))));
    const best = good || made[0];
    return !!best && draft.become(best);
  });
  return "";
}

/**
 * Lists where pieces may join a set: beside their own twin, which splits a run, at its end, at its beginning.
 * @param {number[]} set @param {number[]} ids @param {(id: number) => string} faceOf
 */
function joins(set, ids, faceOf) {
  const twin =
    ids.length === 1 && isRun(set.map(faceOf))
      ? set.find((i) => faceOf(i) === faceOf(ids[0]) && i !== set[0])
      : undefined;
  const ways = [
    { beside: set[set.length - 1], after: true },
    { beside: set[0], after: false },
  ];
  if (twin !== undefined) ways.unshift({ beside: twin, after: true });
  return set.length ? ways : [];
}

/**
 * Replaces the joker of a set by a piece; the joker then lies alone, as the last set.
 * @param {number} id @param {number} n @param {Game} game
 */
function freeJoker(id, n, game) {
  const { draft, words } = game;
  const set = draft.sets[n - 1];
  const jokers = (set || []).filter((i) => draft.faceOf(i) === "J");
  if (!set) return n ? fill(words.noSet, { n }) : words.whichSet;
  if (!jokers.length) return fill(words.noJoker, { n });
  if (!draft.free(set)) return words.fixed;
  const swapped = (/** @type {number} */ joker) => set.map((i) => (i === joker ? id : i));
  const joker = jokers.find((j) => isSet(swapped(j).map(draft.faceOf))) ?? jokers[0];
  game.lay([id], () => draft.become([...draft.sets.slice(0, n - 1), swapped(joker), ...draft.sets.slice(n), [joker]]));
  return "";
}

/**
 * Finds tiles of the table for a move. Tiles that lie in several sets need a set.
 * @param {Command} command @param {Game} game @returns {number[] | string}
 */
function onTable({ tiles, from, to }, { draft, words }) {
  if (from && !draft.sets[from - 1]) return fill(words.noSet, { n: from });
  const here = draft.sets.map((set, k) => ({ set, k })).filter(({ k }) => (from ? k === from - 1 : k + 1 !== to));
  const holding = here.filter(({ set }) => typeof take(tiles, set, draft, words) !== "string");
  const alone = holding.filter(({ set }) => set.length === tiles.length);
  const [one, other] = alone.length === 1 ? alone : holding;
  if (other)
    return fill(words.which, { tiles: tilesText(tiles, words), sets: holding.map(({ k }) => k + 1).join(", ") });
  return take(tiles, one ? one.set : here.flatMap(({ set }) => set), draft, words);
}

/** The commands that change the table. @type {Record<string, (command: Command, game: Game) => string>} */
const CHANGES = {
  lay(command, game) {
    const ids = loose(command.tiles, game);
    if (typeof ids === "string") return ids;
    if (command.to) return add(ids, command.to, game);
    game.lay(ids, () => game.draft.add(ids));
    return "";
  },
  add(command, game) {
    const ids = loose(command.tiles, game);
    return typeof ids === "string" ? ids : add(ids, command.to || 0, game);
  },
  move(command, game) {
    const { draft, words } = game;
    const ids = onTable(command, game);
    if (typeof ids === "string") return ids;
    if (!draft.opened && ids.some((i) => !draft.pieces[i].rack)) return words.fixed;
    if (command.to) return add(ids, command.to, game);
    game.lay(ids, () => draft.add(ids));
    return "";
  },
  take(command, game) {
    const { draft, words } = game;
    const set = command.from ? draft.sets[command.from - 1] : draft.sets.flat();
    if (!set) return fill(words.noSet, { n: command.from || 0 });
    const own = set.filter((i) => draft.pieces[i].rack);
    if (!command.from && !command.tiles.length) return words.whichSet;
    const ids = command.tiles.length ? take(command.tiles, own, draft, words) : own;
    if (typeof ids === "string") return ids;
    if (!ids.length) return words.notRack;
    game.lay(ids, () => draft.back(ids));
    return "";
  },
  free(command, game) {
    const ids = loose(command.tiles.slice(0, 1), game);
    return typeof ids === "string" ? ids : freeJoker(ids[0], command.from || 0, game);
  },
};
