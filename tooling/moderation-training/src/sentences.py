"""Sentence embeddings of all-MiniLM-L6-v2 for a part of the texts that are learned from, as one plain file that teach.ts reads.

python3 sentences.py MODEL FOLDER (needs torch and transformers; MODEL is the folder of the model, FOLDER has texts.json of texts.ts).
The file: a line of JSON, then one float16 row of 384 numbers of unit length for each text it names.
"""

import json
import random
import sys

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

# Of large sets that many, half of them texts that show something if there are so many.
CAPS = {
    "civil": 4000,
    "implicit": 6000,
    "cad": 4000,
    "edos": 5000,
    "gab": 5000,
    "davidson": 3000,
    "hatexplain": 6000,
    "jigsaw": 3000,
    "stormfront": 3000,
    "goemotions": 2500,
    "tldr": 500,
    "sms": 700,
    "c-ssrs": 0,
    "profanity": 0,
    "advbench": 504,
    "written": 3000,
    "hatemoji": 1500,
}
# Of the sample that many, these sets first; and of these sets all.
MOST = 40960
FIRST = ("openai", "ailuminate")
WHOLE = ("aart", "catqa", "harmless")
CHUNK = 4096
BATCH = 64


def sample(texts: list) -> list[int]:
    """Most of the rows of small sets, some of large ones, and all of those of requests."""
    random.seed(2)
    sets: dict[str, list[int]] = {}
    for row, (_, name, _) in enumerate(texts):
        sets.setdefault(name, []).append(row)
    chosen = []
    for name, rows in sets.items():
        if name in WHOLE or name == "requested":
            continue
        cap = CAPS.get(name, len(rows))
        shown = [row for row in rows if texts[row][2]]
        others = [row for row in rows if not texts[row][2]]
        random.shuffle(shown)
        random.shuffle(others)
        if len(rows) <= cap:
            chosen += rows
        else:
            most = min(len(shown), max(cap // 2, cap - len(others)))
            chosen += shown[:most] + others[: cap - most]
    random.shuffle(chosen)
    chosen.sort(key=lambda row: texts[row][1] not in FIRST)
    return sorted(chosen[:MOST] + [row for name in WHOLE for row in sets[name]])


def embed(model: str, texts: list[str]) -> np.ndarray:
    tokenizer = AutoTokenizer.from_pretrained(model)
    network = AutoModel.from_pretrained(model).eval().to(torch.bfloat16)
    rows = np.zeros((len(texts), 384), "float32")
    with torch.inference_mode():
        for start in range(0, len(texts), CHUNK):
            encoded = tokenizer([text[:500] for text in texts[start : start + CHUNK]], truncation=True, max_length=80)
            order = np.argsort([len(ids) for ids in encoded["input_ids"]])
            for at in range(0, len(order), BATCH):
                batch = order[at : at + BATCH]
                kept = {name: [encoded[name][row] for row in batch] for name in ("input_ids", "attention_mask")}
                padded = tokenizer.pad(kept, return_tensors="pt")
                states = network(**padded).last_hidden_state
                mask = padded["attention_mask"].unsqueeze(-1).to(states.dtype)
                means = (states * mask).sum(1) / mask.sum(1)
                rows[start + batch] = torch.nn.functional.normalize(means.float(), dim=1).numpy()
            print(min(start + CHUNK, len(texts)), "of", len(texts), flush=True)
    return rows


def write(path: str, texts: list, chosen: list[int], rows: np.ndarray) -> None:
    with open(path, "wb") as file:
        file.write(json.dumps({"texts": len(texts), "rows": chosen}).encode() + b"\n")
        file.write(rows.astype("<f2").tobytes())


if __name__ == "__main__":
    model, folder = sys.argv[1:]
    with open(f"{folder}/texts.json", encoding="utf8") as file:
        texts = json.load(file)
    chosen = sample(texts)
    write(f"{folder}/sentences.bin", texts, chosen, embed(model, [texts[row][0] for row in chosen]))
