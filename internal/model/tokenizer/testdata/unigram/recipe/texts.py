"""Writes what the models are trained on, the rules of their normalizer, and the
texts that they are compared on: texts.py FOLDER"""
import json, random, sys, unicodedata

folder, debates = sys.argv[1], "../../../../../../examples/debates/"
lines = []
for name in ("corpus", "queries"):
    for line in open(debates + name + ".jsonl", encoding="utf-8"):
        d = json.loads(line)
        if d["metadata"].get("kind") == "point":
            continue  # points came later: the models would change
        lines += [d["text"]] + ([d["title"]] if d.get("title") else [])
open(folder + "/corpus.txt", "w", encoding="utf-8").write("\n".join(lines))

# Rules: NFKC of Latin characters, symbols, kana and Hangul that it changes, pairs
# of letter and accent, white space, and what is dropped.
rules = {}
for c in map(chr, [*range(0xA0, 0x250), *range(0x1E00, 0x1F00), *range(0x2000, 0x2190), *range(0x2460, 0x24EA), *range(0x3099, 0x30A0), *range(0x3200, 0x3400), *range(0xFB00, 0xFB07), *range(0xFF01, 0xFFA0), 0xFDFA]):
    if unicodedata.normalize("NFKC", c) != c:
        rules[c] = unicodedata.normalize("NFKC", c)
    if len(d := unicodedata.normalize("NFD", c)) > 1:
        rules[d] = c
for c in "\t\n\r\u00a0\u1680\u2028\u2029\u200b\u200e\ufeff":
    rules[c] = " "
for c in [chr(i) for i in range(1, 32) if chr(i) not in "\t\n\r"] + ["\x7f", "\u00ad"]:
    rules[c] = ""
with open(folder + "/rules.tsv", "w") as f:
    for key in sorted(rules):
        print(*(" ".join("%X" % ord(c) for c in s) for s in (key, rules[key])), sep="\t", file=f)

random.seed(5)
pool = list("abcdeXYZ 019.,!?'\"") + list("éüßñçøİıſﬁ™©®½…¨´ẛÅΩ㎏㍿①Ⓜ㊗ＡＢ１\u3000\u00a0\u200b\u200d\u200c\ufeff\u2028\t\n\r\x01\x7f\u0085\u00ad")
pool += ["\u0301", "\u0308", "\u0323", "\u0327", "\u3099", "\u0903", "\u0e33", "\u0600", "\u0344", "가", "각", "ᄀ", "ᅡ", "ᆨ", "か", "ガ", "ｶﾞ", "中", "😀", "👨\u200d👩\u200d👧", "🇩🇪", "▁", "\r\n", "  ", "क", "\u094d", "ﷺ", "\u212b",
         "<unk>", "</s>", "<s>", " <mask> ", "<extra_id_1>", "<pad>", "<X>", "and yet"]
words = " ".join(lines).split()
texts = ["", " ", "  two  spaces ", "e\u0301", "Å\u0323 fell", "Ａ\u0301", "\u00a9\u0301", "\u0600½", "...\u0301", "naïve café — “quoted”", "<extra_id_0> <extra_id_3>x", "\x00\x00a", "x" * 300, "ÆØ" * 60, "中文" * 50]
texts += [random.choice(lines) for _ in range(60)]
for i in range(325):
    texts.append("".join(random.choice(words if random.random() < i % 2 * .4 else pool) for _ in range(random.randint(1, 10))))
json.dump(texts, open(folder + "/texts.json", "w"))
