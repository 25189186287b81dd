"""Trains the teacher of the reader of queries: which words are the root, and what the wording asks for.

    python teacher.py ../../../sides/pack ../../../perspective/testdata ../../../examples/debates/corpus.jsonl teacher.safetensors

The trunk of the bundled transformer is frozen. Its states are computed once, and a small network is trained on them: a layer on
the states of each token, two convolutions over the tokens, a score of each label from all of them, and for each token
whether it belongs to the root. Each part of a root costs APART, so that roots rarely have several. It takes three quarters of an
hour on one core and 12 GB, and needs torch, transformers, tokenizers and safetensors.
"""
import argparse
import json
import lzma
import math
import random
import re
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

STATES = (1, 2, 4, 6)  # layers of the trunk whose states the reader sees
WIDTH, REACH = 192, 2  # components, and tokens on either side that a convolution sees
APART = 2.0  # what each part of a root costs: apart in perspective/tagged.go
BATCH = 64
SURE = 0.5  # how much greater the score of a perspective must be than that of none: sure in internal/wasm/packed/reading.go
ORDINARY = 2.0  # how much more an ordinary question counts than a request, of which there are more
SWAPS = 2  # further examples of a request, with other roots
ARTICLES = {"a", "an", "the"}

# Files of perspective/testdata. Those of the rows that were written without sight of the grammar have their roots swapped, too.
WITH_GRAMMAR = ("phrasings.jsonl", "questions.txt")
BLIND = [("blind-phrasings.jsonl", "blind-questions.txt"), ("seventh-phrasings.jsonl", "seventh-questions.txt")]
MORE = "rows.jsonl.xz"  # more such rows, beside this file; the root of an ordinary query is empty
MEASURED = [(f"{name}-phrasings.jsonl", f"{name}-questions.txt") for name in ("eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth")]


def words(query):
    """The words of a query with their places, as perspective.Words cuts it: a mark is a word of its own."""
    return [(m.start(), m.end()) for m in re.finditer(r"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+|[\x21-\x7e]", query)]


def is_mark(word):
    return not re.search(r"[^\W_]", word)


def tagged(query, root):
    """For each word 1 if it belongs to the root, 0 if not, and None for articles and marks, which do not matter."""
    texts = [query[a:b].lower() for a, b in words(query)]
    content = [i for i, w in enumerate(texts) if not is_mark(w) and w not in ARTICLES]
    want = [w for w in (root[a:b].lower() for a, b in words(root)) if not is_mark(w) and w not in ARTICLES]
    tags = [0 if i in content else None for i in range(len(texts))]
    have = [texts[i] for i in content]
    for start in range(len(have) - len(want), -1, -1):  # the last place, if there are two
        if have[start : start + len(want)] == want:
            chosen = content[start : start + len(want)]
            break
    else:  # words were left out, such as a negation
        chosen, at = [], len(want)
        for i in reversed(content):
            if at > 0 and texts[i] == want[at - 1]:
                chosen.append(i)
                at -= 1
        if at > 0:
            raise ValueError(f"the root {root!r} is not in {query!r}")
    for i in chosen:
        tags[i] = 1
    return tags


def parsed(lines):
    """(query, root, label) of each line of JSON; the label of an ordinary query is empty."""
    rows = [json.loads(line) for line in lines]
    return [(r["query"], r["root"], f'{r["perspective"]}:{r["side"]}'.removesuffix(":")) for r in rows]


def read_rows(folder, requests, questions):
    """The rows of a file of requests and a file of ordinary questions."""
    return parsed(open(folder / requests)) + [(line.rstrip("\n"), "", "") for line in open(folder / questions) if line.strip()]


# Words by which a root of three words or more is likely a whole sentence.
FINITE = set("should is are was were must can could will would has have had does do did need needs deserve ought may might cannot cause causes make makes".split())


def form(root):
    """What stands in for a root without harm: a sentence, a word in -ing, an infinitive, or a noun with what belongs to it."""
    parts = root.lower().split()
    if len(parts) > 2 and FINITE & set(parts[1:]):
        return "sentence"
    return "to" if parts[0] == "to" else "ing" if parts[0].endswith("ing") and len(parts[0]) > 4 else "noun"


def swapped(rows, times):
    """Requests with the roots of others of the same form, and hardly longer or shorter."""
    found, roots = [], {}
    for query, root, label in rows:
        at = query.lower().rfind(root.lower()) if label else -1
        whole = at >= 0 and not query[at - 1 : at].isalnum() and not query[at + len(root) : at + len(root) + 1].isalnum()
        if whole:
            found.append((query[:at], root, query[at + len(root) :], label))
            roots.setdefault(form(root), []).append(root)
    for before, root, after, label in found:
        for _ in range(times):
            other = random.choice(roots[form(root)])
            if abs(len(other.split()) - len(root.split())) <= 3 and other.lower() != root.lower():
                yield before + other + after, other, label


def statements(corpus):
    """The sentences of a corpus. A statement asks for no perspective, even if it has one."""
    for line in open(corpus):
        for sentence in re.split(r"(?<=[.!?])\s+", json.loads(line)["text"]):
            if 5 <= len(sentence.split()) <= 35:
                yield sentence, "", ""


class Reader(nn.Module):
    def __init__(self, labels, hidden=384):
        super().__init__()
        near = WIDTH * (2 * REACH + 1)
        self.states = nn.Linear(hidden * len(STATES), WIDTH)
        self.near = nn.ModuleList([nn.Linear(near, WIDTH) for _ in range(2)])
        self.label = nn.Linear(3 * WIDTH, labels)
        self.gate = nn.Linear(3 * WIDTH, WIDTH)
        self.root = nn.Linear(2 * WIDTH, 1)

    def forward(self, x, mask, dropout=0.0):
        m = mask[:, :, None]
        drop = lambda t: F.dropout(t, dropout, self.training)
        u = drop(F.relu(self.states(x))) * m
        for layer in self.near:
            padded = F.pad(u, (0, 0, REACH, REACH))
            around = torch.cat([padded[:, i : i + u.shape[1]] for i in range(2 * REACH + 1)], -1)
            u = u + drop(F.relu(layer(around))) * m
        pooled = torch.cat([u[:, 0], u.sum(1) / m.sum(1), (u + (m - 1) * 1e4).amax(1)], -1)
        gate = F.relu(self.gate(pooled))[:, None]
        return self.label(pooled), self.root(torch.cat([u, u * gate], -1))[:, :, 0]


class Trunk:
    """The encoder of a pack, with its weights of 4 bits in float arithmetic."""

    def __init__(self, folder):
        pack = json.loads((folder / "pack.json").read_text())
        c = pack["config"]
        config = BertConfig(
            vocab_size=c["vocabulary"], hidden_size=c["hidden"], num_hidden_layers=c["layers"], num_attention_heads=c["heads"],
            intermediate_size=c["intermediate"], max_position_embeddings=c["positions"], type_vocab_size=c["types"], layer_norm_eps=c["epsilon"],
        )
        sections = {s["name"]: s for s in pack["sections"]}
        content = {name: b"".join((folder / f["path"]).read_bytes() for f in s["files"]) for name, s in sections.items()}
        self.model = BertModel(config, add_pooling_layer=False).eval()
        self.model.load_state_dict({t["name"]: tensor(t, content["trunk"]) for t in sections["trunk"]["tensors"]}, strict=False)
        pack["tokenizer"]["model"]["vocab"] = {piece: i for i, piece in enumerate(content["vocabulary"].decode().splitlines())}
        self.tokenizer = Tokenizer.from_str(json.dumps(pack["tokenizer"]))

    def ids(self, query):
        """Token ids, and the index of the word that each token begins, or -1."""
        ids, begins = [self.tokenizer.token_to_id("[CLS]")], [-1]
        for i, (a, b) in enumerate(words(query)):
            own = self.tokenizer.encode(query[a:b], add_special_tokens=False).ids
            ids += own
            begins += [i if k == 0 else -1 for k in range(len(own))]
        return ids + [self.tokenizer.token_to_id("[SEP]")], begins + [-1]

    @torch.no_grad()
    def states(self, lists, batch=64):
        """The states of each list of ids, [tokens, 384 · states] in half floats."""
        out = [None] * len(lists)
        order = sorted(range(len(lists)), key=lambda i: len(lists[i]))
        for first in range(0, len(order), batch):
            part = order[first : first + batch]
            ids, mask = padded([torch.tensor(lists[i]) for i in part])
            layers = self.model(input_ids=ids, attention_mask=mask.long(), output_hidden_states=True).hidden_states
            x = torch.cat([layers[i] for i in STATES], -1)
            for row, i in zip(x, part):
                out[i] = row[: len(lists[i])].half()
        return out


def tensor(t, content):
    """A tensor of a pack's section: see the comment of internal/wasm/pack."""
    rows, length = t["shape"][0], math.prod(t["shape"])
    if t["encoding"] != "q4":
        kind = {"f16": np.float16, "f32": np.float32}[t["encoding"]]
        return torch.from_numpy(np.frombuffer(content, kind, length, t["offset"]).astype(np.float32)).view(t["shape"])
    groups = np.frombuffer(content, np.dtype([("scale", "<f2"), ("values", np.uint8, 16)]), length // 32, t["offset"])
    values = np.stack([groups["values"] & 15, groups["values"] >> 4], -1).astype(np.float32) - 8
    return torch.from_numpy(values.reshape(len(groups), 32) * groups["scale"].astype(np.float32)[:, None]).reshape(rows, -1)


def padded(rows):
    mask = torch.zeros(len(rows), max(map(len, rows)))
    for line, row in zip(mask, rows):
        line[: len(row)] = 1
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), mask


def examples(trunk, rows, labels):
    """(states, tags of tokens or -1, label) of each row."""
    ids, tags = [], []
    for query, root, _ in rows:
        of_words, (own, begins) = tagged(query, root) if root else None, trunk.ids(query)
        ids.append(own)
        tags.append(torch.tensor([-1.0 if w < 0 or of_words is None or of_words[w] is None else of_words[w] for w in begins]))
    return [(x, t, labels.index(label)) for x, t, (_, _, label) in zip(trunk.states(ids), tags, rows)]


def batches(data, size=BATCH):
    data = sorted(data, key=lambda d: len(d[0]) + 2 * random.random())
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    random.shuffle(parts)
    for part in parts:
        x, mask = padded([d[0].float() for d in part])
        yield x, mask, padded([d[1] + 1 for d in part])[0] - 1, torch.tensor([d[2] for d in part])


def asked(root, tags):
    """The numbers and tags of those tokens that have a tag, and where there are some, each [rows, most of a row]."""
    there = tags >= 0
    count = there.sum(1)
    order = torch.argsort((~there).int(), dim=1, stable=True)[:, : int(count.max())]
    return root.gather(1, order), tags.gather(1, order).clamp_min(0), torch.arange(order.shape[1]) < count[:, None]


def root_loss(root, tags):
    """The negative log-likelihood of the tags by a chain in which each part of a root costs APART, for each word."""
    root, tags, there = asked(root, tags)
    if not there.any():
        return root.sum()
    inside, outside = torch.full((len(root),), -1e4), torch.zeros(len(root))
    for t in range(root.shape[1]):
        now = root[:, t] + torch.logaddexp(inside, outside - APART), torch.logaddexp(outside, inside)
        inside, outside = (torch.where(there[:, t], new, old) for new, old in zip(now, (inside, outside)))
    parts = (tags * (1 - F.pad(tags, (1, 0))[:, :-1]) * there).sum(1)
    score = (root * tags * there).sum(1) - APART * parts
    return (torch.logaddexp(inside, outside) - score).sum() / there.sum()


def decoded(root):
    """The likeliest tags of a row, by Viterbi's algorithm, as perspective.ReadTagged finds them."""
    inside, outside, steps = -1e30, 0.0, []
    for number in root:
        steps.append((inside > outside, inside >= outside - APART))
        inside, outside = number + max(inside, outside - APART), max(inside, outside)
    tags, now = [], inside > outside
    for step in reversed(steps):
        tags.append(now)
        now = step[now]
    return tags[::-1]


@torch.no_grad()
def measure(model, data, labels):
    """Requests with a wrong label or root, and ordinary queries that got a label."""
    model.eval()
    misread = wrong = touched = 0
    for x, tags, label in data:
        scores, root = model(x.float()[None], torch.ones(1, len(x)))
        scores[0, labels.index("")] += SURE
        found = int(scores[0].argmax())
        if labels[label] == "":
            touched += labels[found] != ""
            continue
        wrong += found != label
        misread += found != label or decoded(root[0][tags >= 0].tolist()) != (tags[tags >= 0] > 0).tolist()
    return misread, wrong, touched


def main():
    p = argparse.ArgumentParser()
    p.add_argument("pack", type=Path), p.add_argument("data", type=Path), p.add_argument("corpus", type=Path), p.add_argument("out")
    p.add_argument("--epochs", type=int, default=10), p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--dropout", type=float, default=0.3), p.add_argument("--noise", type=float, default=0.02)
    p.add_argument("--seed", type=int, default=0)
    o = p.parse_args()
    random.seed(o.seed), torch.manual_seed(o.seed), torch.set_num_threads(1)
    trunk = Trunk(o.pack)
    blind = [row for files in BLIND for row in read_rows(o.data, *files)] + parsed(lzma.open(Path(__file__).with_name(MORE), "rt"))
    rows = read_rows(o.data, *WITH_GRAMMAR) + blind + list(swapped(blind, SWAPS)) + list(statements(o.corpus))
    unseen = {query.lower() for files in MEASURED for query, _, _ in read_rows(o.data, *files)}
    rows = [row for row in rows if row[0].lower() not in unseen]
    labels = sorted({label for _, _, label in rows})
    data = examples(trunk, rows, labels)
    print(f"{len(data)} examples", flush=True)
    measured = [(files[0].split("-")[0], examples(trunk, read_rows(o.data, *files), labels)) for files in MEASURED]
    model = Reader(len(labels))
    weights = torch.tensor([ORDINARY if label == "" else 1.0 for label in labels])
    steps = -(-len(data) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=o.rate, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, o.rate, total_steps=o.epochs * steps, pct_start=0.2)
    for epoch in range(o.epochs):
        model.train()
        total = 0
        for x, mask, tags, label in batches(data):
            scores, root = model(x * (1 + o.noise * torch.randn_like(x)), mask, o.dropout)
            loss = F.cross_entropy(scores, label, weights, label_smoothing=0.05) + root_loss(root, tags)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            plan.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / steps:.4f}", flush=True)
    for name, rows in measured:
        misread, wrong, touched = measure(model, rows, labels)
        print(f"{name}: {misread} requests misread, {wrong} of them by their label; {touched} ordinary questions touched")
    tensors = {f"reader.{name}": tensor.half() for name, tensor in model.state_dict().items()}
    save_file(tensors, o.out, metadata={"reader": json.dumps({"states": STATES, "width": WIDTH, "labels": labels})})


if __name__ == "__main__":
    main()
