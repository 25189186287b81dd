"""Trains the angle branch.

    python train.py --start branch.safetensors --minutes 5 --mix 9,6,12,24 --device cuda --ahead 6 --out better.safetensors

An H200 does 80 steps a second of 51 claims each, in four runs at once; two cores (AVX2) do 21 steps a minute of 17 claims.
Progress is printed with the measures of measure.py; the running average of the weights is saved as often, for average.py.
Without --start, training begins with copies of the trunk's own layers.

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
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

import examples
import measure
from batches import Batches
from encoder import Encoder
from packed import Packed

AVERAGE = 4  # steps from one addition to the running average to the next

above = lambda x, scale: F.softplus(-x / scale)


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
    return {"pair": 2 * pair, "own": side, "off": (scores**2 * other).sum() / other.sum()}


def nli_loss(vectors):
    premise, ue, ve, uc, vc = vectors.chunk(5)
    a, b = ((ue - ve) * premise).sum(-1), ((uc - vc) * premise).sum(-1)
    return {"nli": (above(a - b, 0.15) + 0.5 * above(a, 0.1) + 0.5 * above(-b, 0.1)).mean()}


def facet_loss(angle, topic):
    """The first half of the vectors asks for the second."""
    n = len(angle) // 2
    return {"facet": F.cross_entropy(20 * topic[:n] @ topic[n:].T + 10 * angle[:n] @ angle[n:].T, torch.arange(n, device=angle.device))}


def losses(packed, part):
    (sizes, stance), facets = part
    asked, texts, hypotheses = packed(*stance).float().split(sizes)
    out = stance_loss(asked, texts)
    if len(hypotheses):
        out |= nli_loss(hypotheses)
    if facets:
        out |= facet_loss(*(x.float() for x in packed(*facets, topic=True)))
    return out


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("--model", default=str(examples.TOPIC))
    arg.add_argument("--out", default="branch.safetensors")
    arg.add_argument("--start", help="go on from this branch")
    arg.add_argument("--minutes", type=float, default=105)
    arg.add_argument("--report", type=float, default=19, help="minutes between reports")
    arg.add_argument("--rate", type=float, default=1.5e-4)
    arg.add_argument("--mix", default="5,3,4,5", help="gathered, plain and inferred claims and claims with passages in a step")
    arg.add_argument("--masked", type=float, default=0, help="share of the tokens of texts that are masked")
    arg.add_argument("--dropout", type=float, default=0.1)
    arg.add_argument("--horizon", type=float, default=100, help="how many steps the running average of the weights looks back")
    arg.add_argument("--decay", type=float, default=0.01)
    arg.add_argument("--device", default="cpu")
    arg.add_argument("--ahead", type=int, default=0, help="processes that draw examples ahead of the steps")
    arg.add_argument("--seed", type=int, default=7)
    arg.add_argument("--debates", help="the folder of the bundled corpus, which is measured too")
    opt = arg.parse_args()
    torch.manual_seed(opt.seed)
    encoder = Encoder(opt.model).eval()
    if opt.start:
        encoder.load_state_dict({k: v.float() for k, v in load_file(opt.start).items()}, strict=False)
    gpu = opt.device.startswith("cuda")
    torch.backends.cuda.enable_cudnn_sdp(False)  # it would plan each new shape of a group for a tenth of a second
    batches = Batches(encoder.tokenizer, [int(x) for x in opt.mix.split(",")], opt.masked, *((1.6, 8) if gpu else (1.1, 1)))
    print(batches, flush=True)
    parts = batches.ahead(opt.seed, opt.ahead)
    packed = Packed(encoder.to(opt.device), opt.dropout, opt.horizon)
    adam = torch.optim.AdamW([{"params": [packed.matrices], "weight_decay": opt.decay}, {"params": list(packed.vectors.values()), "weight_decay": 0}], lr=opt.rate, betas=(0.9, 0.98), fused=True)

    def report():
        averaged, state = packed.averaged()
        save_file({k: v.half().cpu() for k, v in state.items()}, opt.out)
        return measure.quick(averaged, opt.debates)

    low = torch.autocast("cuda", torch.bfloat16) if gpu else contextlib.nullcontext()
    start = last = time.time()
    sums, step = collections.defaultdict(float), 0
    while (done := (time.time() - start) / (60 * opt.minutes)) < 1:
        for g in adam.param_groups:
            g["lr"] = opt.rate * (done / 0.03 if done < 0.03 else 0.03 + 0.97 * (1 - done) / 0.97)
        packed.round()
        with low:
            found = losses(packed, next(parts))
        sum(found.values()).backward()
        torch.nn.utils.clip_grad_norm_(packed.parameters(), 1)
        adam.step()
        adam.zero_grad()
        step += 1
        if step % AVERAGE == 0:
            packed.average(AVERAGE)
        for k, v in found.items():
            sums[k] += v.detach()
            sums[k + " steps"] += 1
        if time.time() - last > 60 * opt.report:
            print(f"{done:.2f} step {step}", {k: round(float(sums[k] / sums[k + " steps"]), 3) for k in found}, report(), flush=True)
            last = time.time()
            sums.clear()
    print("end", step, report(), flush=True)


if __name__ == "__main__":
    main()
