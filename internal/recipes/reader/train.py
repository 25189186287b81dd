"""Trains the reader of queries, which stands beside an encoder of English in a collection.

    python train.py ../../../sides/pack ../../../perspective/testdata ../../../examples/debates/corpus.jsonl model

It is a transformer of four small layers below the network of teacher.py. Its tokens are those of the bundled pack, with fewer
pieces. It begins with two layers, and first learns from the same rows as the teacher. Then it learns from what the teacher
says of the rows (distillation), and of --more, ordinary queries of other kinds, one on each line. Meanwhile, its weights are
rounded as a pack stores them, so that 4 bits cost it nothing. At last it gets two more layers, which change nothing at first,
and learns on. It writes a model folder with a reader.safetensors. It takes about six hours on one core and 8 GB, and needs
what teacher.py needs.
"""
import argparse
import collections
import json
import lzma
import random
import re
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch.nn.utils import parametrize
from transformers import BertConfig, BertModel

import teacher
from teacher import BATCH, BLIND, MEASURED, MORE, ORDINARY, SURE, WITH_GRAMMAR

PIECES, HIDDEN, HEADS, INTERMEDIATE, WIDTH, POSITIONS = 8000, 128, 4, 800, 160, 64
LAYERS, DEEPER = 2, 4  # layers at first, and at last
SWAPS = 2  # further examples of a request in an epoch, with other roots
FIRST, SECOND, THIRD = 8, 5, 10  # epochs without the teacher, with it, and with all layers
CAUTION = 2.5  # what is added to the score of no perspective, chosen by the eighth to the tenth set, the fifteenth and docs/embed.md
SOFT, TEMPERATURE = 0.5, 2.0  # how much its scores count beside the rows, and how they are softened
GROUP, MOST, STEPS = 32, 7, 18  # of 4 bits: Group, MaxQ4 and Steps in internal/wasm/pack


class Tokens:
    """Cuts queries into the pieces of a vocabulary."""

    def __init__(self, settings, pieces):
        self.settings = json.loads(json.dumps(settings))
        self.settings["model"]["vocab"] = {piece: i for i, piece in enumerate(pieces)}
        self.tokenizer = Tokenizer.from_str(json.dumps(self.settings))
        self.ends = [self.tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]")]
        self.known = {}

    def word(self, text):
        if text not in self.known:
            self.known[text] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return self.known[text]

    def ids(self, query):
        """Token ids, and the index of the word that each token begins, or -1."""
        ids, begins = [self.ends[0]], [-1]
        for i, (a, b) in enumerate(teacher.words(query)):
            own = self.word(query[a:b])
            ids += own
            begins += [i] + [-1] * (len(own) - 1) if own else []
        return ids + [self.ends[1]], begins + [-1]


def vocabulary(full, settings, requests, sentences):
    """The pieces that the rows need most, and all single characters, in the order of the pack."""
    tokens, count = Tokens(settings, full), collections.Counter()
    for weight, rows in ((3, requests), (1, sentences)):
        for query, _, _ in rows:
            for i in tokens.ids(query)[0]:
                count[i] += weight
    keep = set(range(5)) | {i for i, piece in enumerate(full) if len(piece.removeprefix("##")) == 1}
    for i, _ in count.most_common():
        if len(keep) == PIECES:
            break
        keep.add(i)
    return sorted(keep)


class Grid(nn.Module):
    """Rounds a matrix to the values of 4 bits that a pack stores. Gradients pass as if it did not."""

    on = False

    def forward(self, w):
        if not Grid.on:
            return w
        with torch.no_grad():
            x = F.pad(w, (0, -w.shape[1] % GROUP)).view(len(w), -1, GROUP)
            plain = x.abs().amax(-1, keepdim=True) / MOST
            unit = plain.amax(1, keepdim=True) / STEPS + 1e-12
            scale = (plain / unit).round().clamp(1, STEPS) * unit
            rounded = ((x / scale).round().clamp(-MOST, MOST) * scale).view(len(w), -1)[:, : w.shape[1]]
        return w + (rounded - w).detach()


class Small(nn.Module):
    def __init__(self, pieces, labels, layers, dropout):
        super().__init__()
        self.config = BertConfig(
            vocab_size=pieces, hidden_size=HIDDEN, num_hidden_layers=layers, num_attention_heads=HEADS, intermediate_size=INTERMEDIATE,
            max_position_embeddings=POSITIONS, type_vocab_size=1, hidden_dropout_prob=dropout, attention_probs_dropout_prob=0.0,
        )
        self.trunk = BertModel(self.config, add_pooling_layer=False)
        of_pack = teacher.STATES, teacher.WIDTH
        teacher.STATES, teacher.WIDTH = tuple(range(1, layers + 1)), WIDTH
        self.reader = teacher.Reader(labels, HIDDEN)
        teacher.STATES, teacher.WIDTH = of_pack
        for name, module in self.trunk.named_modules():
            if isinstance(module, nn.Linear) or name.endswith("word_embeddings"):
                parametrize.register_parametrization(module, "weight", Grid())

    def forward(self, ids, mask, dropout=0.0):
        states = self.trunk(input_ids=ids, attention_mask=mask.long(), output_hidden_states=True).hidden_states
        return self.reader(torch.cat(states[1:], -1), mask, dropout)


@torch.no_grad()
def deeper(model, labels, data):
    """The model with more layers, which leave its states nearly as they are until they have learned something.

    They are copies of its layers, but add nothing to what they get, and their norms have the spread of its last states.
    """
    taller = Small(model.config.vocab_size, labels, DEEPER, 0.05)
    model.eval()
    last = torch.cat([model.trunk(input_ids=d[0][None]).last_hidden_state[0] for d in data])
    own = model.trunk.state_dict()
    trunk = {name: own[re.sub(r"layer\.(\d+)", lambda n: f"layer.{int(n[1]) % LAYERS}", name)].clone() for name in taller.trunk.state_dict()}
    for name, tensor in trunk.items():
        if any(f"layer.{i}." in name for i in range(LAYERS, DEEPER)):
            if "LayerNorm.weight" in name:
                tensor.fill_(last.std(-1, unbiased=False).mean())
            elif "LayerNorm.bias" in name:
                tensor.fill_(last.mean())
            elif ".output.dense." in name:
                tensor.zero_()
    taller.trunk.load_state_dict(trunk)
    reader = model.reader.state_dict()
    reader["states.weight"] = F.pad(reader["states.weight"], (0, HIDDEN * (DEEPER - LAYERS)))
    taller.reader.load_state_dict(reader)
    return taller


def varied(rows):
    """Rows, of which some have other marks or lack their apostrophes."""
    for query, root, label in rows:
        other, chance = query, random.random()
        if chance < 0.08:
            other = re.sub(r"[.?!]*$", random.choice(["", "", ".", "?", "!"]), query)
        elif chance < 0.12:
            other = re.sub(r"[,;:.?!] ", " ", query)
        elif chance < 0.15:
            other = re.sub(r"[,:;] ", lambda _: random.choice([", ", ": ", " - ", "; "]), query)
        elif chance < 0.25:
            other = query.replace("'", "")
        of_other = root.replace("'", "") if "'" not in other else root
        try:
            if of_other:
                teacher.tagged(other, of_other)
            yield other, of_other, label
        except ValueError:  # the root itself was changed
            yield query, root, label


def example(tokens, labels, query, root, label, scores=None, of_words=None):
    """(ids, tags of tokens or -1, label, the teacher's scores, its numbers of the tokens)"""
    tags = teacher.tagged(query, root) if root else None
    ids, begins = tokens.ids(query)
    of = lambda values, none: torch.tensor([none if w < 0 or values is None or values[w] is None else float(values[w]) for w in begins])
    return torch.tensor(ids), of(tags, -1.0), labels.index(label), scores, of(of_words, 0.0)


@torch.no_grad()
def taught(trunk, reader, rows):
    """Each row with what the teacher says of it: scores of the labels, and a number for each word."""
    for first in range(0, len(rows), 4096):
        part = rows[first : first + 4096]
        cut = [trunk.ids(query) for query, _, _ in part]
        for row, x, (_, begins) in zip(part, trunk.states([ids for ids, _ in cut]), cut):
            scores, root = reader(x.float()[None], torch.ones(1, len(x)))
            numbers = [0.0] * len(teacher.words(row[0]))
            for number, w in zip(root[0].tolist(), begins):
                if w >= 0:
                    numbers[w] = number
            yield *row, scores[0], numbers


def epoch(model, data, labels, optimizer, plan, dropout):
    weights = torch.tensor([ORDINARY if label == "" else 1.0 for label in labels])
    data = sorted(data, key=lambda d: len(d[0]) + 2 * random.random())
    parts = [data[i : i + BATCH] for i in range(0, len(data), BATCH)]
    random.shuffle(parts)
    model.train()
    total = 0
    for part in parts:
        ids, mask = teacher.padded([d[0] for d in part])
        tags, label = teacher.padded([d[1] + 1 for d in part])[0] - 1, torch.tensor([d[2] for d in part])
        scores, root = model(ids, mask, dropout)
        loss = F.cross_entropy(scores, label, weights, label_smoothing=0.05)
        judged = [i for i, d in enumerate(part) if d[3] is not None]
        if judged:
            share, of = SOFT * len(judged) / len(part), weights[label[judged]]
            theirs = F.softmax(torch.stack([part[i][3] for i in judged]) / TEMPERATURE, -1)
            soft = -(theirs * F.log_softmax(scores[judged] / TEMPERATURE, -1)).sum(-1) * of
            loss = (1 - share) * loss + share * TEMPERATURE**2 * soft.sum() / of.sum()
            numbers = teacher.padded([d[4] for d in part])[0][judged]
            there = tags[judged] >= 0
            if there.any():
                loss = loss + share * F.binary_cross_entropy_with_logits(root[judged][there], torch.sigmoid(numbers[there]))
        loss = loss + teacher.root_loss(root, tags)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        plan.step()
        total += loss.item()
    print(f"loss {total / len(parts):.4f}", flush=True)


def stepping(model, rate, steps, begin):
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    return optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps + 1, pct_start=begin)


@torch.no_grad()
def measure(model, data, labels):
    """Requests with a wrong label or root, and ordinary queries that got a label."""
    model.eval()
    misread = touched = 0
    for ids, tags, label, _, _ in data:
        scores, root = model(ids[None], torch.ones(1, len(ids)))
        scores[0, labels.index("")] += SURE
        found = int(scores[0].argmax())
        if labels[label] == "":
            touched += labels[found] != ""
        else:
            misread += found != label or teacher.decoded(root[0][tags >= 0].tolist()) != (tags[tags >= 0] > 0).tolist()
    return misread, touched


def main():
    p = argparse.ArgumentParser()
    p.add_argument("pack", type=Path), p.add_argument("data", type=Path), p.add_argument("corpus", type=Path), p.add_argument("out", type=Path)
    p.add_argument("--more", type=Path), p.add_argument("--seed", type=int, default=0)
    o = p.parse_args()
    random.seed(o.seed), torch.manual_seed(o.seed), torch.set_num_threads(1)

    blind = [row for files in BLIND for row in teacher.read_rows(o.data, *files)] + teacher.parsed(lzma.open(Path(__file__).with_name(MORE), "rt"))
    unseen = {query.lower() for files in MEASURED for query, _, _ in teacher.read_rows(o.data, *files)}
    seen = lambda rows: [row for row in rows if row[0].lower() not in unseen and len(teacher.words(row[0])) <= POSITIONS - 4]
    own, blind, sentences = seen(teacher.read_rows(o.data, *WITH_GRAMMAR)), seen(blind), seen(teacher.statements(o.corpus))
    rows = own + blind + sentences
    labels = sorted({label for _, _, label in rows})

    trunk = teacher.Trunk(o.pack)
    settings = json.loads(trunk.tokenizer.to_str())
    full = [piece for piece, _ in sorted(trunk.tokenizer.get_vocab().items(), key=lambda item: item[1])]
    taught_by = teacher.Reader(len(labels)).eval()
    taught_by.load_state_dict({name.removeprefix("reader."): t.float() for name, t in load_file(Path(__file__).with_name("teacher.safetensors")).items()})
    keep = vocabulary(full, settings, own + blind, sentences)
    tokens = Tokens(settings, [full[i] for i in keep])

    model = Small(len(keep), len(labels), LAYERS, 0.1)
    known = trunk.model.embeddings.word_embeddings.weight.detach()[keep]
    known = known - known.mean(0)
    known = known @ torch.linalg.svd(known, full_matrices=False)[2][:HIDDEN].T  # its principal components
    with torch.no_grad():
        model.trunk.embeddings.word_embeddings.parametrizations.weight.original.copy_(known / known.std() * 0.05)

    make = lambda rows: [d for d in (example(tokens, labels, *row) for row in rows) if len(d[0]) <= POSITIONS]
    measured = [(files[0].split("-")[0], make(teacher.read_rows(o.data, *files))) for files in MEASURED]

    def tell():
        print(", ".join("{}: {} misread, {} touched".format(name, *measure(model, data, labels)) for name, data in measured), flush=True)

    fixed = make(rows)
    once = -(-(len(fixed) + SWAPS * len(blind)) // BATCH)
    stepper = stepping(model, 1.5e-3, FIRST * once, 0.15)
    for _ in range(FIRST):
        epoch(model, fixed + make(teacher.swapped(blind, SWAPS)), labels, *stepper, 0.2)
    tell()
    more = seen((line.strip(), "", "") for line in open(o.more)) if o.more else []
    theirs = taught(trunk, taught_by, rows + list(teacher.swapped(blind, 2 * SWAPS)))
    # Of the others, those that the teacher takes for requests are left out.
    none = labels.index("")
    ordinary = [row for row in taught(trunk, taught_by, more) if all(row[3][none] + SURE > row[3][i] for i in range(len(labels)) if i != none)]
    data = make(theirs) + make(ordinary)
    stepper = stepping(model, 1e-3, SECOND * -(-len(data) // BATCH), 0.1)
    Grid.on = True
    for _ in range(SECOND):
        epoch(model, data, labels, *stepper, 0.1)
    tell()
    model = deeper(model, len(labels), random.sample(data, 400))
    stepper = stepping(model, 1e-3, THIRD * -(-(len(data) + SWAPS * len(blind)) // BATCH), 0.03)
    for _ in range(THIRD):
        epoch(model, data + make(varied(teacher.swapped(blind, SWAPS))), labels, *stepper, 0.1)
    with torch.no_grad():
        model.reader.label.bias[none] += CAUTION
    tell()

    write(o.out, model, tokens, labels)


def write(out, model, tokens, labels):
    """A folder that vantage model pack reads, with the reader beside it."""
    out.mkdir(exist_ok=True)
    c = model.config
    settings = {
        "model_type": "bert", "architectures": ["BertModel"], "vocab_size": c.vocab_size, "hidden_size": HIDDEN, "num_hidden_layers": c.num_hidden_layers,
        "num_attention_heads": HEADS, "intermediate_size": INTERMEDIATE, "hidden_act": "gelu", "max_position_embeddings": POSITIONS,
        "type_vocab_size": 1, "layer_norm_eps": c.layer_norm_eps, "pad_token_id": 0,
    }
    (out / "config.json").write_text(json.dumps(settings, indent=1) + "\n")
    (out / "tokenizer.json").write_text(json.dumps(tokens.settings, separators=(",", ":"), ensure_ascii=False) + "\n")
    with torch.no_grad():  # the rounded values themselves
        trunk = {name.replace("parametrizations.", "").replace(".original", ""): t for name, t in model.trunk.state_dict().items()}
        for name, module in model.trunk.named_modules():
            if parametrize.is_parametrized(module):
                trunk[f"{name}.weight"] = module.weight
    save_file({name: t.half().contiguous() for name, t in trunk.items()}, out / "model.safetensors", metadata={"format": "pt"})
    reader = {f"reader.{name}": t.half() for name, t in model.reader.state_dict().items()}
    save_file(reader, out / "reader.safetensors", metadata={"reader": json.dumps({"states": list(range(1, c.num_hidden_layers + 1)), "width": WIDTH, "labels": labels})})


if __name__ == "__main__":
    main()
