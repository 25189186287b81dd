// What words.js answers, in a page and in Node.js: light_test.go compares it with Go.

/**
 * @param {{Words: any}} library
 * @param {{url: string, queries: object[]}[]} collections
 * @returns for each query its ranking, with the bits of the scores, or its error
 */
export async function rankings({ Words }, collections) {
  const bits = new DataView(new ArrayBuffer(8));
  const show = ({ document, score }) => {
    bits.setFloat64(0, score);
    return `${document}:${bits.getBigUint64(0).toString(16)}`;
  };
  const answers = [];
  for (const { url, queries } of collections) {
    const words = await Words.open(url);
    for (const query of queries) {
      try {
        answers.push((await words.rank(query)).map(show).join(' '));
      } catch (error) {
        answers.push(`${error.kind}: ${error.message}`);
      }
    }
  }
  return answers;
}

/**
 * The terms of every character within a text that shows what it does to those around it: a hash for each 4096.
 * @param {{Words: any}} library
 * @param {number[]} blocks
 */
export async function characters({ Words }, blocks) {
  const hashes = [];
  for (const block of blocks) {
    let all = '';
    for (let point = 4096 * block; point < 4096 * (block + 1); point++) {
      const character = point >= 0xd800 && point < 0xe000 ? '\ufffd' : String.fromCodePoint(point);
      all += `${Words.terms(`a\u302e${character}\u{1d165}b ${character}`).join(' ')}\n`;
    }
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(all));
    hashes.push(Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''));
  }
  return hashes;
}

/**
 * Searches for the single best hit of each query, and returns how many came. light_test.go counts what that fetches.
 * @param {{Words: any}} library
 * @param {{url: string, query: string}[]} searches
 */
export async function first({ Words }, searches) {
  const found = [];
  for (const { url, query } of searches) {
    const words = await Words.open(url);
    found.push((await words.search({ query, k: 1 })).hits.length);
  }
  return found;
}
