"""Word vectors of spaCy's en_core_web_md as one plain file that train.ts reads.

python3 word-vectors.py FOLDER_OF_en_core_web_md OUT (needs numpy and msgpack).
The file: a JSON list of words, a newline, then one float32 row of unit length for each word.
"""

import json
import re
import sys

import msgpack
import numpy as np

folder, out = sys.argv[1:]
rows = np.load(f"{folder}/vocab/vectors").astype("float32")
norms = np.linalg.norm(rows, axis=1, keepdims=True)
rows /= np.where(norms == 0, 1, norms)
with open(f"{folder}/vocab/key2row", "rb") as file:
    row_of = msgpack.unpackb(file.read(), strict_map_key=False)
with open(f"{folder}/vocab/strings.json", encoding="utf8") as file:
    strings = json.load(file)


MASK = (1 << 64) - 1
FACTOR = 0xC6A4A7935BD1E995


def key(word: str) -> int:
    """MurmurHash64A with seed 1: how the vectors are keyed."""
    data = word.encode()
    state = 1 ^ (len(data) * FACTOR & MASK)
    whole = len(data) - len(data) % 8
    for at in range(0, whole, 8):
        block = int.from_bytes(data[at : at + 8], "little") * FACTOR & MASK
        block = (block ^ (block >> 47)) * FACTOR & MASK
        state = (state ^ block) * FACTOR & MASK
    if whole < len(data):
        state = (state ^ int.from_bytes(data[whole:], "little")) * FACTOR & MASK
    state = (state ^ (state >> 47)) * FACTOR & MASK
    return state ^ (state >> 47)


words = [word for word in strings if re.fullmatch(r"[a-z]{2,16}", word) and row_of.get(key(word), -1) >= 0]
with open(out, "wb") as file:
    file.write(json.dumps(words).encode() + b"\n")
    file.write(rows[[row_of[key(word)] for word in words]].tobytes())
print(len(words), "words,", rows.shape[1], "numbers each")
