"""sentence-transformers on a GPU, for tests/gpubench: reads a task as JSON from
each line of stdin and answers it with a line of JSON on stdout."""

import json
import sys
import time

import torch
from sentence_transformers import SentenceTransformer

torch.set_float32_matmul_precision("highest")  # no TF32, as on our side
if not torch.cuda.is_available():
    sys.exit("PyTorch finds no CUDA device")
model = None
for line in sys.stdin:
    task = json.loads(line)
    if "model" in task:
        model = SentenceTransformer(task["model"], device="cuda")
        if task["bf16"]:
            model = model.to(torch.bfloat16)
        print(json.dumps({"about": f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}"}), flush=True)
        continue
    texts = task["texts"]
    encode = lambda: model.encode(texts, batch_size=128, convert_to_tensor=True, show_progress_bar=False).float().cpu()
    if task.get("output"):
        print(json.dumps({"vectors": encode().tolist()}), flush=True)
        continue
    times, end = [], time.perf_counter() + task["seconds"]
    while True:
        began = time.perf_counter()
        encode()
        now = time.perf_counter()
        times.append(now - began)
        if now > end:
            break
    print(json.dumps({"times": times}), flush=True)
