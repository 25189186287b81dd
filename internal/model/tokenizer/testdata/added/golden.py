"""Writes golden.json: ids by the Rust library (pip install tokenizers==0.21.4) for random texts with
added tokens of every combination of flags, for a small tokenizer of each kind. Later versions choose
at random between added tokens that are equal after normalisation."""
import json, random
from tokenizers import Tokenizer

random.seed(7)
FLAGS = [(l, r, n) for l in (False, True) for r in (False, True) for n in (False, True)]
WHITE = [" ", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\x1c", "\u200b"]


def word_piece():
    tokens = ["[UNK]", "a", "b", "<", "##a", "##b", "##>", "ab"]
    return ({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
             "vocab": {t: i for i, t in enumerate(tokens)}},
            {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
            {"type": "BertPreTokenizer"})


def bpe(normalizer):
    tokens = ["a", "b", "A", "B", "<", ">", "m", "Ġ", "Ċ", "ĉ", "Â", "ł", "ab", "Ġa", "ĠĠ"]
    return ({"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": [["a", "b"], ["Ġ", "a"], ["Ġ", "Ġ"]]},
            normalizer, {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True})


def unigram(scheme):
    pieces = [["<unk>", 0], ["▁", -1], ["a", -2], ["b", -3], ["▁a", -3], ["ab", -2], ["<", -4], [">", -4]]
    return ({"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}, {"type": "Lowercase"},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True})


def cases(parts, contents, many):
    model, normalizer, pre_tokenizer = parts
    flags = random.sample(FLAGS, len(contents))
    vocab = list(model["vocab"]) if isinstance(model["vocab"], dict) else [p for p, _ in model["vocab"]]
    vocab += [c for c in contents if c not in vocab]
    added = [{"id": vocab.index(c), "content": c, "single_word": False, "lstrip": l, "rstrip": r, "normalized": n, "special": random.random() < .5}
             for c, (l, r, n) in zip(contents, flags)]
    file = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": normalizer,
            "pre_tokenizer": pre_tokenizer, "post_processor": None, "decoder": None, "model": model}
    tokenizer = Tokenizer.from_str(json.dumps(file))
    texts = {}
    while len(texts) < many:
        draw = random.choices([contents, WHITE, list("abAB")], [3, 3, 2], k=random.randint(2, 9))
        text = "".join(random.choice(d) for d in draw)
        try:
            texts[text] = tokenizer.encode(text, add_special_tokens=False).ids
        except BaseException:  # it panics if a token takes white space that was taken already
            pass
    return {"file": file, "texts": texts}


kinds = [word_piece(), bpe(None), bpe({"type": "Lowercase"}), unigram("always"), unigram("first")]
sets = [["<m>", "ab", "\n"], ["AB", "ab", "<m>", "<m><m>"], ["\u00a0b", "<m>", "\t"], [" a", "a ", "  "]]
with open("golden.json", "w", encoding="utf-8") as f:
    lines = [json.dumps(cases(k, s, 10), ensure_ascii=False) for k in kinds for s in sets]
    f.write("[\n" + ",\n".join(lines) + "\n]\n")
