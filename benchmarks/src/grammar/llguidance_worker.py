# The process that measures LLGuidance: python llguidance_worker.py <problems.jsonl> <outcomes.jsonl> <vocabulary.json>
import base64, json, sys, time

import llguidance
import llguidance.numpy
import llguidance.tiktoken
import tiktoken

problems, outcomes, vocabulary = sys.argv[1:4]
with open(vocabulary) as file:
    known = json.load(file)
ranks = {base64.b64decode(text): rank for rank, text in enumerate(known["tokens"])}
encoding = tiktoken.Encoding(
    "o200k_base",
    pat_str=known["pattern"],
    mergeable_ranks=ranks,
    special_tokens={"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
)
tokenizer = llguidance.tiktoken.lltokenizer_from_encoding(encoding)
mask = llguidance.numpy.allocate_token_bitmask(1, tokenizer.vocab_size)

def follow(start, tokens, masks):
    matcher = start.deep_copy()
    for token in tokens:
        began = time.perf_counter()
        llguidance.numpy.fill_next_token_bitmask(matcher, mask, 0)
        allowed = (int(mask[0, token // 32]) >> (token % 32)) & 1 == 1
        if allowed:
            matcher.consume_token(token)
        masks.append((time.perf_counter() - began) * 1e6)
        if matcher.is_error() or not allowed:
            return False
    return matcher.is_accepting()

def solve(problem):
    outcome = {"id": problem["id"], "refused": None, "rejected": [], "accepted": [], "masksUs": []}
    began = time.perf_counter()
    matcher = llguidance.LLMatcher(tokenizer, json.dumps({"grammars": [{"json_schema": problem["schema"]}]}))
    outcome["compileMs"] = (time.perf_counter() - began) * 1e3
    if matcher.is_error():
        outcome["refused"] = matcher.get_error()
        return outcome
    for index, test in enumerate(problem["tests"]):
        fits = follow(matcher, test["tokens"], outcome["masksUs"])
        if fits != test["valid"]:
            outcome["accepted" if fits else "rejected"].append(index)
    return outcome

with open(problems) as read, open(outcomes, "w") as write:
    for line in read:
        write.write(json.dumps(solve(json.loads(line))) + "\n")
