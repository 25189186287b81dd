"""Writes the models, layers and vectors beside this folder: python3 make.py, see make.sh."""
import json
import os
import shutil
import sys
import tempfile

import numpy as np
import torch
from safetensors.numpy import save_file
from sentence_transformers import SentenceTransformer

import base
import instructor
from base import HERE, HIDDEN, OUT, T5_TOKENIZER, write

TEXTS = ["night trains help people", "a claim that opposes the argument : school uniforms cost work", "", "xylophone!",
         "the week " * 20, "people"]
PROMPT = "find: "
INSTRUCTIONS = ["represent the claim for retrieval: ", "find:", "", "represent the argument that supports the claim for retrieval: ",
                "find: ", "represent the argument:"]
LEGACY = {"cls": "cls_token", "max": "max_tokens", "mean": "mean_tokens", "mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
          "weightedmean": "weightedmean_tokens", "lasttoken": "lasttoken"}

cases = []


def module(kind, path=""):
    return {"path": path, "type": "sentence_transformers.models." + kind}


def modules(*list):
    return {"modules.json": [dict(m, idx=i, name=str(i)) for i, m in enumerate(list)]}


def pooling(*ways, **more):
    return {"1_Pooling/config.json": dict({"word_embedding_dimension": HIDDEN},
                                          **{"pooling_mode_" + key: way in ways for way, key in LEGACY.items()}, **more)}


def layer(file, **shapes):
    """Random tensors of a layer, kept for all cases that name the same file."""
    path = os.path.join(OUT, "layers", file)
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        save_file({name.replace("__", "."): base.random.standard_normal(shape).astype(np.float32) * np.float32(0.4) for name, shape in shapes.items()}, path)
    return file


def lay_out(case, dir):
    """The case as a folder, as the tests lay it out."""
    shutil.copytree(os.path.join(OUT, case["base"]), dir, dirs_exist_ok=True)
    if case["base"] == "t5":
        shutil.copy(T5_TOKENIZER, os.path.join(dir, "tokenizer.json"))
    for name, value in case["files"].items():
        write(os.path.join(dir, name), value)
    for name, file in case.get("layers", {}).items():
        shutil.copy(os.path.join(OUT, "layers", file), os.path.join(dir, name))


def numbers(vectors):
    return [[float("%.8g" % x) for x in v] for v in np.asarray(vectors, dtype=np.float64)]


def case(name, transformer, files, runs, layers={}, prepare=lambda model: None, encode=None):
    c = {"name": name, "base": transformer, "files": files, "layers": layers, "runs": []}
    with tempfile.TemporaryDirectory() as dir:
        lay_out(c, dir)
        if encode is None:
            model = SentenceTransformer(dir, device="cpu").double()
            prepare(model)
        for run in runs:
            run = dict(run)
            if "prompts" in run:
                if encode is not None:
                    vectors = encode(dir, list(zip(run["prompts"], TEXTS)))
                else:
                    vectors = [model.encode(t, prompt=p) for p, t in zip(run["prompts"], TEXTS)]
            elif "role" in run:
                vectors = model.encode(TEXTS, prompt_name=run["role"])
            else:
                vectors = model.encode(TEXTS, prompt=run.get("prompt"))
            assert np.isfinite(np.asarray(vectors)).all(), name
            c["runs"].append(dict(run, vectors=numbers(vectors)))
    cases.append(c)


def poolings():
    plain = modules(module("Transformer"), module("Pooling", "1_Pooling"))
    prompts = {"config_sentence_transformers.json": {"prompts": {"query": PROMPT, "other": "the claim that "}, "default_prompt_name": "other"}}
    for way in LEGACY:
        for include in True, False:
            files = {**plain, **prompts, **pooling(way, include_prompt=include)}
            case(f"{way}, include_prompt {include}", "bert", files, [{}, {"role": "query"}, {"prompt": ""}, {"prompts": INSTRUCTIONS}])
    case("all ways", "bert", {**plain, **pooling(*LEGACY)}, [{}])
    case("no way named", "bert", {**plain, "1_Pooling/config.json": {"word_embedding_dimension": HIDDEN}}, [{}])
    for ways in ["weightedmean"], ["lasttoken", "mean", "cls"]:
        value = ways[0] if len(ways) == 1 else ways
        case(f"as version 6 saves {value}", "bert", {
            "modules.json": [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"},
                             {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling"}],
            "sentence_bert_config.json": {"transformer_task": "feature-extraction", "module_output_name": "token_embeddings",
                                          "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}}},
            "1_Pooling/config.json": {"embedding_dimension": HIDDEN, "pooling_mode": value, "include_prompt": False}},
            [{}, {"prompt": PROMPT}])
    case("cut and in lower case", "bert", {**plain, **pooling("mean"), "sentence_bert_config.json": {"max_seq_length": 7, "do_lower_case": True}},
         [{}, {"prompt": "FIND the Argument: "}])
    case("prompts that do not count and fill the text but for its end", "bert",
         {**plain, **pooling("mean", "max", include_prompt=False), "sentence_bert_config.json": {"max_seq_length": 6, "do_lower_case": False}}, [{"prompts": INSTRUCTIONS}])


def dense(path, out, activation="torch.nn.modules.linear.Identity", bias=True, inputs=HIDDEN, **more):
    name = f"dense-{inputs}-{out}{'' if bias else '-bare'}"
    shapes = {"linear__weight": (out, inputs), **({"linear__bias": (out,)} if bias else {})}
    if more.get("use_residual") and inputs != out:
        name, shapes["residual__weight"] = name + "-residual", (out, inputs)
    config = dict({"in_features": inputs, "out_features": out, "bias": bias}, **more)
    if activation:
        config["activation_function"] = activation
    return {path + "/config.json": config}, {path + "/model.safetensors": layer(name + ".safetensors", **shapes)}


def norm(path, n=HIDDEN):
    return {path + "/config.json": {"dimension": n}}, {path + "/model.safetensors": layer(f"norm-{n}.safetensors", norm__weight=(n,), norm__bias=(n,))}


def layers():
    def of(name, *steps, ways=("mean",)):
        list, files, tensors = [module("Transformer"), module("Pooling", "1_Pooling")], pooling(*ways), {}
        for i, (kind, make) in enumerate(steps):
            path = f"{i + 2}_{kind}"
            list.append(module(kind, path))
            f, t = make(path) if make else ({}, {})
            files, tensors = {**files, **f}, {**tensors, **t}
        case(name, "bert", {**modules(*list), **files}, [{}], tensors)

    for activation in "activation.Tanh", "activation.GELU", "activation.ReLU", "activation.SiLU", "linear.Identity":
        of("Dense with " + activation, ("Dense", lambda path: dense(path, 12, "torch.nn.modules." + activation)))
    of("Dense without an activation named", ("Dense", lambda path: dense(path, 12, None)))
    of("Dense without bias", ("Dense", lambda path: dense(path, 12, bias=False)))
    of("two Dense, normalised", ("Dense", lambda path: dense(path, 12, "torch.nn.modules.activation.Tanh")),
       ("Dense", lambda path: dense(path, 20, inputs=12)), ("Normalize", None))
    of("Dense over three poolings", ("Dense", lambda path: dense(path, 10, inputs=3 * HIDDEN)), ways=("cls", "max", "mean"))
    of("Dense with a residual", ("Dense", lambda path: dense(path, HIDDEN, "torch.nn.modules.activation.Tanh", use_residual=True)))
    of("Dense with a projected residual", ("Dense", lambda path: dense(path, 12, "torch.nn.modules.activation.Tanh", use_residual=True)))
    of("Dense with its inputs named", ("Dense", lambda path: dense(path, 12, module_input_name="sentence_embedding", module_output_name="sentence_embedding")))
    of("ANCE", ("Dense", lambda path: dense(path, HIDDEN)), ("LayerNorm", norm), ways=("cls",))
    of("LayerNorm and Normalize", ("LayerNorm", norm), ("Normalize", None))
    of("Normalize before Dense", ("Normalize", None), ("Dense", lambda path: dense(path, 12)))
    of("Normalize between layers", ("Dense", lambda path: dense(path, 12)), ("Normalize", None), ("LayerNorm", lambda path: norm(path, 12)), ("Normalize", None))
    of("Dropout", ("Dropout", lambda path: ({path + "/config.json": {"dropout": 0.5}}, {})), ("Normalize", None))
    of("Normalize with its inputs named", ("Normalize", lambda path: ({path + "/config.json": {"module_input_name": "sentence_embedding", "module_output_name": "sentence_embedding"}}, {})))


def t5():
    f, t = dense("2_Dense", 12, bias=False)
    tail = [module("Pooling", "1_Pooling"), module("Dense", "2_Dense"), module("Normalize", "3_Normalize")]
    length = {"sentence_bert_config.json": {"max_seq_length": 40, "do_lower_case": False}}
    hub = {**modules(module("Transformer"), *tail), **pooling("mean"), **length, **f}
    runs = [{}, {"prompt": PROMPT}, {"prompts": INSTRUCTIONS}]
    case("sentence-T5", "t5", hub, runs, t)
    case("sentence-T5 without its prompts", "t5", {**hub, **pooling("mean", "max", "weightedmean", "cls", "lasttoken", include_prompt=False),
                                                  **modules(module("Transformer"), module("Pooling", "1_Pooling"))}, runs)
    # What the library does for hkunlp/instructor-base, -large and -xl, by their names.
    case("instructor-large", "t5", hub, runs, t, prepare=lambda model: model.set_pooling_include_prompt(False))
    own = modules({"path": "", "type": "InstructorEmbedding.instructor.INSTRUCTOR_Transformer"},
                  {"path": "1_Pooling", "type": "InstructorEmbedding.instructor.INSTRUCTOR_Pooling"}, *tail[1:])
    case("INSTRUCTOR's own modules", "t5", {**hub, **own, "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False}}, [{"prompts": INSTRUCTIONS}], t, encode=instructor.encode)
    case("INSTRUCTOR's other poolings", "t5", {**hub, **modules({"path": "", "type": "INSTRUCTOR_Transformer"}, {"path": "1_Pooling", "type": "INSTRUCTOR_Pooling"}),
                                              **pooling("max", "weightedmean", "mean_sqrt_len_tokens"), "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": True}},
         [{"prompts": INSTRUCTIONS}], encode=instructor.encode)


torch.manual_seed(1)
shutil.rmtree(os.path.join(OUT, "layers"), ignore_errors=True)
base.bert()
base.t5()
poolings()
layers()
t5()
with open(os.path.join(OUT, "golden.json"), "w") as f:
    f.write('{"texts": %s,\n"cases": [\n' % json.dumps(TEXTS))
    f.write(",\n".join(json.dumps(c) for c in cases))
    f.write("\n]}\n")
