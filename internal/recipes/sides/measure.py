"""Measures how well sides and angles are told apart.

    python measure.py --branch branch.safetensors --debates ../../../examples/debates --json figures.json

ordered   mean over claims of the share of (for, against) pairs with d·for above d·against
accuracy  share of texts with the right sign of d·text
top       for each beta: share of claims, asked for and against, whose first hit among all
          texts of the set by cos(root, topic) ± beta d·angle is of the right claim and side
facets    for each gamma: share of questions whose first hit among the subject's texts by
          cos(query, topic) + gamma cos(query, angle) is the text asked for
"""
import argparse
import collections
import json

import torch

import examples

BETAS, GAMMAS = (0, 0.1, 0.2, 0.4, 0.8), (0, 0.25, 0.5, 1)
FOR, AGAINST = examples.SUPPORT[0]


def mean(x):
    x = list(x)
    return round(sum(x) / len(x), 4)


def score(encoder, groups):
    """d and topic of each claim; angle and topic of all texts, those for a claim before those against it."""
    u, v, root = encoder.encode([FOR.format(g[0]) for g in groups])[0], encoder.encode([AGAINST.format(g[0]) for g in groups])[0], encoder.encode([g[0] for g in groups])[1]
    angle, topic = encoder.encode([t for g in groups for side in g[1:3] for t in side])
    return u - v, root, angle, topic


def sides(encoder, groups):
    d, root, angle, topic = score(encoder, groups)
    start, ordered, right, total, top = 0, [], 0, 0, collections.Counter()
    side_all, topic_all = d @ angle.T, root @ topic.T
    for i, (_, pro, con) in enumerate(groups):
        p, n = len(pro), len(con)
        s = side_all[i, start : start + p + n]
        ordered.append((s[:p, None] > s[None, p:]).float().mean().item())
        right += (s[:p] > 0).sum().item() + (s[p:] < 0).sum().item()
        total += p + n
        for beta in BETAS:
            for sign, low, high in ((1, start, start + p), (-1, start + p, start + p + n)):
                top[beta] += low <= (topic_all[i] + sign * beta * side_all[i]).argmax().item() < high
        start += p + n
    return {"claims": len(groups), "texts": total, "ordered": mean(ordered), "accuracy": round(right / total, 4), "top": {b: round(top[b] / 2 / len(groups), 4) for b in BETAS}}


def angles(encoder, subjects):
    asked = [f"{root}, {ways[0]}" for root, items in subjects for ways, _ in items]
    qa, qt = encoder.encode(asked)
    da, dt = encoder.encode([text for _, items in subjects for _, text in items])
    owner = torch.tensor([i for i, (_, items) in enumerate(subjects) for _ in items])
    same = owner[:, None] == owner[None]
    out = {}
    for gamma in GAMMAS:
        s = (qt @ dt.T + gamma * qa @ da.T).masked_fill(~same, -9)
        out[gamma] = round((s.argmax(1) == torch.arange(len(asked))).float().mean().item(), 4)
    return out


def debates(folder):
    """The bundled corpus: (root, texts for, texts against)."""
    docs, queries = ([json.loads(x) for x in open(f"{folder}/{name}.jsonl")] for name in ("corpus", "queries"))
    root = {q["metadata"]["topic"]: q["root"] for q in queries}
    by = collections.defaultdict(lambda: {"support": [], "oppose": []})
    for x in docs:
        if x["metadata"].get("stance") in ("support", "oppose"):
            by[x["metadata"]["topic"]][x["metadata"]["stance"]].append((x["title"].split(": ", 1)[-1] + ". " if x.get("title") else "") + x["text"])
    return [(root[t], g["support"], g["oppose"]) for t, g in by.items() if all(g.values())]


def all_sides(encoder, folder=None):
    """sides of all sets; of the bundled corpus only if its folder is given."""
    out = {f"perspectrum {split}": sides(encoder, examples.perspectrum(split)) for split in ("dev", "test")}
    for kind in ("plain", "inferred"):
        out[f"written, {kind}, held out"] = sides(encoder, [(x[0], x[2], x[3]) for x in examples.written(kind)[1]])
    out |= {f"{k}, held out": v for k, v in held_passages(encoder).items()}
    if folder:
        out["bundled passages"] = sides(encoder, debates(folder))
    return out


def quick(encoder, folder=None):
    """What training prints: for each set the share in order, the accuracy and the first hit at beta = .4; of facets the first hit at gamma = 1."""
    return {k: (v["ordered"], v["accuracy"], v["top"][0.4]) for k, v in all_sides(encoder, folder).items()} | {"facets": angles(encoder, examples.facets()[1])[1]}


def held_passages(encoder):
    """Passages that are held out, asked for by claim, by phrase and by the pack's wording of a phrase."""
    rows = [(claim, [examples.document(x) for x in pro], [examples.document(x) for x in con], phrase) for claim, _, pro, con, _, phrase in examples.passages()[1]]
    named = [x for x in rows if x[3]]
    return {
        "passages": sides(encoder, [x[:3] for x in rows]),
        "passages, bare phrases": sides(encoder, [(x[3], *x[1:3]) for x in named]),
        "passages, phrases": sides(encoder, [(examples.PHRASE + x[3], *x[1:3]) for x in named]),
    }


def labelled(encoder, rows):
    """rows of (claim, text, +1, 0 or -1): d·text, cos(root, text), label."""
    claims = list(dict.fromkeys(r[0] for r in rows))
    at = {c: i for i, c in enumerate(claims)}
    d, root = encoder.encode([FOR.format(c) for c in claims])[0] - encoder.encode([AGAINST.format(c) for c in claims])[0], encoder.encode(claims)[1]
    texts = list(dict.fromkeys(r[1] for r in rows))
    where = {t: i for i, t in enumerate(texts)}
    angle, topic = encoder.encode(texts)
    c, t = torch.tensor([at[r[0]] for r in rows]), torch.tensor([where[r[1]] for r in rows])
    return (d[c] * angle[t]).sum(1), (root[c] * topic[t]).sum(1), torch.tensor([r[2] for r in rows])


def separated(s, y):
    """Area under the curve of d·text for texts for against texts against, over all claims at once."""
    a, b = s[y > 0], s[y < 0]
    return round((a[:, None] > b[None]).float().mean().item(), 4)


def probabilities(s, width, level):
    """for, neither, against: for = sigmoid((s - level) / width), against mirrored; calibrate scales them to one, as they sum to more if they overlap."""
    f, a = torch.sigmoid((s - level) / width), torch.sigmoid((-s - level) / width)
    return torch.stack([f, (1 - f - a).clamp_min(1e-4), a], 1)


def calibrate(s, y):
    """width and level that make the three probabilities most likely, each class weighing the same."""
    target = 1 - y
    weight = torch.tensor([1 / max(1, (target == k).sum().item()) for k in range(3)])[target]
    best = None
    for width in [x / 200 for x in range(2, 80)]:
        for level in [x / 100 for x in range(0, 60)]:
            p = probabilities(s, width, level)
            p = p / p.sum(1, keepdim=True)
            loss = -(weight * p[torch.arange(len(s)), target].log()).sum().item()
            if best is None or loss < best[0]:
                best = (loss, width, level)
    return best[1:]


def two_classes(s, y):
    """width of sigmoid(s / width), the probability of for, that is most likely for texts with a side."""
    return min((torch.nn.functional.softplus(-s * y / w).mean().item(), w) for w in [x / 200 for x in range(2, 200)])[1]


def calibration(s, y, width):
    """Texts with a side: expected calibration error in ten bins; share of texts with a confidence above 0.8, and how many of those are right."""
    p = torch.sigmoid(s / width)
    confidence, right = torch.maximum(p, 1 - p), ((s > 0) == (y > 0)).float()
    error = 0
    for k in range(10):
        inside = (confidence > k / 10) & (confidence <= (k + 1) / 10)
        if inside.any():
            error += inside.float().mean().item() * abs(confidence[inside].mean().item() - right[inside].mean().item())
    sure = confidence > 0.8
    return {"error": round(error, 4), "sure": round(sure.float().mean().item(), 4), "right when sure": round(right[sure].mean().item(), 4) if sure.any() else None}


def climate_fever():
    rows = []
    for path in [examples.DATA / "climate_fever/climate-fever.jsonl"]:
        for line in open(path):
            x = json.loads(line)
            for e in x["evidences"]:
                rows.append((x["claim"], e["evidence"], {"SUPPORTS": 1, "REFUTES": -1}.get(e["evidence_label"], 0)))
    return rows


def main():
    from safetensors.torch import load_file

    from encoder import Encoder

    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("--model", default=str(examples.TOPIC))
    arg.add_argument("--branch", default=str(examples.BRANCH))
    arg.add_argument("--debates", help="the folder of the bundled corpus")
    arg.add_argument("--json", default="-")
    opt = arg.parse_args()
    encoder = Encoder(opt.model)
    encoder.take(load_file(opt.branch))
    figures = all_sides(encoder, opt.debates)
    figures["facets, held out"] = angles(encoder, examples.facets()[1])
    fever = climate_fever()
    s, _, y = labelled(encoder, fever)
    figures["climate-fever"] = {"pairs": len(fever), "separated": separated(s, y)}
    rows = [(c, t, y) for c, p, n in examples.perspectrum("dev") for ts, y in ((p, 1), (n, -1)) for t in ts]
    rows += [(x[0], t, y) for kind in ("plain", "inferred") for x in examples.written(kind)[1] for ts, y in ((x[2], 1), (x[3], -1), (x[4], 0)) for t in ts]
    s, cos, y = labelled(encoder, rows)
    width, level = calibrate(s, y)
    test = [(c, t, y) for c, p, n in examples.perspectrum("test") for ts, y in ((p, 1), (n, -1)) for t in ts]
    ts, tcos, ty = labelled(encoder, test)
    two = two_classes(s[y != 0], y[y != 0])
    figures["calibration"] = {"fitted on": "Perspectrum dev and held-out written texts", "width": width, "level": level, "width of two classes": two, "on Perspectrum test": calibration(ts, ty, two), "cos(root, text), 5th percentile": round(cos.quantile(0.05).item(), 3)}
    text = json.dumps(figures, indent=1)
    print(text) if opt.json == "-" else open(opt.json, "w").write(text + "\n")


if __name__ == "__main__":
    main()
