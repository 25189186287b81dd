// The fewest moves that bring a list into another order.

/**
 * Returns which entries have to move: all but a longest subsequence that already stands in the wanted order. Pinned
 * entries (headings, advertisements) do not move, so an entry that changes sides with one of them has to. If the
 * pinned entries themselves are not in the wanted order, they count as the others.
 * @param {number[]} wanted wanted[i] is the place that the list's i-th entry shall have: a permutation
 * @param {boolean[]} pinned
 * @returns {boolean[]} whether the i-th entry moves
 */
export function leastMoves(wanted, pinned) {
  const moves = wanted.map(() => true);
  const pins = wanted.filter((_, at) => pinned[at]);
  const holds = pins.every((place, at) => at === 0 || pins[at - 1] < place);
  if (!holds) {
    for (const at of rising(wanted, 0, wanted.length, -Infinity, Infinity)) moves[at] = false;
    return moves;
  }
  // Between two pins, only what shall be between the same two can stay.
  let from = 0;
  let low = -Infinity;
  for (let at = 0; at <= wanted.length; at++) {
    if (at < wanted.length && !pinned[at]) continue;
    const high = at < wanted.length ? wanted[at] : Infinity;
    for (const stays of rising(wanted, from, at, low, high)) moves[stays] = false;
    if (at < wanted.length) moves[at] = false;
    from = at + 1;
    low = high;
  }
  return moves;
}

/**
 * A longest increasing subsequence of the values between low and high, by patience sorting: n log n.
 * @param {number[]} values
 * @param {number} from
 * @param {number} to
 * @param {number} low
 * @param {number} high
 * @returns {number[]} indices
 */
function rising(values, from, to, low, high) {
  /** @type {number[]} The index that ends the best subsequence of each length. */
  const ends = [];
  /** @type {Map<number, number>} */
  const before = new Map();
  for (let at = from; at < to; at++) {
    const value = values[at];
    if (value <= low || value >= high) continue;
    let left = 0;
    let right = ends.length;
    while (left < right) {
      const middle = (left + right) >> 1;
      if (values[ends[middle]] < value) left = middle + 1;
      else right = middle;
    }
    if (left > 0) before.set(at, ends[left - 1]);
    ends[left] = at;
  }
  const indices = [];
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) indices.push(at);
  return indices.reverse();
}
