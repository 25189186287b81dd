"""Writes golden.json: ids by transformers (pip install transformers==5.24.0) for random declarations of tokens beside a vocabulary
or a tokenizer.json. `python3 golden.py 300 /tmp/golden.json` writes more cases elsewhere."""
import json, os, random, sys, tempfile
from transformers import AutoTokenizer

random.seed(5)
BERT = "[PAD] [UNK] [CLS] [SEP] [MASK] night trains < > e x ##1 ##2 ##3 1 2 3 a ##b".split()
NEW = ["<e1>", "<e2>", "<E3>", "night", "ni", "[x]"]
TEXT = NEW + ["nightly", "<E1>", "<e3>", "trains", "NIGHT", "a<e1>b", "[MASK]", "<mask>", "<s>", "[CLS]"]
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>"] + sorted(set("Ġ" + "".join(TEXT))) + ["ni", "Ġt", "<mask>"]


def flags(content, **more):
    return dict({"content": content, "single_word": False}, **{k: random.random() < .4 for k in ("lstrip", "rstrip", "normalized")}, **more)


def described(content):
    return content if random.random() < .6 else flags(content, __type="AddedToken")


def chance(p):
    return random.random() < p


def write(dir, files):
    for name, content in files.items():
        with open(os.path.join(dir, name), "w", encoding="utf-8") as f:
            f.write(content if isinstance(content, str) else json.dumps(content))


def case():
    kind, cls, words = random.choice([("bert", "BertTokenizer", BERT), ("roberta", "RobertaTokenizer", ROBERTA)])
    size = len(words) + random.choice([0, 1, 2, 8])
    if kind == "bert":
        files = {"vocab.txt": "\n".join(words) + "\n"}
    else:
        files = {"vocab.json": {word: i for i, word in enumerate(words)}, "merges.txt": "#version: 0.2\nn i\nĠ t\n"}
    files.update({"config.json": {"model_type": kind, "vocab_size": size}, "tokenizer_config.json": {"tokenizer_class": cls}})
    if kind == "bert" and chance(.4):
        with tempfile.TemporaryDirectory() as dir:
            write(dir, files)
            AutoTokenizer.from_pretrained(dir).save_pretrained(dir)
            with open(os.path.join(dir, "tokenizer.json"), encoding="utf-8") as f:
                files["tokenizer.json"] = json.load(f)
        del files["vocab.txt"]
    ids = lambda n: {c: words.index(c) if c in words else len(words) + i for i, c in enumerate(random.sample(NEW, n))}
    config = files["tokenizer_config.json"]
    if chance(.3):
        config["additional_special_tokens"] = [described(c) for c in random.sample(NEW, 2)]
    elif chance(.3):
        config["extra_special_tokens"] = random.choice([random.sample(NEW, 2), {}, {"a_token": random.choice(NEW)}])
    if chance(.2):
        config["other_token"] = described(random.choice(NEW))
    if chance(.2):
        config["bos_token"] = described(random.choice(NEW))
    if chance(.2):
        config["mask_token"] = described(words[4] if kind == "bert" else "<mask>")
    if chance(.3):
        config["added_tokens_decoder"] = {str(id): flags(c, special=chance(.5)) for c, id in ids(2).items()}
    if chance(.3):
        files["special_tokens_map.json"] = random.choice([{"additional_special_tokens": random.sample(NEW, 2)}, {"extra_special_tokens": random.sample(NEW, 1)}, {"eos_token": random.choice(NEW)}])
    if chance(.4):
        files["added_tokens.json"] = ids(2)
    texts = {}
    with tempfile.TemporaryDirectory() as dir:
        write(dir, files)
        tokenizer = AutoTokenizer.from_pretrained(dir)
        for _ in range(4):
            text = " ".join(random.choices(TEXT, k=9))
            found = tokenizer(text)["input_ids"]
            if max(found) < size:  # otherwise the model has no vector for it
                texts[text] = found
    return {"files": {name: content if isinstance(content, str) else json.dumps(content, ensure_ascii=False) for name, content in files.items()}, "texts": texts}


cases, wanted = [], int(sys.argv[1]) if len(sys.argv) > 1 else 14
while len(cases) < wanted:
    try:
        cases.append(case())
    except ValueError:  # declarations that the library refuses
        pass
out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.json")
with open(out, "w", encoding="utf-8") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, ensure_ascii=False) for c in cases) + "\n]\n")
