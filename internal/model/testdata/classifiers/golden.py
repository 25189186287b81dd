"""Writes golden.json: logits of small classifiers by transformers (pip install torch transformers==5.24.0). The weights are a
formula of their names and places, which the test computes, too, so that no weights are kept."""
import json, math, os, zlib
import torch
from transformers import AutoConfig, AutoModelForSequenceClassification

IDS, TYPES = [2, 7, 9, 11, 3, 8, 5, 6, 3], [0, 0, 0, 0, 0, 1, 1, 1, 1]
COMMON = dict(vocab_size=12, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24, max_position_embeddings=24)
DISTIL = dict(vocab_size=12, dim=16, n_layers=2, n_heads=4, hidden_dim=24, max_position_embeddings=24)
CASES = [("bert", {}), ("bert", dict(hidden_act="gelu_new", layer_norm_eps=1e-2)), ("roberta", {}), ("xlm-roberta", dict(hidden_act="relu")),
         ("camembert", dict(layer_norm_eps=1e-5)), ("distilbert", {}), ("distilbert", dict(activation="relu")),
         ("mpnet", dict(relative_attention_num_buckets=32)), ("mpnet", dict(hidden_act="relu", layer_norm_eps=1e-5)), ("bert", {}), ("bert", {}), ("roberta", {})]
# How tokenizers say that they give token types or not. Without a word of theirs, RoBERTa's gives none.
TYPED = {"tokenizer_class": "PreTrainedTokenizerFast"}
UNTYPED = {9: {"model_input_names": ["input_ids", "attention_mask"]}, 10: {"tokenizer_class": "DistilBertTokenizer"}, 11: {}}


def value(name, i):
    return 0.5 * math.sin(zlib.crc32(name.encode()) % 1000 + 0.7 * i)


golden = []
for number, (kind, more) in enumerate(CASES):
    settings = dict(DISTIL if kind == "distilbert" else dict(COMMON, type_vocab_size=2, pad_token_id=0 if kind == "bert" else 1), **more)
    config = AutoConfig.for_model(kind, num_labels=1 + number % 3, **settings)
    model = AutoModelForSequenceClassification.from_config(config).eval().double()
    shapes = {}
    for name, p in model.named_parameters():
        p.data = torch.tensor([value(name, i) for i in range(p.numel())], dtype=torch.float32).double().reshape(p.shape)
        shapes[name] = list(p.shape)
    inputs = {"input_ids": torch.tensor([IDS])}
    if kind not in ("distilbert", "mpnet") and number not in UNTYPED:
        inputs["token_type_ids"] = torch.tensor([TYPES])
    with torch.no_grad():
        logits = model(**inputs).logits[0].tolist()
    golden.append({"config": dict(settings, model_type=kind), "tokenizer": UNTYPED.get(number, TYPED), "shapes": shapes, "ids": IDS, "types": TYPES, "logits": logits})
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c) for c in golden) + "\n]\n")
