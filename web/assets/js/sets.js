// @ts-check
// The sets of a table as a list, in the order in which every screen shows them. A set is a list of tiles in order.
// Which tiles form a valid set is the server's decision; the rules here only guess what a move is meant to do.

/** the length of the longest set */
export const LONGEST = 13;

const COLOURS = ["K", "R", "B", "O"];

/** @typedef {number[][]} Sets tiles are numbers */
/** @typedef {(id: number) => string} FaceOf */

/** @template T @param {T[]} list @param {number} at @param {number} gone @param {T[]} put @returns {T[]} */
const spliced = (list, at, gone, ...put) => [...list.slice(0, at), ...put, ...list.slice(at + gone)];

/** @param {string} face */
const number = (face) => Number(face.slice(1));

/**
 * Reports whether tiles in this order have one colour and ascend by one; a joker fits anywhere.
 * @param {string[]} faces
 */
export function isRun(faces) {
  const first = faces.findIndex((f) => f !== "J");
  if (first < 0) return false;
  const start = number(faces[first]) - first;
  return (
    start > 0 &&
    start + faces.length <= 14 &&
    faces.every((f, i) => f === "J" || (f[0] === faces[first][0] && number(f) === start + i))
  );
}

/**
 * Reports whether tiles could become one set, perhaps with more tiles between them: all of one colour with different
 * numbers, or of one number with different colours.
 * @param {string[]} faces
 */
export function related(faces) {
  const named = faces.filter((f) => f !== "J");
  const colours = new Set(named.map((f) => f[0]));
  const numbers = new Set(named.map(number));
  const run = colours.size < 2 && numbers.size === named.length && faces.length <= LONGEST;
  return run || (numbers.size < 2 && colours.size === named.length && faces.length <= 4);
}

/**
 * Sorts tiles of one colour in ascending order; jokers fill gaps first. Tiles that cannot be sorted in this way, or
 * that already are, keep their order.
 * @param {string[]} faces @returns {number[]} the order as indexes into faces
 */
export function ascending(faces) {
  const asLaid = faces.map((_, i) => i);
  const numbered = asLaid.filter((i) => faces[i] !== "J");
  const jokers = asLaid.filter((i) => faces[i] === "J");
  if (numbered.length < 2 || numbered.some((i) => faces[i][0] !== faces[numbered[0]][0])) return asLaid;
  const steps = numbered.every(
    (i, k) => k === 0 || number(faces[i]) - number(faces[numbered[k - 1]]) === i - numbered[k - 1],
  );
  if (steps) return asLaid;
  const sorted = [...numbered].sort((a, b) => number(faces[a]) - number(faces[b]));
  /** @type {number[]} */
  const out = [];
  for (const [k, i] of sorted.entries()) {
    const gap = k ? number(faces[i]) - number(faces[sorted[k - 1]]) - 1 : 0;
    if (gap < 0 || (jokers.length && gap > jokers.length)) return asLaid;
    out.push(...jokers.splice(0, gap), i);
  }
  return number(faces[sorted[sorted.length - 1]]) + jokers.length > 13 ? [...jokers, ...out] : [...out, ...jokers];
}

/** @param {number[]} ids @param {FaceOf} faceOf @returns {number[]} the tiles in ascending order if possible */
export function ordered(ids, faceOf) {
  return ascending(ids.map(faceOf)).map((k) => ids[k]);
}

/**
 * Takes tiles out of their sets. A run without tiles of its middle becomes two sets.
 * @param {Sets} sets @param {number[]} ids @param {FaceOf} faceOf @returns {Sets}
 */
export function without(sets, ids, faceOf) {
  return sets.flatMap((set) => {
    if (!set.some((i) => ids.includes(i))) return [set];
    const left = set.filter((i) => !ids.includes(i));
    if (!left.length) return [];
    if (!isRun(set.map(faceOf))) return [left];
    /** @type {Sets} */
    const parts = [];
    set.forEach((id, k) => {
      if (ids.includes(id)) return;
      if (k && !ids.includes(set[k - 1])) parts[parts.length - 1].push(id);
      else parts.push([id]);
    });
    return parts;
  });
}

/**
 * Puts tiles beside a tile of the table, in its set. A tile that a run has already splits it: 8 9 10 | 10 11 12.
 * @param {Sets} sets @param {number[]} ids @param {number} beside @param {boolean} after @param {FaceOf} faceOf
 * @returns {Sets | undefined} undefined if the set would be too long
 */
export function insert(sets, ids, beside, after, faceOf) {
  const at = sets.findIndex((s) => s.includes(beside));
  const set = sets[at];
  const k = set.indexOf(beside) + Number(after);
  const twin = [k - 1, k].find((i) => set[i] !== undefined && faceOf(set[i]) === faceOf(ids[0]));
  if (ids.length === 1 && twin !== undefined && faceOf(ids[0]) !== "J" && set.length > 2 && isRun(set.map(faceOf)))
    return spliced(sets, at, 1, set.slice(0, twin + 1), ordered([...ids, ...set.slice(twin + 1)], faceOf));
  if (set.length + ids.length > LONGEST) return undefined;
  return spliced(sets, at, 1, ordered(spliced(set, k, 0, ...ids), faceOf));
}

/**
 * Puts tiles between two tiles that lie beside an empty place, each perhaps missing. They complete a run of both sets,
 * or join the first set that they might belong to; otherwise they become a set of their own.
 * @param {Sets} sets @param {number[]} ids @param {number | undefined} left @param {number | undefined} right
 * @param {boolean} after whether the right one comes first @param {number} index of a new set
 * @param {FaceOf} faceOf @param {(set: number[]) => boolean} open reports whether tiles may be added to a set
 * @returns {Sets}
 */
export function between(sets, ids, left, right, after, index, faceOf, open) {
  const before = sets.findIndex((s) => left !== undefined && s.includes(left));
  const behind = sets.findIndex((s) => right !== undefined && s.includes(right));
  if (before >= 0 && behind === before + 1) {
    const whole = [...sets[before], ...ids, ...sets[behind]];
    if (isRun(whole.map(faceOf)) && open(sets[before]) && open(sets[behind])) return spliced(sets, before, 2, whole);
  }
  /** @param {number} at @param {number | undefined} beside @param {boolean} behindIt */
  const joined = (at, beside, behindIt) => {
    if (at < 0 || beside === undefined || !open(sets[at]) || !related([...sets[at], ...ids].map(faceOf)))
      return undefined;
    return insert(sets, ids, beside, behindIt, faceOf);
  };
  const first = () => joined(before, left, true);
  const second = () => joined(behind, right, false);
  const found = after ? second() || first() : first() || second();
  return found || spliced(sets, index, 0, ordered(ids, faceOf));
}

/**
 * Names what tiles are in this order: a run, a group, or "" if they are no set. The server's verdict counts.
 * @param {string[]} faces @returns {"run" | "group" | ""}
 */
export function kindOf(faces) {
  const named = faces.filter((f) => f !== "J");
  if (faces.length < 3 || !named.length) return "";
  if (isRun(faces)) return "run";
  const same = named.every((f, i) => number(f) === number(named[0]) && named.findIndex((g) => g[0] === f[0]) === i);
  return same && faces.length <= COLOURS.length ? "group" : "";
}

/** @param {string[]} faces a run @param {number} i @returns {string} the tile at an index, also where a joker lies */
export function faceAt(faces, i) {
  const first = faces.findIndex((f) => f !== "J");
  return faces[first][0] + (number(faces[first]) - first + i);
}

/**
 * Returns the tiles that each joker of a set may stand for.
 * @param {string[]} faces @returns {string[][]} in the order of the jokers; none if the tiles are no set
 */
export function standFor(faces) {
  const kind = kindOf(faces);
  const jokers = kind ? faces.flatMap((f, i) => (f === "J" ? [i] : [])) : [];
  const named = faces.filter((f) => f !== "J");
  const missing = COLOURS.filter((c) => !named.some((f) => f[0] === c)).map((c) => c + named[0]?.slice(1));
  return jokers.map((i) => (kind === "run" ? [faceAt(faces, i)] : missing));
}

/**
 * Returns the joker of a set that a tile replaces: one that stands for it, else the first.
 * @param {number[]} set @param {string} face @param {FaceOf} faceOf @returns {number | undefined}
 */
export function jokerFor(set, face, faceOf) {
  const jokers = set.filter((i) => faceOf(i) === "J");
  return jokers[
    Math.max(
      0,
      standFor(set.map(faceOf)).findIndex((list) => list.includes(face)),
    )
  ];
}

/**
 * Puts tiles into the set of a tile, where they belong in it if they belong anywhere. A tile that a run has already
 * splits it.
 * @param {Sets} sets without the tiles @param {number[]} ids @param {number} beside @param {FaceOf} faceOf
 * @returns {Sets | undefined} undefined if the set would be too long
 */
export function joined(sets, ids, beside, faceOf) {
  const set = sets.find((s) => s.includes(beside)) || [];
  const twin = ids.length === 1 ? set.find((i) => faceOf(i) === faceOf(ids[0])) : undefined;
  const last = insert(sets, ids, twin ?? set[set.length - 1], true, faceOf);
  const first = twin === undefined ? insert(sets, ids, set[0], false, faceOf) : undefined;
  const fits = (/** @type {Sets | undefined} */ next) =>
    !!kindOf((next?.find((s) => s.includes(beside)) || []).map(faceOf));
  return fits(first) && !fits(last) ? first : last;
}

/** Splits a set after a tile. @param {Sets} sets @param {number} id @returns {Sets} */
export function splitAfter(sets, id) {
  const at = sets.findIndex((s) => s.includes(id));
  const k = sets[at].indexOf(id) + 1;
  return spliced(sets, at, 1, ...[sets[at].slice(0, k), sets[at].slice(k)].filter((part) => part.length));
}

/** Replaces a joker, which becomes the last set. @param {Sets} sets @param {number} joker @param {number} id */
export function exchanged(sets, joker, id) {
  return [...sets.map((set) => set.map((i) => (i === joker ? id : i))), [joker]];
}
