"""What reads the states of a transformer's layers, and what it learns by."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

import rows as of

REACH = 2  # tokens on either side that a convolution sees
APART = 2.0  # what each part of a root costs, so that roots rarely have several: apart in perspective/tagged.go
SURE = 0.5  # how much greater the score of a perspective must be than that of none: sure in internal/wasm/packed/reading.go
ORDINARY = 2.0  # how much more an ordinary query counts than a request, of which there are more
BATCH = 64


class Head(nn.Module):
    """A layer on the states of each token, two convolutions, a score of each label from all tokens, and a number for each token.

    The number says how likely the token belongs to the root.
    """

    def __init__(self, states, width, labels):
        super().__init__()
        self.states = nn.Linear(states, width)
        self.near = nn.ModuleList([nn.Linear(width * (2 * REACH + 1), width) for _ in range(2)])
        self.label = nn.Linear(3 * width, labels)
        self.gate = nn.Linear(3 * width, width)
        self.root = nn.Linear(2 * width, 1)

    def forward(self, x, mask, dropout):
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


def padded(rows):
    mask = torch.zeros(len(rows), max(map(len, rows)))
    for line, row in zip(mask, rows):
        line[: len(row)] = 1
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), mask


def example(tokens, labels, query, root, label):
    """(ids, tags of tokens or -1, label)"""
    tags = of.tagged(query, root) if root else None
    ids, begins = tokens.ids(query)
    own = [-1.0 if word < 0 or tags is None or tags[word] is None else float(tags[word]) for word in begins]
    return torch.tensor(ids), torch.tensor(own), labels.index(label)


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


def epoch(model, data, labels, optimizer, plan, dropout):
    weights = torch.tensor([ORDINARY if label == "" else 1.0 for label in labels])
    data = sorted(data, key=lambda d: len(d[0]) + 2 * random.random())
    parts = [data[i : i + BATCH] for i in range(0, len(data), BATCH)]
    random.shuffle(parts)
    model.train()
    total = 0
    for part in parts:
        ids, mask = padded([d[0] for d in part])
        tags, label = padded([d[1] + 1 for d in part])[0] - 1, torch.tensor([d[2] for d in part])
        scores, root = model(ids, mask, dropout)
        loss = F.cross_entropy(scores, label, weights, label_smoothing=0.05) + root_loss(root, tags)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        plan.step()
        total += loss.item()
    print(f"loss {total / len(parts):.4f}", flush=True)


@torch.no_grad()
def measure(model, data, labels):
    """Requests with a wrong label or root, and ordinary queries that got a label."""
    model.eval()
    misread = touched = 0
    for ids, tags, label in data:
        scores, root = model(ids[None], torch.ones(1, len(ids)), 0.0)
        scores[0, labels.index("")] += SURE
        found = int(scores[0].argmax())
        if labels[label] == "":
            touched += labels[found] != ""
        else:
            misread += found != label or decoded(root[0][tags >= 0].tolist()) != (tags[tags >= 0] > 0).tolist()
    return misread, touched
