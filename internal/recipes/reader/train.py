"""Trains the reader of queries, which stands beside an encoder of English in a collection.

    python train.py ../../../sides/pack ../../../perspective/testdata ../../../examples/debates/corpus.jsonl model --more ordinary.txt

It begins as the first layers of the bundled transformer, with those of its pieces that the rows need, and with the network of
network.py on the states of all layers. All of it learns from the rows, and from --more, ordinary queries of other kinds, one on
each line. Its weights are rounded as a pack stores them meanwhile, so that 4 bits cost it nothing. It writes a model folder with
a reader.safetensors. It takes about five hours on two cores and 6 GB, and needs torch, transformers, tokenizers and safetensors.
"""
import argparse
import collections
import json
import lzma
import math
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.nn.utils import parametrize
from transformers import BertConfig, BertModel

import network
import rows as of

LAYERS, PIECES, WIDTH, POSITIONS = 3, 8000, 160, 64
EPOCHS, RATE = 5, 3e-4  # the network on the states learns at four times this rate
OTHERS = 12000  # ordinary queries of other kinds in an epoch
CAUTION = 2.0  # what is added to the score of no perspective, chosen by the eighth to the tenth set, the fifteenth and docs/embed.md
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
        for i, (a, b) in enumerate(of.words(query)):
            own = self.word(query[a:b])
            ids += own
            begins += [i] + [-1] * (len(own) - 1) if own else []
        return ids + [self.ends[1]], begins + [-1]


class Pack:
    """What a pack has of its encoder: the configuration, the weights of the trunk by their names, and the tokenizer."""

    def __init__(self, folder):
        pack = json.loads((folder / "pack.json").read_text())
        sections = {s["name"]: s for s in pack["sections"]}
        content = {name: b"".join((folder / f["path"]).read_bytes() for f in s["files"]) for name, s in sections.items()}
        self.config, self.settings = pack["config"], pack["tokenizer"]
        self.weights = {t["name"]: tensor(t, content["trunk"]) for t in sections["trunk"]["tensors"]}
        self.pieces = content["vocabulary"].decode().splitlines()


def tensor(t, content):
    """A tensor of a pack's section: see the comment of internal/wasm/pack."""
    rows, length = t["shape"][0], math.prod(t["shape"])
    if t["encoding"] != "q4":
        kind = {"f16": np.float16, "f32": np.float32}[t["encoding"]]
        return torch.from_numpy(np.frombuffer(content, kind, length, t["offset"]).astype(np.float32)).view(t["shape"])
    groups = np.frombuffer(content, np.dtype([("scale", "<f2"), ("values", np.uint8, 16)]), length // 32, t["offset"])
    values = np.stack([groups["values"] & 15, groups["values"] >> 4], -1).astype(np.float32) - 8
    return torch.from_numpy(values.reshape(len(groups), 32) * groups["scale"].astype(np.float32)[:, None]).reshape(rows, -1)


def vocabulary(pack, requests, sentences):
    """The places of the pieces that the rows need most, and of all single characters, in the order of the pack."""
    tokens, count = Tokens(pack.settings, pack.pieces), collections.Counter()
    for weight, rows in ((3, requests), (1, sentences)):
        for query, _, _ in rows:
            for i in tokens.ids(query)[0]:
                count[i] += weight
    keep = set(range(5)) | {i for i, piece in enumerate(pack.pieces) if len(piece.removeprefix("##")) == 1}
    for i, _ in count.most_common():
        if len(keep) == PIECES:
            break
        keep.add(i)
    return sorted(keep)


class Grid(nn.Module):
    """Rounds a matrix to the values of 4 bits that a pack stores. Gradients pass as if it did not."""

    def forward(self, w):
        with torch.no_grad():
            x = F.pad(w, (0, -w.shape[1] % GROUP)).view(len(w), -1, GROUP)
            plain = x.abs().amax(-1, keepdim=True) / MOST
            unit = plain.amax(1, keepdim=True) / STEPS + 1e-12
            scale = (plain / unit).round().clamp(1, STEPS) * unit
            rounded = ((x / scale).round().clamp(-MOST, MOST) * scale).view(len(w), -1)[:, : w.shape[1]]
        return w + (rounded - w).detach()


class Reader(nn.Module):
    def __init__(self, pack, keep, labels):
        super().__init__()
        c = pack.config
        self.config = BertConfig(
            vocab_size=len(keep), hidden_size=c["hidden"], num_hidden_layers=LAYERS, num_attention_heads=c["heads"], intermediate_size=c["intermediate"],
            max_position_embeddings=POSITIONS, type_vocab_size=1, layer_norm_eps=c["epsilon"], attention_probs_dropout_prob=0.0,
        )
        self.trunk = BertModel(self.config, add_pooling_layer=False)
        known = dict(pack.weights)
        known["embeddings.word_embeddings.weight"] = known["embeddings.word_embeddings.weight"][keep]
        own = self.trunk.state_dict()
        self.trunk.load_state_dict({name: known[name][: len(t)] if name in known else t for name, t in own.items()})  # fewer positions, and one type
        self.reader = network.Head(c["hidden"] * LAYERS, WIDTH, labels)
        for name, module in self.trunk.named_modules():
            if isinstance(module, nn.Linear) or name.endswith("word_embeddings"):
                parametrize.register_parametrization(module, "weight", Grid())

    def forward(self, ids, mask, dropout=0.0):
        states = self.trunk(input_ids=ids, attention_mask=mask.long(), output_hidden_states=True).hidden_states
        return self.reader(torch.cat(states[1:], -1), mask, dropout)


class Material:
    """The rows of this folder and of perspective/testdata: made with the grammar in view, blind, and sentences of a corpus and more."""

    def __init__(self, data, corpus, more):
        unseen = {query.lower() for files in of.MEASURED for query, _, _ in of.read_rows(data, *files)}
        seen = lambda rows: [row for row in rows if row[0].lower() not in unseen and len(of.words(row[0])) <= POSITIONS - 4]
        self.own = seen(of.read_rows(data, *of.WITH_GRAMMAR))
        self.blind = seen([row for files in of.BLIND for row in of.read_rows(data, *files)] + of.parsed(lzma.open(Path(__file__).with_name(of.MORE), "rt")))
        self.sentences = seen(of.statements(corpus))
        self.more = seen((line.strip(), "", "") for line in open(more)) if more else []
        self.labels = sorted({label for _, _, label in self.own + self.blind})
        self.measured = [(files[0].split("-")[0], of.read_rows(data, *files)) for files in of.MEASURED]


def write(out, model, tokens, labels):
    """A folder that vantage model pack reads, with the reader beside it."""
    out.mkdir(exist_ok=True)
    settings = {"model_type": "bert", "architectures": ["BertModel"], "hidden_act": "gelu", "pad_token_id": 0}
    for name in "vocab_size hidden_size num_hidden_layers num_attention_heads intermediate_size max_position_embeddings type_vocab_size layer_norm_eps".split():
        settings[name] = getattr(model.config, name)
    (out / "config.json").write_text(json.dumps(settings, indent=1) + "\n")
    (out / "tokenizer.json").write_text(json.dumps(tokens.settings, separators=(",", ":"), ensure_ascii=False) + "\n")
    with torch.no_grad():  # the rounded values themselves
        trunk = {name.replace("parametrizations.", "").replace(".original", ""): t for name, t in model.trunk.state_dict().items()}
        for name, module in model.trunk.named_modules():
            if parametrize.is_parametrized(module):
                trunk[f"{name}.weight"] = module.weight
    save_file({name: t.half().contiguous() for name, t in trunk.items()}, out / "model.safetensors", metadata={"format": "pt"})
    reader = {f"reader.{name}": t.half() for name, t in model.reader.state_dict().items()}
    save_file(reader, out / "reader.safetensors", metadata={"reader": json.dumps({"states": list(range(1, LAYERS + 1)), "width": WIDTH, "labels": labels})})


def main():
    p = argparse.ArgumentParser()
    p.add_argument("pack", type=Path), p.add_argument("data", type=Path), p.add_argument("corpus", type=Path), p.add_argument("out", type=Path)
    p.add_argument("--more", type=Path), p.add_argument("--seed", type=int, default=0)
    o = p.parse_args()
    random.seed(o.seed), torch.manual_seed(o.seed)
    material, pack = Material(o.data, o.corpus, o.more), Pack(o.pack)
    keep, labels = vocabulary(pack, material.own + material.blind, material.sentences), material.labels
    tokens = Tokens(pack.settings, [pack.pieces[i] for i in keep])
    make = lambda rows: [d for d in (network.example(tokens, labels, *row) for row in rows) if len(d[0]) <= POSITIONS]
    measured = [(name, make(rows)) for name, rows in material.measured]
    model, others = Reader(pack, keep, len(labels)), material.sentences + material.more
    optimizer = torch.optim.AdamW([{"params": model.trunk.parameters()}, {"params": model.reader.parameters()}], weight_decay=0.01)
    most = len(material.own) + 2 * len(material.blind) + OTHERS  # examples of an epoch
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, [RATE, 4 * RATE], total_steps=EPOCHS * -(-most // network.BATCH) + 1, pct_start=0.05)
    tell = lambda: print(", ".join("{}: {} misread, {} touched".format(name, *network.measure(model, data, labels)) for name, data in measured), flush=True)
    for _ in range(EPOCHS):
        data = material.own + material.blind + list(of.swapped(material.blind, 1)) + random.sample(others, min(OTHERS, len(others)))
        network.epoch(model, make(of.varied(data)), labels, optimizer, plan, 0.1)
        tell()
    with torch.no_grad():
        model.reader.label.bias[labels.index("")] += CAUTION
    tell()
    write(o.out, model, tokens, labels)


if __name__ == "__main__":
    main()
