"""Writes token ids, topic and angle of texts, and sides, by the model as stored.

    python golden.py golden.json

topic and angle: weights as in the files (topic in half floats, unrounded).
topic4 and angle4: topic weights rounded to 4 bits as in encoder.Round4.
Floats are rounded to 6 decimals.
"""
import json
import sys

import torch
from safetensors.torch import load_file

import examples
from encoder import Encoder

TEXTS = [
    "Night trains save a hotel night.",
    "night trains",
    "Find a claim that supports the argument: Night trains are worth their subsidies",
    "Find a claim that opposes the argument: Night trains are worth their subsidies",
    "a",
    "The driver was paid by the hour, not by the parcel, so nobody ran across the road any more.",
    "Café Größe naïve Ångström; e\u0301 and \u00e9 are the same",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "3.14159 × 10^6 m² at −40 °C (≈ 2,000,000)",
    "你好 世界, здравствуй, γειά σου",
    "emoji 🚲🚆 and\ttabs\nand lines",
    "!!! ... ???",
    "x" * 120,
    " ".join(["The council counted bicycles on the bridge before and after the lane was built, in rain and in sun."] * 20),
    "Question? Answer! 'Quoted' \"twice\" — dashed – and – (bracketed) [CLS] [SEP]",
    "Since the shop stopped taking cash, my grandmother sends the neighbour's boy with her card.",
]


def main():
    branch = {k: v.float() for k, v in load_file(str(examples.BRANCH)).items()}
    out = {"limit": 256, "texts": [], "sides": []}
    vectors = []
    for rounded in (False, True):
        encoder = Encoder(str(examples.TOPIC), rounded)
        encoder.load_state_dict(branch, strict=False)
        vectors.append((encoder, encoder.encode(TEXTS, 256, 1)))
    numbers = lambda v: [round(x, 6) for x in v.tolist()]
    for i, text in enumerate(TEXTS):
        ids = encoder.tokenizer.encode(text).ids
        ids = ids if len(ids) <= 256 else ids[:255] + ids[-1:]
        (_, (a, t)), (_, (a4, t4)) = vectors
        out["texts"].append({"text": text, "ids": ids, "topic": numbers(t[i]), "angle": numbers(a[i]), "topic4": numbers(t4[i]), "angle4": numbers(a4[i])})
    groups = [(x[0], x[2][:3], x[3][:3]) for kind in ("plain", "inferred") for x in examples.written(kind)[1][:6]]
    for claim, pro, con in groups:
        u, v = encoder.encode([examples.SUPPORT[0][0].format(claim), examples.SUPPORT[0][1].format(claim)], 256, 1)[0]
        angle = encoder.encode(pro + con, 256, 1)[0]
        out["sides"].append({"claim": claim, "texts": pro + con, "labels": [1] * len(pro) + [-1] * len(con), "side4": numbers(angle @ (u - v))})
    with open(sys.argv[1], "w") as f:
        json.dump(out, f, ensure_ascii=False)
        f.write("\n")


if __name__ == "__main__":
    torch.set_num_threads(2)
    main()
