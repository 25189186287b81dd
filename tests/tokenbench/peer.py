"""The Python process of tests/tokenbench: exact MaxSim in NumPy and, if it can be imported, fast-plaid.

It reads requests from standard input and writes answers to standard output, both as lines of JSON.
main.go starts it with one thread."""

import importlib.metadata
import json
import os
import shutil
import sys
import time

import numpy as np


def vectors(folder, name, dim):
    counts = json.load(open(os.path.join(folder, name + ".json")))
    rows = np.fromfile(os.path.join(folder, name + ".f32"), dtype=np.float32).reshape(-1, dim)
    return rows, np.concatenate([[0], np.cumsum(counts)])


def exact(documents, starts, queries, asked, k):
    """Returns the k best documents of each query, their k + 1 best scores, and the CPU time per query in milliseconds.

    If scores are equal, the lower document comes first."""
    found, best = [], []
    begin = time.process_time()
    for i in range(len(asked) - 1):
        dots = queries[asked[i] : asked[i + 1]] @ documents.T
        scores = np.maximum.reduceat(dots, starts[:-1], axis=1).sum(axis=0, dtype=np.float64)
        order = np.argsort(-scores, kind="stable")[: k + 1]
        found.append(order[:k].tolist())
        best.append(scores[order].tolist())
    return found, best, (time.process_time() - begin) * 1000 / (len(asked) - 1)


class Plaid:
    """fast-plaid on the CPU, with its defaults but for the sample of its centroids."""

    def __init__(self, folder):
        import torch
        from fast_plaid import search

        torch.set_num_threads(1)
        self.torch, self.search_module, self.place = torch, search, os.path.join(folder, "plaid")

    def build(self, documents, starts, bits):
        shutil.rmtree(self.place, ignore_errors=True)
        begin = time.process_time()
        self.index = self.search_module.FastPlaid(index=self.place, device="cpu")
        rows = [self.torch.from_numpy(documents[a:b].copy()) for a, b in zip(starts[:-1], starts[1:])]
        # By default, it learns from up to 256 vectors for each centroid, which takes many minutes.
        self.index.create(documents_embeddings=rows, nbits=bits, max_points_per_centroid=32)
        size = sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(self.place) for f in files)
        return time.process_time() - begin, size

    def search(self, queries, asked, k):
        found = []
        begin = time.process_time()
        for a, b in zip(asked[:-1], asked[1:]):
            query = self.torch.from_numpy(queries[a:b].copy())[None]
            found.append([int(d) for d, _ in self.index.search(queries_embeddings=query, top_k=k, show_progress=False)[0]])
        return found, (time.process_time() - begin) * 1000 / (len(asked) - 1)


def main():
    folder = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w")  # fast-plaid prints on standard output, too
    os.dup2(2, 1)
    documents, starts = vectors(folder, "documents", int(sys.argv[2]))
    queries, asked = vectors(folder, "queries", int(sys.argv[2]))
    version = ""
    try:
        plaid = Plaid(folder)
        version = importlib.metadata.version("fast-plaid")
    except (ImportError, OSError) as error:  # OSError: a shared library of torch does not load
        print(f"tokenbench: fast-plaid cannot be imported, so its rows are left out: {error}", file=sys.stderr)
    for line in sys.stdin:
        order = json.loads(line)
        answer = {"version": version}
        if order["do"] == "exact":
            answer["found"], answer["scores"], answer["milliseconds"] = exact(documents, starts, queries, asked, order["k"])
        elif order["do"] == "build":
            answer["seconds"], answer["bytes"] = plaid.build(documents, starts, order["bits"])
        else:
            answer["found"], answer["milliseconds"] = plaid.search(queries, asked, order["k"])
        print(json.dumps(answer), file=answers, flush=True)


main()
