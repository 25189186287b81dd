"""Writes the fixtures of this folder with PyTorch (1.13): the same tensors in each of
its file formats, what they hold as JSON, and harm.bin, which runs a command if Python
unpickles it:  python3 make.py"""
import collections
import json
import os

import torch

torch.manual_seed(1)
base = torch.randn(6, 4)
tensors = collections.OrderedDict(
    whole=torch.randn(3, 5),
    half=torch.randn(2, 3).half(),
    brain=torch.randn(2, 3).bfloat16(),
    double=torch.randn(4).double(),
    scalar=torch.tensor(2.5),
    empty=torch.zeros(0, 3),
    rows=base[2:4],
    transposed=base.t(),
    columns=base[:, 1:3],
    shared=base,
    parameter=torch.nn.Parameter(torch.randn(2, 2)),
    ids=torch.arange(5),
)
tensors._metadata = collections.OrderedDict([("", {"version": 1})])

torch.save(tensors, "zip.bin")
torch.save(tensors, "legacy.bin", _use_new_zipfile_serialization=False)
torch.save({"state_dict": dict(tensors), "epoch": 3, "loss": 0.5, "name": "x"}, "nested.bin", pickle_protocol=4)


class Harm:
    def __reduce__(self):
        return os.system, ("echo executed > /tmp/executed",)


torch.save({"a": torch.ones(1), "b": Harm()}, "harm.bin")

json.dump(
    {n: {"shape": list(t.shape), "values": t.detach().double().reshape(-1).tolist()} for n, t in tensors.items()},
    open("values.json", "w"),
)
