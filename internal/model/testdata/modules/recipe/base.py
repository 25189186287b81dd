"""The two transformers that all cases share: random weights, words of our own."""
import json
import os

import numpy as np
import torch
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, T5Config, T5EncoderModel

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.dirname(HERE)
T5_TOKENIZER = os.path.join(HERE, "..", "..", "..", "tokenizer", "testdata", "unigram", "t5", "tokenizer.json")
HIDDEN = 16
WORDS = """a the claim that supports opposes argument find school uniforms night trains help cost people work week
represent for retrieval : . , ? ! -""".split()
random = np.random.default_rng(7)


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump(value, f, indent=1)
        f.write("\n")


def fill(model):
    """Weights that tell tokens, positions and layers apart better than new ones do."""
    with torch.no_grad():
        for name, p in model.named_parameters():
            values = torch.tensor(random.standard_normal(tuple(p.shape)), dtype=torch.float32)
            norm = "norm" in name.lower() and name.endswith("weight")
            p.copy_(1 + 0.3 * values if norm else values * (0.1 if name.endswith("bias") else 0.3))


def save(model, path, leave_out=()):
    tensors = {n: t.detach().numpy() for n, t in model.state_dict().items() if n not in leave_out}
    save_file({n: np.ascontiguousarray(t) for n, t in tensors.items()}, path, metadata={"format": "pt"})


def bert():
    at = os.path.join(OUT, "bert")
    os.makedirs(at, exist_ok=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + WORDS
    vocabulary += [x for c in "bcdefghijklmnopqrstuvwxyz" for x in (c, "##" + c)] + ["##a"]
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    t.add_special_tokens(vocabulary[:5])
    t.save(os.path.join(at, "tokenizer.json"))
    write(os.path.join(at, "tokenizer_config.json"), {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 24, "pad_token": "[PAD]", "unk_token": "[UNK]",
        "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]",
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"]})
    model = BertModel(BertConfig(vocab_size=len(vocabulary), hidden_size=HIDDEN, num_hidden_layers=2, num_attention_heads=2,
                                 intermediate_size=32, max_position_embeddings=32), add_pooling_layer=False)
    fill(model)
    save(model, os.path.join(at, "model.safetensors"))
    model.config.architectures = ["BertModel"]
    config = model.config.to_diff_dict()
    write(os.path.join(at, "config.json"), config)


def t5():
    """The tokenizer is that of the tokenizer's own tests."""
    at = os.path.join(OUT, "t5")
    os.makedirs(at, exist_ok=True)
    write(os.path.join(at, "tokenizer_config.json"), {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, "pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>"})
    size = Tokenizer.from_file(T5_TOKENIZER).get_vocab_size()
    model = T5EncoderModel(T5Config(vocab_size=size, d_model=HIDDEN, d_kv=8, d_ff=24, num_layers=2, num_heads=2, relative_attention_num_buckets=8,
                                    relative_attention_max_distance=32, feed_forward_proj="relu"))
    fill(model)
    save(model, os.path.join(at, "model.safetensors"), leave_out=["encoder.embed_tokens.weight"])
    model.config.architectures = ["T5EncoderModel"]
    write(os.path.join(at, "config.json"), model.config.to_diff_dict())
