"""Trains the angle branch.

    python train.py --minutes 105 --out branch.safetensors

Two cores do about 32 steps a minute; on a GPU pass --device cuda --claims 64
(in bfloat16). Progress is printed every nine minutes with the measures of
measure.py; the state is saved as often.

Losses, with d = u - v the difference of a claim asked for and against:
    pair    d·p above d·q for each text p for and q against the claim
    own     d·p above 0, d·q below
    off     d·x near 0 for texts of other claims and for neutral ones
    nli     a premise on the side of what it entails, against what it contradicts
    facet   among subjects and angles, the text asked for, by both parts together
"""
import argparse
import collections
import contextlib
import random
import time

import torch
import torch.nn.functional as F
import torch.nn.utils.parametrize as parametrize
from safetensors.torch import load_file, save_file

import examples
import measure
from encoder import Encoder

above = lambda x, scale: F.softplus(-x / scale)


class Average:
    """A running average of the trained weights: what is measured and saved."""

    def __init__(self, trained):
        self.trained, self.mean, self.steps = trained, {}, 0

    @torch.no_grad()
    def add(self):
        self.steps += 1
        keep = min(0.99, self.steps / (self.steps + 10))
        for name, p in self.trained:
            if name in self.mean:
                self.mean[name].lerp_(p, 1 - keep)
            else:
                self.mean[name] = p.detach().clone()

    @contextlib.contextmanager
    def used(self):
        own = {name: p.detach().clone() for name, p in self.trained}
        with torch.no_grad():
            for name, p in self.trained:
                p.copy_(self.mean[name])
        try:
            yield
        finally:
            with torch.no_grad():
                for name, p in self.trained:
                    p.copy_(own[name])


def stance_loss(encoder, rng, groups, weights, plain, inferred, claims):
    drawn = list({id(g): g for g in rng.choices(groups, weights, k=claims // 2)}.values())
    rows = [examples.stance_example(rng, g, True) for g in drawn]
    rows += [examples.stance_example(rng, g, False) for g in rng.sample(plain, claims * 3 // 7) + rng.sample(inferred, claims // 14)]
    n = len(rows)
    asked = encoder([r[0] for r in rows] + [r[1] for r in rows], 56)
    d = asked[:n] - asked[n:]
    texts = encoder([r[2][0] for r in rows] + [r[2][1] for r in rows] + [r[3][0] for r in rows] + [r[3][1] for r in rows] + [t for r in rows for t in r[4]])
    pro, con = (texts[:n], texts[n : 2 * n]), (texts[2 * n : 3 * n], texts[3 * n : 4 * n])
    pair = sum(above((d * (p - q)).sum(-1), 0.15).mean() for p in pro for q in con) / 4
    side = sum(above((d * p).sum(-1), 0.1).mean() + above(-(d * q).sum(-1), 0.1).mean() for p, q in zip(pro, con)) / 4
    scores = d @ texts.T
    other = torch.ones_like(scores, dtype=torch.bool)
    i = torch.arange(n, device=d.device).repeat(4)
    other[i, torch.arange(4 * n, device=d.device)] = False
    off = (scores[other] ** 2).mean()
    return {"pair": 2 * pair, "own": side, "off": off}


def nli_loss(encoder, rng, premises, size):
    drawn = rng.sample(premises, size)
    i = rng.randrange(len(examples.SUPPORT))
    yes, no = (t.format for t in examples.SUPPORT[i])
    e, c = [rng.choice(x[1]) for x in drawn], [rng.choice(x[2]) for x in drawn]
    v = encoder([x[0] for x in drawn] + [yes(t) for t in e] + [no(t) for t in e] + [yes(t) for t in c] + [no(t) for t in c], 56)
    premise, ue, ve, uc, vc = v.split(size)
    a, b = ((ue - ve) * premise).sum(-1), ((uc - vc) * premise).sum(-1)
    return {"nli": (above(a - b, 0.15) + 0.5 * above(a, 0.1) + 0.5 * above(-b, 0.1)).mean()}


def facet_loss(encoder, rng, subjects, size):
    asked, texts = [], []
    for root, items in rng.sample(subjects, size):
        for ways, text in items:
            way = rng.choice(ways[:-1]) if rng.random() < 0.75 else ways[-1]
            asked.append(rng.choice(examples.ASK).format(ask=way, root=root))
            texts.append(text)
    qa, qt = encoder(asked, 48, topic=True)
    da, dt = encoder(texts, topic=True)
    return {"facet": F.cross_entropy(20 * qt @ dt.T + 10 * qa @ da.T, torch.arange(len(asked), device=qa.device))}


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("--model", default=str(examples.TOPIC))
    arg.add_argument("--out", default="branch.safetensors")
    arg.add_argument("--start", help="go on from this branch")
    arg.add_argument("--minutes", type=float, default=105)
    arg.add_argument("--rate", type=float, default=2e-4)
    arg.add_argument("--claims", type=int, default=14)
    arg.add_argument("--device", default="cpu")
    arg.add_argument("--seed", type=int, default=5)
    opt = arg.parse_args()
    rng = random.Random(opt.seed)
    torch.manual_seed(opt.seed)
    encoder = Encoder(opt.model)
    if opt.start:
        encoder.load_state_dict(load_file(opt.start), strict=False)
    encoder.round_branch()
    encoder.to(opt.device)
    groups, weights = examples.gathered()
    plain, inferred, premises, subjects = examples.written("plain")[0], examples.written("inferred")[0], examples.nli(), examples.facets()[0]
    print(f"{len(groups)} gathered claims, {len(plain)} + {len(inferred)} written, {len(premises)} premises, {len(subjects)} subjects", flush=True)
    trained = [(n, p) for n, p in encoder.named_parameters() if p.requires_grad]
    undecayed = [p for n, p in trained if "bias" in n or "LayerNorm" in n]
    decayed = [p for n, p in trained if not ("bias" in n or "LayerNorm" in n)]
    adam = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": undecayed, "weight_decay": 0}], lr=opt.rate, betas=(0.9, 0.98))
    average = Average(trained)

    def report():
        with average.used(), parametrize.cached():
            save_file({k: v.contiguous().cpu() for k, v in encoder.trained_state().items()}, opt.out)
            return measure.quick(encoder)

    low = torch.autocast("cuda", torch.bfloat16) if opt.device.startswith("cuda") else contextlib.nullcontext()
    start = last = time.time()
    sums, step = collections.Counter(), 0
    while (done := (time.time() - start) / (60 * opt.minutes)) < 1:
        for g in adam.param_groups:
            g["lr"] = opt.rate * (done / 0.04 if done < 0.04 else 0.03 + 0.97 * (1 - done) / 0.96)
        encoder.train()
        for part in (encoder.embeddings, encoder.shared, encoder.topic_layers):
            part.eval()
        with parametrize.cached(), low:
            losses = stance_loss(encoder, rng, groups, weights, plain, inferred, opt.claims)
            losses |= nli_loss(encoder, rng, premises, opt.claims * 4 // 7) if step % 2 else facet_loss(encoder, rng, subjects, max(5, opt.claims // 3))
            sum(losses.values()).backward()
        torch.nn.utils.clip_grad_norm_([p for _, p in trained], 1)
        adam.step()
        adam.zero_grad()
        step += 1
        sums.update({k: v.item() for k, v in losses.items()})
        sums["steps"] += 1
        average.add()
        if time.time() - last > 540:
            last = time.time()
            print(f"{done:.2f} step {step}", {k: round(v / sums["steps"], 3) for k, v in sums.items() if k != "steps"}, report(), flush=True)
            sums.clear()
    print("end", step, report())


if __name__ == "__main__":
    main()
