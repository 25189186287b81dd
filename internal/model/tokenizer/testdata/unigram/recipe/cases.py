"""Writes cases.json: tokenizer.json files that combine the T5-like model, and small WordPiece and
WordLevel models, with other normalizers and pre-tokenizers. It has only what differs from
../t5/tokenizer.json: cases.py FOLDER"""
import json, sys

base = json.load(open("../t5/tokenizer.json", encoding="utf-8"))
charsmap, unigram = base["normalizer"], base["model"]


def replace(pattern, content, kind="String"):
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def normalizers(*steps):
    return {"type": "Sequence", "normalizers": steps}


def pre_tokenizers(*steps):
    return {"type": "Sequence", "pretokenizers": steps}


def metaspace(scheme="always", split=True):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}


def bert(**settings):
    return {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True, **settings}


def of(kind, **settings):
    return {"type": kind, **settings}


def strip(left, right):
    return of("Strip", strip_left=left, strip_right=right)


norms = {
    "none": None, "NFC": of("NFC"), "NFD": of("NFD"), "NFKC": of("NFKC"), "NFKD": of("NFKD"),
    "ALBERT": normalizers(replace("``", '"'), replace("''", '"'), of("NFKD"), of("StripAccents"), of("Lowercase"), charsmap, replace(" {2,}", " ", "Regex")),
    "strip": normalizers(strip(True, True), of("Lowercase")),
    "bert cased": normalizers(of("NFC"), bert(lowercase=False, strip_accents=True)),
    "bert with accents": normalizers(bert(strip_accents=False)),
    "bert lowercase": bert(clean_text=False, handle_chinese_chars=False),
    "prepend": normalizers(of("Prepend", prepend="▁"), replace(" ", "▁")),
    "white space": replace("\\s+", " ", "Regex"),
    "delete": normalizers(replace("[aeiou\u0301]", "", "Regex")),
    "accents": normalizers(of("NFD"), of("StripAccents"), of("Lowercase"), strip(True, False)),
}
pres = {
    "none": None, "first": metaspace("first"), "never": metaspace("never"), "whole": metaspace("first", False),
    "digits": pre_tokenizers(of("Digits", individual_digits=True), metaspace()),
    "digit runs": pre_tokenizers(of("Whitespace"), of("Digits", individual_digits=False)),
    "Whitespace": of("Whitespace"), "WhitespaceSplit": of("WhitespaceSplit"), "BertPreTokenizer": of("BertPreTokenizer"),
    "punctuation": pre_tokenizers(of("Punctuation", behavior="Isolated"), of("WhitespaceSplit"), metaspace()),
    "letters": of("Split", pattern={"Regex": "[a-zA-Z]+"}, behavior="Removed", invert=True),
    "classes": of("Split", pattern={"Regex": "\\p{L}+|\\s+|\\p{N}"}, behavior="Isolated", invert=False),
    **{b: of("Punctuation", behavior=b) for b in ("Contiguous", "MergedWithPrevious", "MergedWithNext", "Removed")},
    "space": of("Split", pattern={"String": " "}, behavior="MergedWithPrevious", invert=False),
}
texts = json.load(open(sys.argv[1] + "/texts.json"))
letters = sorted({c for text in texts for c in text if c != " "})
spellings = [p.replace("▁", "") for p, _ in unigram["vocab"]]
word_piece = {p: i for i, p in enumerate(dict.fromkeys(["[UNK]", *letters, *(p for p in spellings if p), *("##" + c for c in letters[::2]), *("##" + p for p in spellings if p)]))}
word_level = {p: i for i, p in enumerate(dict.fromkeys(["[UNK]", *letters, *(p for p in spellings if p), *(p for p, _ in unigram["vocab"])]))}
models = {
    "Unigram": unigram,
    "bytes": {**unigram, "byte_fallback": True, "vocab": unigram["vocab"] + [[f"<0x{b:02X}>", -9 - b / 100] for b in range(256) if b != 0xe2]},
    "WordPiece": of("WordPiece", unk_token="[UNK]", continuing_subword_prefix="##", max_input_chars_per_word=100, vocab=word_piece),
    "WordLevel": of("WordLevel", unk_token="[UNK]", vocab=word_level),
}


def added(model):
    tokens = [("<X>", True, False, False), ("the ", False, False, True), ("Éü", False, True, True), ("<mask>", True, True, False), ("And yet", True, True, True)]
    return [{"id": len(models[model]["vocab"]) + i, "content": c, "single_word": False, "lstrip": l, "rstrip": r, "normalized": n, "special": False}
            for i, (c, l, r, n) in enumerate(tokens)]


cases = [{"name": "bytes", "model": "bytes", "normalizer": charsmap, "pre_tokenizer": metaspace(), "added_tokens": []}]
for name, n in norms.items():
    cases.append({"name": "Unigram, " + name, "model": "Unigram", "normalizer": n, "pre_tokenizer": metaspace("first"), "added_tokens": added("Unigram")})
    cases.append({"name": "WordPiece, " + name, "model": "WordPiece", "normalizer": n, "pre_tokenizer": of("BertPreTokenizer"), "added_tokens": added("WordPiece")})
for name, p in pres.items():
    cases.append({"name": "cut, " + name, "model": "Unigram", "normalizer": charsmap, "pre_tokenizer": p, "added_tokens": []})
    cases.append({"name": "WordLevel, " + name, "model": "WordLevel", "normalizer": of("NFKC"), "pre_tokenizer": p, "added_tokens": added("WordLevel")})
json.dump({"models": {k: v for k, v in models.items() if k != "Unigram"}, "cases": cases}, open(sys.argv[1] + "/cases.json", "w"))
