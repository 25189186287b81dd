// Cosines of vectors that a page has. Those of rows are computed by the core.

/**
 * 0 for a vector without direction.
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function cosine(a, b) {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : 0;
}
