"""Training and measuring examples. README.md says where the data are expected.

    stance  (claim, opposite or None, [texts for], [texts against], [neutral texts])
    nli     (premise, [entailed hypotheses], [contradicted hypotheses])
    facets  (root, [(ways to ask for the angle, text), ...])
"""
import glob
import json
import lzma
import os
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("VANTAGE_SHARED") or HERE.parents[3] / "shared")
DATA = SHARED / "data"
TOPIC = SHARED / "model/sides/topic"
BRANCH = HERE / "branch.safetensors"
CAP = 8

SUPPORT = [
    ("Find a claim that supports the argument: {}", "Find a claim that opposes the argument: {}"),
    ("arguments for: {}", "arguments against: {}"),
    ("Find evidence in favour of: {}", "Find evidence against: {}"),
    ("supporting: {}", "opposing: {}"),
    ("reasons to agree that {}", "reasons to disagree that {}"),
    ("Which passage supports this? {}", "Which passage refutes this? {}"),
    ("{} - for", "{} - against"),
    ("why it is true that {}", "why it is not true that {}"),
    ("in favour of: {}", "criticism of: {}"),
    ("pro: {}", "contra: {}"),
]
PHRASE = "We should have "
ASK = ["{ask}: {root}", "{root}, {ask}", "{ask} about {root}", "Find a passage: {ask}, on the subject: {root}", "{root} ({ask})"]


def lines(pattern):
    for path in sorted(glob.glob(str(pattern))):
        with lzma.open(path, "rt") as f:
            for line in f:
                yield json.loads(line)


def written(kind):
    """Our own texts with a side: (training, held out). Kind "plain": a reader sees the side at once; "inferred": it follows from what is told."""
    train, held = [], []
    for x in lines(HERE / "stance.jsonl.xz"):
        if x["kind"] == kind:
            row = (x["claim"], x.get("opposite"), x["pro"], x["con"], x.get("neutral") or [])
            (held if x.get("held") else train).append(row)
    return train, held


def passages():
    """Our own passages of some sentences, (title, text) each, and neutral ones: (training, held out).

    The last field is a phrase for the subject, such that being for it is being for the claim, or None.
    """
    train, held = [], []
    for x in lines(HERE / "passages.jsonl.xz"):
        row = (x["claim"], x["opposite"], x["pro"], x["con"], x["neutral"], x["phrase"])
        (held if x["held"] else train).append(row)
    return train, held


def document(passage):
    """A passage as a document: title and text, or the text alone if it has no title."""
    title, text = passage
    return f"{title}. {text}" if title else text


def facets():
    """Our own subjects seen from several angles: (training, held out)."""
    train, held = [], []
    for x in lines(HERE / "facets.jsonl.xz"):
        row = (x["root"], [(y["ask"] + [y["value"]], y["text"]) for y in x["items"]])
        (held if x.get("held") else train).append(row)
    return train, held


def gathered():
    """Public stance data without Perspectrum's dev and test: groups (claim, None, for, against, [], factor), and how often to draw each."""
    groups = []
    for x in json.load(lzma.open(DATA / "train_open/stance_groups.json.xz")):
        if isinstance(x["claim"], str) and x["src"] != "arct_warrant" and x["pro"] and x["con"]:
            groups.append((x["claim"], None, x["pro"], x["con"], [], 2 if x["src"] == "perspectrum" else 1))
    by_target = {}
    for x in lines(DATA / "train_sides/stance.jsonl.xz"):
        if x["src"] != "semeval" and x["s"]:
            by_target.setdefault((x["src"], x["target"]), {1: [], -1: []})[x["s"]].append(x["text"])
    groups += [(t, None, d[1], d[-1], [], 1) for (_, t), d in by_target.items() if d[1] and d[-1]]
    weights = [min(CAP, (len(g[2]) * len(g[3])) ** 0.5) * g[5] for g in groups]
    return groups, weights


def nli():
    by_premise = {}
    for x in lines(DATA / "train_sides/nli.jsonl.xz"):
        if x["h"] and x["p"]:
            by_premise.setdefault(x["p"], {"e": [], "n": [], "c": []})[x["l"]].append(x["h"])
    return [(p, d["e"], d["c"]) for p, d in by_premise.items() if d["e"] and d["c"]]


def perspectrum(split):
    """(claim, for, against) of a split: train, dev or test."""
    folder = DATA / "perspectrum"
    pool = {p["pId"]: p["text"] for p in json.load(open(folder / "perspective_pool_v1.0.json"))}
    splits, out = json.load(open(folder / "dataset_split_v1.0.json")), []
    for c in json.load(open(folder / "perspectrum_with_answers_v1.0.json")):
        sides = {"SUPPORT": [], "UNDERMINE": []}
        for cluster in c["perspectives"]:
            if cluster["stance_label_3"] in sides:
                sides[cluster["stance_label_3"]] += [pool[p] for p in cluster["pids"]]
        if splits.get(str(c["cId"])) == split and all(sides.values()):
            out.append((c["text"], *sides.values()))
    return out


NEGATED = [(r"\bshould not\b|\bshouldn't\b", "should"), (r"\bcannot\b|\bcan not\b|\bcan't\b", "can"), (r"\bis not\b|\bisn't\b", "is"), (r"\bare not\b|\baren't\b", "are"), (r"\bwill not\b", "will"), (r"\bmust not\b", "must"), (r"\bought not\b", "ought")]
PLAIN = [(rf"\b{w}\b", "cannot" if w == "can" else f"{w} not") for w in ("should", "must", "can", "will", "is", "are", "ought")]


def negate(claim):
    """The claim with one auxiliary's polarity turned, or None."""
    for pattern, other in NEGATED + PLAIN:
        if re.search(pattern, claim):
            return re.sub(pattern, other, claim, count=1)
    return None


def stance_example(rng, group, negatable):
    """A claim with two texts for and two against; sometimes stated the other way round."""
    claim, opposite, pro, con, neutral = group[:5]
    pick = lambda texts: rng.sample(texts, 2) if len(texts) > 1 else texts * 2
    pro, con = pick(pro), pick(con)
    other = opposite if opposite and rng.random() < 0.45 else negate(claim) if negatable and rng.random() < 0.25 else None
    if other:
        claim, pro, con = other, con, pro
    if rng.random() < 0.3:
        claim = claim[:1].lower() + claim[1:]
    i = 0 if rng.random() < 0.4 else rng.randrange(len(SUPPORT))
    return SUPPORT[i][0].format(claim), SUPPORT[i][1].format(claim), pro, con, [rng.choice(neutral)] if neutral else []


def passage_example(rng, group):
    """As stance_example, of passages; sometimes with a phrase for the claim, bare or as the pack words it."""
    claim, opposite, pro, con, neutral, phrase = group
    pick = lambda texts: rng.sample(texts, 2) if len(texts) > 1 else texts * 2

    def shown(passage):
        title, text = passage
        return document(passage) if rng.random() < 0.75 else text if rng.random() < 0.8 or not title else title

    pro, con = [shown(x) for x in pick(pro)], [shown(x) for x in pick(con)]
    if phrase and rng.random() < 0.4:
        claim = phrase if rng.random() < 0.4 else PHRASE + phrase
    else:
        other = opposite if opposite and rng.random() < 0.4 else negate(claim) if rng.random() < 0.1 else None
        if other:
            claim, pro, con = other, con, pro
        if rng.random() < 0.25:
            claim = claim[:1].lower() + claim[1:]
    i = 0 if rng.random() < 0.6 else rng.randrange(len(SUPPORT))
    return SUPPORT[i][0].format(claim), SUPPORT[i][1].format(claim), pro, con, [shown(rng.choice(neutral))] if neutral else []
