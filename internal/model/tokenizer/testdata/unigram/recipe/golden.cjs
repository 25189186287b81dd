// Writes the ids of the Rust tokenizers library: golden.cjs FOLDER TARGET
const fs = require("fs"), path = require("path");
const [folder, target] = process.argv.slice(2);
const { Tokenizer } = require(path.join(folder, "node_modules/tokenizers"));
const read = (name) => JSON.parse(fs.readFileSync(name));
const texts = read(path.join(folder, "texts.json"));
const few = texts.filter((text, i) => (i < 15 || i % 3 == 0) && text.length < 200);

async function ids(file, texts, special) {
  const t = Tokenizer.fromString(JSON.stringify(file)), all = [];
  for (const text of texts) all.push((await t.encode(text, null, { addSpecialTokens: special })).getIds());
  return all;
}

(async () => {
  const golden = { source: "tokenizers 0.23.2 from npm; recipe/make.sh", texts, few };
  for (const layout of ["t5", "xlmr"]) {
    const file = read(path.join(target, layout, "tokenizer.json"));
    golden[layout] = await ids(file, texts, true);
    // as transformers converts a folder that has the SentencePiece model alone
    file.normalizer = { type: "Sequence", normalizers: [file.normalizer, { type: "Strip", strip_left: false, strip_right: true }, { type: "Replace", pattern: { Regex: " {2,}" }, content: "▁" }] };
    file.pre_tokenizer = { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true };
    golden[layout + " converted"] = await ids(file, texts, true);
  }
  const { models, cases } = read(path.join(folder, "cases.json"));
  const base = read(path.join(target, "t5/tokenizer.json"));
  models.Unigram = base.model;
  for (const c of cases) {
    const { name, model, ...parts } = c;
    c.ids = await ids({ ...base, ...parts, model: models[model], post_processor: null }, few, false);
    // The T5-like charsmap is long, and in the file already.
    Object.assign(c, JSON.parse(JSON.stringify(parts).replaceAll(base.normalizer.precompiled_charsmap, "CHARSMAP")));
  }
  delete models.Unigram;
  delete models.bytes.vocab;
  golden.models = models;
  const line = (v) => JSON.stringify(v).replace(/[\u007f-\u009f\u00ad\u0600\u200b-\u200f\u2028-\u202e\ufeff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  const lines = Object.entries(golden).map(([k, v]) => JSON.stringify(k) + ":" + line(v));
  lines.push('"cases":[\n' + cases.map(line).join(",\n") + "]");
  fs.writeFileSync(path.join(target, "golden.json"), "{" + lines.join(",\n") + "}\n");
})();
