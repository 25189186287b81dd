"""The branch as it is trained: all texts of a step in one pass.

Texts of similar length make a group, padded to its longest. The groups lie one behind
another as rows, so that each matrix multiplies all of them at once; attention alone is
computed for each group. The vectors are those of encoder.Encoder, which makes a pass for each
group.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder import GROUP, Encoder, Round4

HEADS = 12


class Packed:
    """Trains a copy of an encoder's branch. Its matrices lie in one tensor, which a step rounds once, as the pack stores it."""

    def __init__(self, encoder: Encoder, dropout=0.1, horizon=100):
        self.encoder, self.dropout, self.horizon = encoder, dropout, horizon
        own = {n: p for n, p in encoder.named_parameters() if p.requires_grad}
        self.shapes = {n: p.shape for n, p in own.items() if p.dim() == 2}
        self.vectors = {n: nn.Parameter(p.detach().clone()) for n, p in own.items() if n not in self.shapes}
        self.matrices = nn.Parameter(torch.cat([own[n].detach().reshape(-1, GROUP) for n in self.shapes]))
        self.mean, self.steps = [p.detach().clone() for p in self.parameters()], 0
        self.round()

    def parameters(self):
        return [self.matrices, *self.vectors.values()]

    def named(self, matrices, vectors):
        """The branch's tensors by name."""
        parts = matrices.reshape(-1).split([s.numel() for s in self.shapes.values()])
        return {n: p.view(s) for (n, s), p in zip(self.shapes.items(), parts)} | dict(zip(self.vectors, vectors))

    def round(self):
        """Takes the rounded weights for the passes to come. The gradient passes through the rounding."""
        self.weights = self.named(Round4.apply(self.matrices), self.vectors.values())

    @torch.no_grad()
    def average(self, steps):
        """Adds the weights after some more steps to the running average, which is what is measured and saved."""
        self.steps += steps
        keep = min(1 - 1 / self.horizon, self.steps / (self.steps + 10)) ** steps
        for mean, p in zip(self.mean, self.parameters()):
            mean.lerp_(p, 1 - keep)

    @torch.no_grad()
    def averaged(self):
        """The encoder with the averaged weights, rounded, and these weights by name, not rounded."""
        for n, p in self.named(Round4.apply(self.mean[0]), self.mean[1:]).items():
            self.encoder.get_parameter(n).copy_(p)
        return self.encoder, self.named(self.mean[0], self.mean[1:])

    def __call__(self, groups, undo, topic=False):
        """Angle vectors [n, 128] of the texts of encoder.grouped; with topic also topic vectors [n, 384] (no gradient)."""
        groups = list(self.encoder.tensors(groups, undo))
        undo, shapes = groups[0][2], [tokens.shape for tokens, _, _ in groups]
        rows = [a * b for a, b in shapes]
        masks = [mask[:, None, None, :].bool() for _, mask, _ in groups]

        def layers(h, modules, dropout=0.0, prefix=None):
            for i, module in enumerate(modules):
                own = dict(module.named_parameters()) if prefix is None else {n: self.weights[f"{prefix}.{i}.{n}"] for n, _ in module.named_parameters()}
                h = layer(h, own, rows, shapes, masks, dropout)
            return h

        def pooled(h):
            return torch.cat([torch.einsum("blh,bl->bh", x.view(*s, -1), m) / m.sum(1, keepdim=True) for x, s, (_, m, _) in zip(h.split(rows), shapes, groups)])

        with torch.no_grad():
            table = self.encoder.embeddings
            h = torch.cat([table(input_ids=t, token_type_ids=torch.zeros_like(t)).flatten(0, 1) for t, _, _ in groups])
            h = layers(h, self.encoder.shared)
        angle = pooled(layers(h, self.encoder.branch, self.dropout, "branch"))
        angle = F.normalize(F.linear(angle, self.weights["projection.weight"]), dim=-1)[undo]
        if not topic:
            return angle
        with torch.no_grad():
            return angle, F.normalize(pooled(layers(h, self.encoder.topic_layers)), dim=-1)[undo]


def layer(h, own, rows, shapes, masks, dropout):
    """One layer of BERT over the rows of all groups; own has its parameters."""
    part = ("query", "key", "value")
    qkv = F.linear(h, torch.cat([own[f"attention.self.{x}.weight"] for x in part]), torch.cat([own[f"attention.self.{x}.bias"] for x in part]))
    heads = []
    for x, shape, mask in zip(qkv.split(rows), shapes, masks):
        q, k, v = x.view(*shape, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        heads.append(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(-1, h.shape[1]))
    a = F.linear(torch.cat(heads), own["attention.output.dense.weight"], own["attention.output.dense.bias"])
    h = F.layer_norm(F.dropout(a, dropout) + h, h.shape[1:], own["attention.output.LayerNorm.weight"], own["attention.output.LayerNorm.bias"], 1e-12)
    a = F.gelu(F.linear(h, own["intermediate.dense.weight"], own["intermediate.dense.bias"]))
    a = F.linear(a, own["output.dense.weight"], own["output.dense.bias"])
    return F.layer_norm(F.dropout(a, dropout) + h, h.shape[1:], own["output.LayerNorm.weight"], own["output.LayerNorm.bias"], 1e-12)
