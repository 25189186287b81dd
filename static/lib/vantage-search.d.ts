import type { Hit, SearchResult, Sides, Stance, Vantage } from './index.js';

/**
 * `<vantage-search>`: a search box over a collection. Its children are shown until it is ready. If it
 * fails, they stay, and a message says why. On a server, which has no elements, importing it does nothing.
 *
 * Attributes: `collection`, the address of its folder; `method`, `lambda`, `mmr`, `k` as in SearchQuery;
 * `workers` as in OpenOptions; `perspectives`, separated by `|`; `label` and `placeholder` of the box;
 * `link`, the metadata field with a result's address (default `url`); `sides`, if what is typed is a claim or
 * about one: results say whether they are for it or against it, and a line how many passages are, once
 * what hears sides has loaded. The element sets `state` to `loading`, `ready` or `error`.
 *
 * Parts: `form`, `label`, `input`, `button`, `status`, `results`, `result`,
 * `title`, `text`, and `box` around all of them; `fault`, the message if
 * something is wrong; `sides`, the line of the attribute `sides`, and `stance` of a result, which is also
 * the part `for` or `against`; `better`, a button that appears over the results if the
 * encoder or vectors arrived after them and the answer is now another one, and
 * `offer` around it.
 *
 * Custom properties: `--vantage-font`, `--vantage-ink`, `--vantage-muted`,
 * `--vantage-line`, `--vantage-field`, `--vantage-field-ink`,
 * `--vantage-accent`, `--vantage-accent-ink`, `--vantage-focus`,
 * `--vantage-fault`, `--vantage-for`, `--vantage-against`, `--vantage-radius`, `--vantage-gap`.
 *
 * Events, all bubbling: `vantage-ready`, `vantage-results`, `vantage-sides`, `vantage-error`,
 * which is logged on the console unless it is prevented, and `vantage-select`,
 * which can be prevented, when a result is clicked.
 */
export class VantageSearch extends HTMLElement {
  /** The collection, once it is open; null if none is named. */
  readonly vantage: Promise<Vantage> | null;
  /** The query. */
  value: string;
  /** The texts of the box; missing ones stay English. */
  get messages(): Messages;
  set messages(texts: Partial<Messages>);
  /** Searches for `value` and shows the answer. */
  search(): Promise<void>;
}

export interface Messages {
  label: string;
  button: string;
  searching: string;
  none: (query: string) => string;
  found: (query: string, count: number) => string;
  partly: (rows: number, total: number) => string;
  /** How many passages are for the root, and how many against it. */
  sides: (pro: number, against: number) => string;
  /** Which side a result is on; never "neither". */
  stance: (stance: Stance) => string;
  /** Only words answer: see `notice` of a SearchResult. */
  words: string;
  /** On the button that shows the answer once the encoder and all vectors have arrived. */
  better: string;
  /** The collection cannot be opened. */
  unavailable: (error: Error) => string;
  /** Some of its files cannot be loaded. */
  incomplete: (error: Error) => string;
  /** A search failed. */
  fault: (error: Error) => string;
}

declare global {
  interface HTMLElementTagNameMap {
    'vantage-search': VantageSearch;
  }
  interface HTMLElementEventMap {
    'vantage-ready': CustomEvent<Vantage>;
    'vantage-results': CustomEvent<SearchResult>;
    'vantage-sides': CustomEvent<Sides>;
    'vantage-error': CustomEvent<Error>;
    'vantage-select': CustomEvent<Hit & { metadata: { [field: string]: unknown } }>;
  }
}
