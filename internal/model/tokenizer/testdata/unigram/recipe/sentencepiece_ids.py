"""Writes the ids of SentencePiece itself, null where the text has a "<", since it may
spell a special token: sentencepiece_ids.py TARGET"""
import json, sys
import sentencepiece

target = sys.argv[1]
texts = json.load(open(target + "/golden.json", encoding="utf-8"))["texts"]
out = {}
for layout, name in (("t5", "spiece"), ("xlmr", "sentencepiece.bpe")):
    model = sentencepiece.SentencePieceProcessor(model_file=f"{target}/{layout}/{name}.model")
    ids = (None if "<" in text else model.encode(text) for text in texts)
    out[layout] = [i and [{0: 3, 1: 0, 2: 2}.get(x, x + 1) for x in i] if layout == "xlmr" else i for i in ids]
with open(target + "/sentencepiece.json", "w") as f:
    print(json.dumps(out, separators=(",", ":")).replace('"xlmr"', '\n"xlmr"'), file=f)
