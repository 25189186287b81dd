// What the parts of the extension tell each other, and what it stores.

/** A page's list of results, as data. The schema is rules/schema.json. */
export interface Rule {
  /** Lower-case letters, digits and hyphens; unique within the user's rules, and within the bundled ones. */
  id: string;
  name: string;
  /** The pages that it is for, as match patterns: "https://duckduckgo.com/*". */
  matches: string[];
  /** A further condition: a regular expression on path and search of the address. */
  path?: string;
  /**
   * Where the page's query is: a parameter of its address, or an element (selector): a field's value,
   * any other element's text, such as the heading of a list that nobody searched for.
   */
  query: { parameter: string } | { selector: string };
  /** Selects each result. Results may have several parents; each moves within its own. */
  result: string;
  /**
   * Matches the siblings right behind a result that belong to it, such as the <dd> behind a <dt>: up to eight
   * in a row, until one does not match or is a result. They move along, in their order, and title, link and
   * snippet are looked for in the result first, then in them.
   */
  with?: string;
  /** Within a result. The title's text ranks with the snippet's. */
  title: string;
  /** Default: the link in the title, or around it. */
  link?: string;
  snippet?: string;
  /** The day on which the structure was last known, and from where: "2025-06-01", "rules of …". */
  asOf?: string;
  source?: string;
}

/** What the reader asks for. */
export interface Ask {
  /** What the results are about: the page's query. Not empty. */
  root: string;
  /** From where to look: "a claim that supports", "in Germany", "for parents". Empty: only the subject counts. */
  perspective: string;
  /** With a side, the perspective is its wording, `contrast` ranks, and hits tell their sides. */
  side: 'for' | 'against' | null;
  /** A name or alias of a method of the library; null: auto (contrast with a side). */
  method: string | null;
  /** 0 to 2: how much the perspective counts. 1, and null: what the method recommends. */
  strength: number | null;
  /** Spread over sides: MMR after the ranking. */
  spread: boolean;
}

/** One result as it is read from the page. */
export interface ResultText {
  title: string;
  snippet: string;
}

/**
 * To the engine, through a port named PORT. The engine answers each `rank` with any number of `ranked`, `sending` and
 * `notice`, and ends with `done` or `failed`. A question that is cancelled, as each is by the next one on its port,
 * gets no more answers.
 */
export type ToEngine = { type: 'rank'; id: number; ask: Ask; results: ResultText[] } | { type: 'cancel'; id: number };

/** Who ranked: the light encoder, the bundled transformer, or the user's server. */
export type By = 'light' | 'sides' | 'server';

export interface Place {
  /** Of the result in `results`. */
  index: number;
  score: number;
  /** Only with a side, only from `sides`. `neither`: no side, as far as the model tells; null: not on the subject. */
  stance: { side: 'for' | 'neither' | 'against'; probability: number } | null;
  /**
   * Cosines with root and perspective, the latter null if the perspective is empty; by `contrast` and `aspect`, the cosine
   * with the root and what the angles add to the score. null: the method left the result out.
   */
  why: { root: number; perspective: number | null } | null;
  /** The encoders know few of its words: it was not ranked, and keeps the place that the page gave it. */
  foreign?: boolean;
}

export type FromEngine =
  /** The places are a permutation of all results, best first; those that are foreign stand where they stood. */
  | { type: 'ranked'; id: number; by: By; method: string; kind: string; places: Place[] }
  /** While texts travel to a server, and when they no longer do. */
  | { type: 'sending'; id: number; host: string; now: boolean }
  /** What the reader should know, such as that the server is down and the built-in encoder ranks. A key of the locale file. */
  | { type: 'notice'; id: number; key: string; host?: string }
  | { type: 'done'; id: number }
  /** The key of a sentence in the locale file, and details for the console. */
  | { type: 'failed'; id: number; key: string; detail: string };

/** To the background, by runtime.sendMessage. */
export type ToBackground =
  /** Starts the engine if it does not run; answered with {} or {key, detail}. */
  | { to: 'background'; type: 'engine' }
  /** From the engine's document: nobody has asked for a while. */
  | { to: 'background'; type: 'idle' }
  /** From the engine's document, which cannot read the storage; answered with `encoder` of the settings. */
  | { to: 'background'; type: 'encoder' }
  /** A button of the page's bar opens the options. */
  | { to: 'background'; type: 'options' };

/** To the content script of a tab, by tabs.sendMessage from the popup. */
export type ToContent =
  | { to: 'content'; type: 'state' }
  /** Infers the list from the page's shape and shows the bar. */
  | { to: 'content'; type: 'infer' }
  /** The reader points at a result; the rule is inferred from it. */
  | { to: 'content'; type: 'pick' }
  /** Shows the bar, or takes it away and puts the results back. */
  | { to: 'content'; type: 'show'; on: boolean };

/** The answer to each of these. */
export interface ContentState {
  shown: boolean;
  rule: { id: string; name: string; inferred: boolean } | null;
  results: number;
}

/** All that is in storage.local. Every part is checked when it is read; what is unusable counts as absent. */
export interface Settings {
  rules: Rule[];
  /** Ids of bundled rules that are switched off. */
  off: string[];
  encoder: { kind: 'builtin' } | { kind: 'server'; url: string; key: string };
  /** How the bar was left: the chips' free texts, whether it is folded. Each is an entry of its own: "bar.place". */
  bar: { folded: boolean; place: string; time: string; audience: string; own: string };
}
