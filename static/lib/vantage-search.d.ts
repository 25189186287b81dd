import type { Fusion, Hit, SearchResult, Sides, Stance, Vantage } from './index.js';
import type { WordsHit } from './words.js';

/**
 * `<vantage-search>`: a search box over a collection. The box takes keys as soon as this module runs: its children are
 * shown until then, and again, with a message, if the collection cannot be opened. If its host did not answer, the
 * next focus, the opening of the dialog, or a call of `search` or `focus` tries again. If the collection has an index of
 * words, words answer until the engine is there. On a server, which has no elements, importing it does nothing.
 *
 * Attributes: `collection`, the address of its folder; `method`, `lambda`, `mmr`, `k` as in SearchQuery;
 * `hybrid` as there, in words: a fusion, the weight of the words, or both ("min-max 0.3"); empty, the usual fusion;
 * `workers` as in OpenOptions; `perspectives`, separated by `|`; `label` and `placeholder` of the box;
 * `link`, the metadata field with a result's address (default `url`); `sides`, if what is typed is a claim or
 * about one: results say whether they are for it or against it, and a line how many passages are, once
 * the part of the encoder that tells sides apart has loaded; `highlight`: the query's words are marked, and of a long text the best two sentences are
 * shown; `loading`: "eager" (default), "idle", if the engine loads when the page has nothing else to do, or "lazy", if
 * it loads with the first focus or key; `dialog`: a button opens the box in a modal dialog, and so does `hotkey`, a key
 * such as "ctrl+shift+f" or "/", "none", or (default) "mod+k", where "mod" is ⌘ on Apple's systems and Ctrl on others.
 * The element sets `state` to `idle`, `loading`, `ready` or `error`.
 *
 * Slots: `button`, instead of the button that opens the dialog; `result`, a `<template>` that is copied for each
 * result. The copies are children of the element, so that the page's style sheets apply. In them, elements with
 * `data-field` get a value, as text: `title`, `text`, `url`, `score`, `stance` (its side is in `data-side`) or
 * `metadata.NAME`; those without one are hidden. An `<a data-field="url">` gets the address as `href`, if it is one of
 * the web, and keeps its content.
 *
 * Parts: `form`, `label`, `input`, `button`, `status`, `results`, `result`,
 * `title`, `text`, `mark`, and `box` around all of them; `fault`, the message if
 * something is wrong; `sides`, the line of the attribute `sides`, and `stance` of a result, which is also
 * the part `for` or `against`; `better`, a button that appears over the results if the
 * engine, the encoder or vectors arrived after them and the answer is now another one, and
 * `offer` around it; `open`, the button that opens the dialog, with the key in `hotkey`, `dialog`, and in it `close`.
 *
 * Custom properties: `--vantage-font`, `--vantage-ink`, `--vantage-muted`,
 * `--vantage-line`, `--vantage-field`, `--vantage-field-ink`, `--vantage-surface` (of the dialog),
 * `--vantage-mark`, `--vantage-mark-ink`,
 * `--vantage-accent`, `--vantage-accent-ink`, `--vantage-focus`,
 * `--vantage-fault`, `--vantage-for`, `--vantage-against`, `--vantage-radius`, `--vantage-gap`.
 *
 * Events, all bubbling: `vantage-ready`, `vantage-results`, an answer of the engine, `vantage-sides`, `vantage-error`,
 * which is logged on the console unless it is prevented, and `vantage-select`,
 * which can be prevented, when a result is clicked.
 */
export class VantageSearch extends HTMLElement {
  /** The collection, once it is open; null if none is named, or it is not to be loaded yet. */
  readonly vantage: Promise<Vantage> | null;
  /** The query. */
  value: string;
  /** The texts of the box; missing ones stay English. */
  get messages(): Messages;
  set messages(texts: Partial<Messages>);
  /** The attribute `hybrid`; true stands for the usual fusion, null and undefined remove it. */
  get hybrid(): string | null;
  set hybrid(value: Fusion | (string & {}) | boolean | null | undefined);
  /** The attribute `highlight`. */
  highlight: boolean;
  /** Searches for `value` and shows the answer: that of the words, while the collection is not open. */
  search(): Promise<void>;
  /** Opens the dialog, if the element has the attribute `dialog` and the page displays it. */
  showModal(): void;
  /** Closes it. */
  close(): void;
}

export interface Messages {
  label: string;
  button: string;
  /** Of the button that closes the dialog. */
  close: string;
  searching: string;
  none: (query: string) => string;
  found: (query: string, count: number) => string;
  /** Above results of which none is close to the query. */
  far: (query: string) => string;
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
  /** Of elements, `document` and `window`, up to which the events bubble. */
  interface GlobalEventHandlersEventMap {
    'vantage-ready': CustomEvent<Vantage>;
    'vantage-results': CustomEvent<SearchResult>;
    'vantage-sides': CustomEvent<Sides>;
    'vantage-error': CustomEvent<Error>;
    'vantage-select': CustomEvent<(Hit | WordsHit) & { metadata: { readonly [field: string]: unknown } }>;
  }
}
