"""lm-eval's `local-completions`: log likelihoods of continuations by `echo` and `logprobs`, compared with llama.cpp's own."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import openai
import pytest
from conftest import KEY, LlamaServer, modelwire
from float32_model import write_float32, write_tokenizer
from lm_eval.api.instance import Instance
from lm_eval.models.openai_completions import LocalCompletionsAPI

# The likeliest continuation is first.
CHOICES = {
    "The capital of France is": [" Paris", " Rome", " a river in Asia"],
    "Water freezes at a temperature of zero": [" degrees Celsius", " elephants", " degrees of freedom in the garden"],
    "The opposite of hot is": [" cold", " blue", " seventeen"],
    # The model ends its reply after the first one: the token that ends it has an entry, which lm-eval drops.
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\nThe capital of France is": [" Paris.", " Rome.", " naïve"],
}
PAIRS = [(context, choice) for context, choices in CHOICES.items() for choice in choices]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("float32") / "smol-f32.gguf"
    write_float32(path)
    return path


@pytest.fixture(scope="module")
def float32_client(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[openai.OpenAI]:
    env = {"MODELWIRE_GGUF": str(model), "MODELWIRE_GGUF_CONTEXT": "2048"}
    yield from modelwire(tmp_path_factory.mktemp("in-process"), env)


@pytest.fixture(scope="module")
def evaluated(
    float32_client: openai.OpenAI, model: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LocalCompletionsAPI]:
    tokenizer = tmp_path_factory.mktemp("tokenizer")
    write_tokenizer(model, tokenizer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield LocalCompletionsAPI(
            model=model.stem,
            base_url=f"{float32_client.base_url}completions",
            tokenizer_backend="huggingface",
            tokenizer=str(tokenizer),
            tokenized_requests=True,
            num_concurrent=1,
            batch_size=4,
            max_length=1024,
        )


@pytest.fixture(scope="module")
def scores(evaluated: LocalCompletionsAPI) -> dict[tuple[str, str], float]:
    requests = [Instance("loglikelihood", {}, pair, index) for index, pair in enumerate(PAIRS)]
    return {pair: score for pair, (score, _) in zip(PAIRS, evaluated.loglikelihood(requests, disable_tqdm=True))}


def test_the_likeliest_continuation_is_the_right_one(scores: dict[tuple[str, str], float]) -> None:
    for context, choices in CHOICES.items():
        assert max(choices, key=lambda choice: scores[context, choice]) == choices[0]


def test_the_sums_are_those_of_llama_cpp(scores: dict[tuple[str, str], float], evaluated: LocalCompletionsAPI, model: Path) -> None:
    server = LlamaServer(options=("--model", str(model)))
    server.start()

    def logprob(prefix: list[int], token: int) -> float:
        # The bias forces the token; the log probabilities are those before it.
        body = {"prompt": prefix, "n_predict": 1, "n_probs": 1, "logit_bias": [[token, 1000]], "temperature": 0}
        [found] = httpx.post(f"{server.url}/completion", json=body, timeout=60).json()["completion_probabilities"]
        assert found["id"] == token
        return float(found["logprob"])

    try:
        for context, choice in PAIRS:
            first = len(evaluated.tok_encode(context))
            tokens = evaluated.tok_encode(context + choice)
            expected = sum(logprob(tokens[:index], tokens[index]) for index in range(first, len(tokens)))
            assert scores[context, choice] == pytest.approx(expected, abs=0.05), (context, choice)
    finally:
        server.kill()
