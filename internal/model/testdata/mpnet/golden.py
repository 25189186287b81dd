"""Writes golden.json: ids and vectors of small MPNet models by sentence-transformers (pip install torch transformers==5.24.0
sentence-transformers==6.2.0). The weights are a formula of their names and places, which the test computes, too, so that no
weights are kept. `python3 golden.py 300 /tmp/golden.json` writes more cases elsewhere."""
import json, math, os, random, sys, tempfile, zlib
import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from transformers import MPNetConfig, MPNetModel, MPNetTokenizer

random.seed(11)
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>"]
WORDS = "a the night trains help people cost week ecole école École 京 , . ! < > s k".split() + ["##" + c for c in "abcdefghijklmnopqrstuvwxyz"] + list("bcdefghijlmnop")
POOLINGS = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
PIECES = WORDS[:14] + ["Night", "TRAINS", "École", "e\u0301cole", "京都", "xylophone", "\u00a0", "\t", "\x00", "☃"] + SPECIAL + [" <mask>", "<mask> ", "<PAD>", "[unk]"]


def value(name, i):
    return 0.5 * math.sin(zlib.crc32(name.encode()) % 1000 + 0.7 * i)


def write(dir, name, value):
    os.makedirs(os.path.dirname(os.path.join(dir, name)), exist_ok=True)
    with open(os.path.join(dir, name), "w", encoding="utf-8") as f:
        f.write(value if isinstance(value, str) else json.dumps(value))


def tokenizer_files(number):
    """vocab.txt alone, or tokenizer.json as the class saves it; the real models have both."""
    words = SPECIAL[:5] + WORDS + ["<mask>"]
    if number % 4 == 3:  # ids in another order
        random.shuffle(words)
    settings = {"tokenizer_class": "MPNetTokenizer", "model_max_length": 512}
    if number % 3 == 1:
        settings["do_lower_case"] = False
    if number % 5 == 2:
        settings["strip_accents"] = False
    files = {"vocab.txt": "\n".join(words) + "\n", "tokenizer_config.json": settings}
    if number % 2:
        with tempfile.TemporaryDirectory() as dir:
            for name, text in files.items():
                write(dir, name, text)
            MPNetTokenizer.from_pretrained(dir).save_pretrained(dir)
            for name in "tokenizer.json", "tokenizer_config.json":
                with open(os.path.join(dir, name), encoding="utf-8") as f:
                    files[name] = json.load(f)
            del files["vocab.txt"]
    return len(words), files


def text(length):
    return "".join(random.choice(PIECES) + random.choice([" ", " ", " ", "", "\n"]) for _ in range(length))


def case(number):
    size, files = tokenizer_files(number)
    heads = random.choice([1, 2, 3, 4])
    config = dict(vocab_size=size + random.choice([0, 3]), hidden_size=heads * random.choice([4, 5, 8]), num_hidden_layers=random.choice([1, 2, 3]), num_attention_heads=heads,
                  intermediate_size=random.choice([7, 16, 24]), max_position_embeddings=random.choice([10, 34, 131, 300]), hidden_act=random.choice(["gelu", "gelu", "relu", "gelu_new", "tanh", "silu"]),
                  layer_norm_eps=random.choice([1e-12, 1e-5, 1e-2]), relative_attention_num_buckets=random.choice([32, 32, 40, 64]), pad_token_id=random.choice([1, 1, 0]))
    positions, ways = config["max_position_embeddings"], random.sample(POOLINGS, random.choice([1, 1, 2]))
    if number == 0:  # the real models', but for the sizes
        config.update(hidden_act="gelu", layer_norm_eps=1e-5, relative_attention_num_buckets=32, pad_token_id=1, max_position_embeddings=300)
        positions, ways = 300, ["mean"]
    model = MPNetModel(MPNetConfig(**config))
    state = {name: torch.tensor([value(name, i) for i in range(p.numel())], dtype=torch.float32).reshape(p.shape) for name, p in model.named_parameters()}
    steps = [("Transformer", ""), ("Pooling", "1_Pooling")] + [("Normalize", "2_Normalize")] * (number % 2 == 0)
    files.update({"config.json": dict(config, model_type="mpnet", architectures=["MPNetModel"]),
                  "modules.json": [{"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + kind} for i, (kind, path) in enumerate(steps)],
                  "1_Pooling/config.json": {"embedding_dimension": config["hidden_size"], "pooling_mode": ways, "include_prompt": True},
                  "sentence_bert_config.json": {"max_seq_length": positions - 2 if number % 3 else random.randint(4, positions - 2), "do_lower_case": False}})
    texts = [text(n) for n in (3, 9, 40, 400)] + ["", "night <pad> trains <pad><pad> help <mask>"]
    with tempfile.TemporaryDirectory() as dir:
        for name, content in files.items():
            write(dir, name, content)
        save_file(state, os.path.join(dir, "model.safetensors"), metadata={"format": "pt"})
        st = SentenceTransformer(dir, device="cpu").double()
        assert type(st[0].auto_model).__name__ == "MPNetModel"
        ids = [st.tokenizer(t, truncation=True, max_length=st.max_seq_length).input_ids for t in texts]
        pair = st.tokenizer(texts[0], texts[1]).input_ids
        vectors = [[float("%.8g" % x) for x in v] for v in st.encode(texts, batch_size=random.choice([1, 4, 32]))]
    return {"files": files, "shapes": {name: list(v.shape) for name, v in state.items()}, "texts": texts, "ids": ids, "pair": pair, "vectors": vectors}


cases = [case(number) for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 8)]
out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.json")
with open(out, "w", encoding="utf-8") as f:
    f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
