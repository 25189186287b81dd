"""Writes a Llama of one layer with random weights, whose tokens are bytes: tinymodel.py PATH."""
import sys

import gguf
import numpy as np

WIDTH, HIDDEN, HEADS, CONTEXT = 32, 64, 2, 4096
rng = np.random.default_rng(1)
tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % byte for byte in range(256)]
kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256

w = gguf.GGUFWriter(sys.argv[1], "llama")
w.add_name("tiny")
w.add_context_length(CONTEXT)
w.add_embedding_length(WIDTH)
w.add_block_count(1)
w.add_feed_forward_length(HIDDEN)
w.add_head_count(HEADS)
w.add_head_count_kv(HEADS)
w.add_rope_dimension_count(WIDTH // HEADS)
w.add_layer_norm_rms_eps(1e-5)
w.add_vocab_size(len(tokens))
w.add_tokenizer_model("llama")
w.add_token_list(tokens)
w.add_token_scores([0.0] * len(tokens))
w.add_token_types(kinds)
w.add_unk_token_id(0)
w.add_bos_token_id(1)
w.add_eos_token_id(2)


def tensor(name, *shape):
    w.add_tensor(name + ".weight", rng.normal(0, 0.3, shape).astype(np.float32))


def norm(name):
    w.add_tensor(name + ".weight", np.ones(WIDTH, np.float32))


tensor("token_embd", len(tokens), WIDTH)
norm("output_norm")
tensor("output", len(tokens), WIDTH)
norm("blk.0.attn_norm")
for part in "qkv":
    tensor("blk.0.attn_" + part, WIDTH, WIDTH)
tensor("blk.0.attn_output", WIDTH, WIDTH)
norm("blk.0.ffn_norm")
tensor("blk.0.ffn_gate", HIDDEN, WIDTH)
tensor("blk.0.ffn_up", HIDDEN, WIDTH)
tensor("blk.0.ffn_down", WIDTH, HIDDEN)

w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
