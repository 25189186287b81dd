"""Vectors of the package InstructorEmbedding, of pairs of instruction and text.

The package stands on an old version of sentence-transformers, whose way of reading a
folder is gone. So its modules are put together here; what tokenizes, computes and
pools is the package's own."""
import json
import os

import torch
from InstructorEmbedding import instructor as package
from sentence_transformers.sentence_transformer.modules import Dense, Normalize
from transformers import AutoTokenizer, T5EncoderModel


def transformer(dir, config):
    t = package.INSTRUCTOR_Transformer.__new__(package.INSTRUCTOR_Transformer)
    torch.nn.Module.__init__(t)
    t.model = T5EncoderModel.from_pretrained(dir)
    t.processor = AutoTokenizer.from_pretrained(dir)
    t.max_seq_length = 512  # whatever the folder says
    t.do_lower_case = config["do_lower_case"]
    return t


def encode(dir, pairs):
    def read(name):
        with open(os.path.join(dir, name)) as f:
            return json.load(f)

    listed = read("modules.json")
    modules = [transformer(dir, read("sentence_bert_config.json")), package.INSTRUCTOR_Pooling.load(os.path.join(dir, listed[1]["path"]))]
    for m in listed[2:]:
        kind = {"Dense": Dense, "Normalize": Normalize}[m["type"].rsplit(".", 1)[1]]
        modules.append(kind.load(os.path.join(dir, m["path"])))
    features = modules[0].tokenize([list(p) for p in pairs])
    with torch.no_grad():
        for m in modules:
            features = m.double().eval()(features)
    return features["sentence_embedding"].numpy()
