// Code that pages may write with the library, and code that must not compile: `make lint-js` compiles this
// file and does not run it. Every public method occurs, and most options.

import {
  ClosedError,
  EncoderMismatchError,
  FormatError,
  IntegrityError,
  LimitError,
  LostInstanceError,
  METHODS,
  NetworkError,
  OutdatedError,
  QueryError,
  StorageError,
  UnavailableError,
  UnsupportedError,
  Vantage,
  VantageError,
  VersionError,
  shortest,
} from '../lib/index.js';
import type {
  AngleEncoding,
  AtK,
  Because,
  CollectionInfo,
  Comparison,
  Coverage,
  Document,
  Download,
  EncodedText,
  Encoding,
  Evaluation,
  Explain,
  ExplainedHit,
  Hit,
  Judgement,
  LocalDocument,
  Method,
  ModuleSource,
  OpenOptions,
  OtherSide,
  PageEncoder,
  Portions,
  Progress,
  Reading,
  SearchQuery,
  SearchResult,
  Sides,
  Stance,
  TextRole,
} from '../lib/index.js';

/** Accepts a value of exactly the type T, which is not `any`. */
function exactly<T>() {
  return <U>(_value: U & (0 extends 1 & U ? never : [T, U] extends [U, T] ? unknown : never)): void => {};
}

declare const worker: Worker;
declare const bytes: Uint8Array;
declare const module: WebAssembly.Module;
const { signal } = new AbortController();

// Opening.

const encoder: PageEncoder = {
  id: 'own',
  dim: 2,
  encode: (texts: string[], _role: TextRole) => texts.map(() => [0.6, 0.8]),
};

const options: OpenOptions = {
  encoder,
  worker: [worker, worker],
  workers: 2,
  core: 'core.wasm.gz',
  kernel: bytes,
  shim: module,
  patience: 0,
  maxBytes: 2 ** 30,
  onProgress: (progress: Progress) => exactly<number>()(progress.loaded + progress.total + progress.encoder.total),
  signal,
};
const vantage = await Vantage.open(new URL('https://example.org/collection/'), options);
exactly<Vantage>()(vantage);
await Vantage.open('collection/');
await Vantage.open('collection/', { worker: false, encoder: 'model/' });
await Vantage.open('collection/', { worker: true, encoder: { tokenizer: bytes, weights: 'w', config: 'c', id: 'x' } });
await Vantage.create({ encoder: null });
await Vantage.create({ encoder: { ...encoder, revision: '1', ready: Promise.resolve() }, worker });
const source: ModuleSource = bytes.buffer as ArrayBuffer;
await Vantage.create({ encoder: 'model/', core: source });

// @ts-expect-error: a folder is needed
await Vantage.open();
// @ts-expect-error: an encoder is needed, or null
await Vantage.create({});
// @ts-expect-error: a number of bytes
await Vantage.open('collection/', { maxBytes: '1 GB' });
// @ts-expect-error: there is no such option
await Vantage.open('collection/', { threads: 2 });
// @ts-expect-error: null is only for create
await Vantage.open('collection/', { encoder: null });
// @ts-expect-error: one of three files is missing
await Vantage.open('collection/', { encoder: { tokenizer: 't', weights: 'w' } });
// @ts-expect-error: an encoder states its dimension
await Vantage.open('collection/', { encoder: { id: 'own', encode: encoder.encode } });
// @ts-expect-error: the constructor is private
new Vantage();

// Properties.

exactly<CollectionInfo>()(vantage.info);
exactly<boolean>()(vantage.inWorker);
exactly<Promise<void>>()(vantage.ready);
exactly<Coverage>()(vantage.coverage);
exactly<string | undefined>()(vantage.info.model.revision);
exactly<'string' | 'number' | 'bool'>()(vantage.info.fields[0].type);
// @ts-expect-error: it is read-only
vantage.coverage = { rows: 0, total: 0 };

// Searching.

const query: SearchQuery = {
  query: 'Find a claim that opposes the argument: cities should ban cars',
  root: new Float32Array(2),
  perspectives: ['opposes', [0.6, 0.8]],
  method: 'pap+',
  lambda: 0.5,
  k: 20,
  mmr: 0.7,
  hybrid: { fusion: 'min-max', weight: 0.3 },
  filter: { year: { min: 2000 }, stance: ['pro', 'con'], open: true, left: undefined },
  explain: true,
  cosineRank: true,
  signal,
};
const result = await vantage.search(query);
exactly<SearchResult>()(result);
exactly<Hit>()(result.hits[0]);
exactly<Explain | undefined>()(result.hits[0].explain);
exactly<EncodedText[]>()(result.texts);
exactly<number>()(result.timing.encode + result.timing.rank + result.timing.documents);
exactly<'server' | 'page' | 'engine' | undefined>()(result.encodedBy);
exactly<string | undefined>()(result.notice);
await vantage.search({
  query: 'a',
  root: null,
  perspectives: null,
  method: null,
  score: null,
  mmr: null,
  hybrid: true,
  filter: null,
});
// Scores.
await vantage.search({ query: 'a', score: 'dot' });
await vantage.search({ query: new Float32Array(3 * vantage.info.dim), score: 'maxsim' });
// @ts-expect-error: there is no such score
await vantage.search({ query: 'a', score: 'euclid' });
exactly<'dot' | 'maxsim' | undefined>()(result.score);
// Sides.

await vantage.search({ query: 'reasons against: cars', side: 'for' });
// @ts-expect-error: neither is no side to filter by
await vantage.search({ query: 'reasons against: cars', side: 'neither' });
exactly<'for' | 'against' | null>()(await vantage.stance('a claim that opposes'));
const personal = await vantage.search({
  query: 'Who pays me?',
  contexts: ['I am self-employed.', new Float32Array(2)],
  contextLambda: 0.5,
});
exactly<Because | undefined>()(personal.hits[0].because);
// @ts-expect-error: a list is needed
await vantage.search({ query: 'Who pays me?', contexts: 'I am self-employed.' });
// @ts-expect-error: contexts order the hits of a collection
await vantage.rerank(['a'], { query: 'Who pays me?', contexts: ['I am self-employed.'] });

await vantage.search({ query: 'a', rescore: 20, k: 5 });
// @ts-expect-error: the texts of rerank are not stored, so nothing is rounded
await vantage.rerank(['a'], { query: 'a', rescore: 20 });

const sides = await vantage.sides('a claim', { k: 3, strength: 0.5, filter: { open: true }, signal });
exactly<Sides>()(sides);
exactly<Stance>()(sides.against.hits[0].stance);
exactly<Stance | undefined>()(result.hits[0].stance);
exactly<number>()((await vantage.sidesOf('a claim', ['a', 'b'], { k: 2 })).neither.count);
// @ts-expect-error: bare texts have no fields
await vantage.sidesOf('a claim', ['a'], { filter: { open: true } });
exactly<(Stance | null)[]>()(await vantage.stances('a claim', [0, 7], { signal }));
exactly<OtherSide>()(await vantage.otherSide(0, { root: 'a claim', k: 5, strength: 1, filter: null, signal }));
await vantage.otherSide(0);
// @ts-expect-error: a document is named by its index
await vantage.otherSide('note-1');
await vantage.add([{ id: 'note-2', text: 'a' }], { angles: true, signal });
await Vantage.create({ encoder: vantage });

await vantage.search({ query: [0.6, 0.8], hybrid: 'rrf', explain: false });

// @ts-expect-error: a query is needed
await vantage.search({});
// @ts-expect-error: a query is an object
await vantage.search('a');
// @ts-expect-error: a number
await vantage.search({ query: 'a', k: '10' });
// @ts-expect-error: true or false
await vantage.search({ query: 'a', cosineRank: 1 });
// @ts-expect-error: there is no such fusion
await vantage.search({ query: 'a', hybrid: 'sum' });
// @ts-expect-error: there is no such option
await vantage.search({ query: 'a', limit: 10 });
// @ts-expect-error: a range has min and max
await vantage.search({ query: 'a', filter: { year: { from: 2000 } } });

const reranked = await vantage.rerank(['one', 'two'], { query: 'a', method: 'none' });
exactly<ExplainedHit>()(reranked.hits[0]);
exactly<number>()(reranked.hits[0].explain.cosine);
exactly<number | undefined>()(reranked.hits[0].explain.cosine_rank); // present if it was requested
const [{ vector: known, angle: slant }] = await vantage.encode(['one'], 'document', { angle: true });
await vantage.rerank(['two', { text: 'one', vector: known }, { text: 'one', vector: known, angle: slant }], {
  query: 'a',
});
await vantage.sidesOf('a', [{ text: 'one', vector: known, angle: slant }]);
// @ts-expect-error: the vector is missing
await vantage.rerank([{ text: 'one' }], { query: 'a' });
const bare = await vantage.rerank(new Set(['one']), { query: 'a', explain: false as boolean });
exactly<Hit>()(bare.hits[0]);
// @ts-expect-error: hits may lack it
bare.hits[0].explain.cosine_rank;
// @ts-expect-error: bare texts have no fields
await vantage.rerank(['one'], { query: 'a', filter: {} });
// @ts-expect-error: bare texts have no index of words
await vantage.rerank(['one'], { query: 'a', hybrid: true });
// @ts-expect-error: bare texts have no coverage
reranked.coverage;

exactly<Reading | null>()(await vantage.split('a'));
exactly<Encoding>()(await vantage.encode('a'));
exactly<Encoding[]>()(await vantage.encode(['a', 'b'], 'document'));
exactly<AngleEncoding>()(await vantage.encode('a', 'query', { angle: true }));
exactly<AngleEncoding[]>()(await vantage.encode(['a', 'b'], 'document', { angle: true }));
// @ts-expect-error: there is no such role
await vantage.encode('a', 'title');

// Documents.

const document: LocalDocument = { id: '1', title: 't', text: 'x', metadata: { year: 2000 }, vector: [0.6, 0.8] };
exactly<number[]>()(await vantage.add([document, { id: '2', text: 'y' }], { signal }));
exactly<void>()(await vantage.remove(['1'], { signal }));
exactly<number>()(await vantage.save('notes'));
exactly<number[]>()(await vantage.restore('notes', { signal }));
exactly<string[]>()(await Vantage.saved());
exactly<boolean>()(await Vantage.forget('notes'));
exactly<Document[]>()(await vantage.documents([0, 1], { signal }));
// @ts-expect-error: a document has a text
await vantage.add([{ id: '3' }]);
// @ts-expect-error: a list
await vantage.add(document);
// @ts-expect-error: numbers, not ids
await vantage.documents(['1']);

// Evaluation.

const vectors = [new Float32Array(2)];
exactly<{ [method: string]: number[][] }>()(
  await vantage.rankings({
    vectors,
    queries: vectors,
    roots: vectors,
    perspectives: null,
    methods: ['none', 'pap+'],
    lambda: 1,
    k: 10,
    signal,
  }),
);
// @ts-expect-error: methods are named
await vantage.rankings({ vectors, queries: vectors });
const judgement: Judgement = await vantage.judge({
  rankings: [[0, 1]],
  gold: [new Uint32Array(1)],
  roots: ['a'],
  perspectives: ['b'],
  labels: ['support'],
  ks: [1, 5],
});
exactly<AtK>()(judgement.recall.overall);
exactly<AtK | undefined>()(judgement.p_recall);
// @ts-expect-error: gold is needed
await vantage.judge({ rankings: [[0]] });
exactly<Portions>()(await vantage.portions({ found: [['a', 'b']], rows: ['here'] }));
// @ts-expect-error: lists of labels
await vantage.portions({ found: ['a'] });
const qrels = new File([], 'qrels');
const run = { name: 'run', content: 'q Q0 d 1 1.0 r' };
const evaluation: Evaluation = await vantage.evaluate({
  qrels,
  run,
  measures: ['map', 'nDCG@10'],
  level: 1,
  complete: true,
  judgedOnly: true,
  maxRetrieved: 1000,
  collection: 0,
  perQuery: true,
  signal,
});
exactly<number | string>()(evaluation.averages.map);
// @ts-expect-error: a run is needed
await vantage.evaluate({ qrels });
exactly<Comparison[]>()(
  await vantage.compare({
    qrels,
    runs: [run, run],
    measures: ['map'],
    level: 1,
    complete: true,
    rounds: 100,
    seed: 1,
    perQuery: true,
    signal,
  }),
);
// @ts-expect-error: measures are named
await vantage.compare({ qrels, runs: [run, run] });

// The rest.

exactly<{ used: number; reserved: number }>()(await vantage.memory());
exactly<Download[]>()(await vantage.downloads());
exactly<void>()(vantage.close());
exactly<readonly Method[]>()(METHODS);
exactly<number>()(shortest(0.1));
// @ts-expect-error: the list is read-only
METHODS.push(METHODS[0]);

/** What a page can tell a visitor about an error. */
export function explain(error: unknown): string {
  if (!(error instanceof VantageError)) return 'unknown';
  exactly<string>()(error.code);
  exactly<string | undefined>()(error.file);
  if (error instanceof NetworkError) return `${error.url} ${error.status}`;
  if (error instanceof IntegrityError) return `${error.expected} ${error.got}`;
  if (error instanceof FormatError) return `${error.line}`;
  if (error instanceof EncoderMismatchError) return `${error.cosine}`;
  if (error instanceof LimitError) return `${error.limit}`;
  if (error instanceof UnavailableError) return `${error.fault}`;
  if (error instanceof LostInstanceError) return `${error.log}`;
  const others = [ClosedError, OutdatedError, QueryError, StorageError, UnsupportedError, VersionError];
  return others.some((type) => error instanceof type) ? error.message : error.code;
}
// @ts-expect-error: only some errors have a line
new QueryError('a').line;
