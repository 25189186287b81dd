"""Trains the angle branch.

    python train.py --start branch.safetensors --minutes 82 --out better.safetensors

Two cores (AVX2) do about 21 steps a minute. Progress is printed every 19 minutes
with the measures of measure.py; the running average of the weights, rounded to 4 bits, is
saved as often. Without --start, training begins with copies of the trunk's own layers.

Losses, with d = u - v the difference of a claim asked for and against:
    pair    d·p above d·q for each text p for and q against the claim
    own     d·p above 0, d·q below
    off     d·x near 0 for texts of other claims and for neutral ones
    nli     a premise on the side of what it entails, against what it contradicts; every third step
    facet   among subjects and angles, the text asked for, by both parts together; every third step
"""
import argparse
import collections
import contextlib
import random
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

import examples
import measure
from encoder import Encoder
from packed import Packed

QUERY, TEXT, HYPOTHESIS, ASKED, FACET = 56, 110, 56, 48, 80  # token limits
AVERAGE = 4  # steps from one addition to the running average to the next

above = lambda x, scale: F.softplus(-x / scale)


class Claims:
    """Draws claims with their texts: so many gathered, plain, inferred and with passages."""

    def __init__(self, rng, mix):
        self.rng, self.mix = rng, mix
        self.groups, self.weights = examples.gathered()
        self.plain, self.inferred, self.passages = (x[0] for x in (examples.written("plain"), examples.written("inferred"), examples.passages()))

    def draw(self):
        rng, (gathered, plain, inferred, passages) = self.rng, self.mix
        drawn = {id(g): g for g in rng.choices(self.groups, self.weights, k=gathered)}.values()
        rows = [examples.stance_example(rng, g, True) for g in drawn]
        rows += [examples.stance_example(rng, g, False) for g in rng.sample(self.plain, plain) + rng.sample(self.inferred, inferred)]
        return rows + [examples.passage_example(rng, g) for g in rng.sample(self.passages, passages)]


def stance_loss(asked, texts):
    """asked: n claims for, then n against; texts: two for each claim, two against each, then neutral ones."""
    n = len(asked) // 2
    d = asked[:n] - asked[n:]
    pro, con = (texts[:n], texts[n : 2 * n]), (texts[2 * n : 3 * n], texts[3 * n : 4 * n])
    pair = sum(above((d * (p - q)).sum(-1), 0.15).mean() for p in pro for q in con) / 4
    side = sum(above((d * p).sum(-1), 0.1).mean() + above(-(d * q).sum(-1), 0.1).mean() for p, q in zip(pro, con)) / 4
    scores = d @ texts.T
    other = torch.ones_like(scores, dtype=torch.bool)
    i = torch.arange(n, device=d.device).repeat(4)
    other[i, torch.arange(4 * n, device=d.device)] = False
    return {"pair": 2 * pair, "own": side, "off": (scores[other] ** 2).mean()}


def nli_texts(rng, premises, size):
    drawn = rng.sample(premises, size)
    yes, no = (t.format for t in (rng.choice(examples.SUPPORT) if rng.random() < 0.6 else examples.SUPPORT[0]))
    e, c = [rng.choice(x[1]) for x in drawn], [rng.choice(x[2]) for x in drawn]
    return [x[0] for x in drawn] + [yes(t) for t in e] + [no(t) for t in e] + [yes(t) for t in c] + [no(t) for t in c]


def nli_loss(vectors):
    premise, ue, ve, uc, vc = vectors.chunk(5)
    a, b = ((ue - ve) * premise).sum(-1), ((uc - vc) * premise).sum(-1)
    return {"nli": (above(a - b, 0.15) + 0.5 * above(a, 0.1) + 0.5 * above(-b, 0.1)).mean()}


def facet_loss(packed, rng, subjects, size):
    asked, texts = [], []
    for root, items in rng.sample(subjects, size):
        for ways, text in items:
            way = rng.choice(ways[:-1]) if rng.random() < 0.75 else ways[-1]
            asked.append(rng.choice(examples.ASK).format(ask=way, root=root))
            texts.append(text)
    n = len(asked)
    angle, topic = packed(asked + texts, [ASKED] * n + [FACET] * n, topic=True)
    return {"facet": F.cross_entropy(20 * topic[:n] @ topic[n:].T + 10 * angle[:n] @ angle[n:].T, torch.arange(n, device=angle.device))}


def losses(packed, rng, claims, premises, subjects, step):
    rows = claims.draw()
    asked = [r[0] for r in rows] + [r[1] for r in rows]
    texts = [r[side][k] for side in (2, 3) for k in (0, 1) for r in rows] + [t for r in rows if rng.random() < 0.5 for t in r[4]]
    hypotheses = nli_texts(rng, premises, sum(claims.mix) // 2) if step % 3 == 0 else []
    limits = [QUERY] * len(asked) + [TEXT] * len(texts) + [HYPOTHESIS] * len(hypotheses)
    vectors = packed(asked + texts + hypotheses, limits).split([len(asked), len(texts), len(hypotheses)])
    out = stance_loss(*vectors[:2])
    if step % 3 == 0:
        out |= nli_loss(vectors[2])
    elif step % 3 == 1:
        out |= facet_loss(packed, rng, subjects, max(5, sum(claims.mix) // 3))
    return out


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("--model", default=str(examples.TOPIC))
    arg.add_argument("--out", default="branch.safetensors")
    arg.add_argument("--start", help="go on from this branch")
    arg.add_argument("--minutes", type=float, default=105)
    arg.add_argument("--rate", type=float, default=1.5e-4)
    arg.add_argument("--mix", default="5,3,4,5", help="gathered, plain and inferred claims and claims with passages in a step")
    arg.add_argument("--device", default="cpu")
    arg.add_argument("--seed", type=int, default=7)
    opt = arg.parse_args()
    rng = random.Random(opt.seed)
    torch.manual_seed(opt.seed)
    encoder = Encoder(opt.model).to(opt.device).eval()
    if opt.start:
        encoder.load_state_dict({k: v.float() for k, v in load_file(opt.start).items()}, strict=False)
    packed = Packed(encoder)
    claims = Claims(rng, [int(x) for x in opt.mix.split(",")])
    premises, subjects = examples.nli(), examples.facets()[0]
    print(f"{len(claims.groups)} gathered claims, {len(claims.plain)} + {len(claims.inferred)} + {len(claims.passages)} written, {len(premises)} premises, {len(subjects)} subjects", flush=True)
    adam = torch.optim.AdamW([{"params": [packed.matrices], "weight_decay": 0.01}, {"params": list(packed.vectors.values()), "weight_decay": 0}], lr=opt.rate, betas=(0.9, 0.98), fused=True)

    def report():
        averaged, state = packed.averaged()
        save_file({k: v.half().cpu() for k, v in state.items()}, opt.out)
        return measure.quick(averaged)

    low = torch.autocast("cuda", torch.bfloat16) if opt.device.startswith("cuda") else contextlib.nullcontext()
    start = last = time.time()
    sums, step = collections.Counter(), 0
    while (done := (time.time() - start) / (60 * opt.minutes)) < 1:
        for g in adam.param_groups:
            g["lr"] = opt.rate * (done / 0.03 if done < 0.03 else 0.03 + 0.97 * (1 - done) / 0.97)
        packed.round()
        with low:
            found = losses(packed, rng, claims, premises, subjects, step)
            sum(found.values()).backward()
        torch.nn.utils.clip_grad_norm_(packed.parameters(), 1)
        adam.step()
        adam.zero_grad()
        step += 1
        if step % AVERAGE == 0:
            packed.average(AVERAGE)
        sums.update({k: v.item() for k, v in found.items()})
        sums.update({k + " steps": 1 for k in found})
        if time.time() - last > 1140:
            last = time.time()
            print(f"{done:.2f} step {step}", {k: round(sums[k] / sums[k + " steps"], 3) for k in found}, report(), flush=True)
            sums.clear()
    print("end", step, report())


if __name__ == "__main__":
    main()
