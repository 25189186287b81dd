"""Writes the tokenizer.json of a SentencePiece unigram model, laid out as T5's
or XLM-R's is: convert.py t5|xlmr MODEL > tokenizer.json"""
import base64, json, struct, sys


def fields(message):
    """(number, value) of the fields of a protocol buffer."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(key & 7) or varint()
        yield key >> 3, message[at:at + size]
        at += size


def main(layout, path):
    pieces, charsmap, unknown = [], b"", 0
    for number, value in fields(open(path, "rb").read()):
        if number == 1:
            piece = dict(fields(value))
            pieces.append([piece[1].decode(), struct.unpack("<f", piece[2])[0]])
        elif number == 2:
            unknown = dict(fields(value)).get(40, 0)
        elif number == 3:
            charsmap = dict(fields(value)).get(2, b"")
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    special = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    if layout == "t5":
        pieces += [[f"<extra_id_{i}>", 0.0] for i in reversed(range(4))]
        names = ["<pad>", "</s>", "<unk>"] + [f"<extra_id_{i}>" for i in range(4)]
        single, pair = [text("A"), special("</s>")], [text("A"), special("</s>"), text("B"), special("</s>")]
    else:
        pieces = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]] + pieces[3:] + [["<mask>", 0.0]]
        names, unknown = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"], 3
        single = [special("<s>"), text("A"), special("</s>")]
        pair = single + [special("</s>"), text("B"), special("</s>")]
    ids = {piece: i for i, (piece, _) in enumerate(pieces)}
    json.dump({
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": ids[n], "content": n, "single_word": False, "lstrip": n == "<mask>", "rstrip": False, "normalized": False, "special": True} for n in sorted(names, key=ids.get)],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": {"type": "TemplateProcessing", "single": single, "pair": pair,
                           "special_tokens": {n: {"id": n, "ids": [ids[n]], "tokens": [n]} for n in {"t5": ["</s>"], "xlmr": ["<s>", "</s>"]}[layout]}},
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": unknown, "vocab": pieces, "byte_fallback": False},
    }, sys.stdout, ensure_ascii=False)


main(*sys.argv[1:])
