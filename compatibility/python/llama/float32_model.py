"""The model file with its weights as float32, and its tokenizer for Hugging Face's library: quantised weights round differently in each build."""

from pathlib import Path
from typing import Any

import gguf
import numpy
from gguf.quants import dequantize
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from model_file import model_path

CONTROL_TOKEN = 3


def write_float32(path: Path) -> None:
    reader = gguf.GGUFReader(model_path())
    writer = gguf.GGUFWriter(path, "llama")
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        if field.name == "general.file_type":
            writer.add_file_type(gguf.LlamaFileType.ALL_F32)
        elif field.types[0] == gguf.GGUFValueType.ARRAY:
            writer.add_array(field.name, field.contents())
        else:
            writer.add_key_value(field.name, field.contents(), field.types[0])
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, numpy.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_tokenizer(model: Path, folder: Path) -> None:
    reader = gguf.GGUFReader(model)

    def metadata(name: str) -> Any:
        return reader.fields[f"tokenizer.ggml.{name}"].contents()

    tokens = metadata("tokens")
    merges = [tuple(merge.split(" ", 1)) for merge in metadata("merges")]
    tokenizer = Tokenizer(models.BPE({token: index for index, token in enumerate(tokens)}, merges))
    digits = pre_tokenizers.Digits(individual_digits=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    control = [token for token, kind in zip(tokens, metadata("token_type")) if kind == CONTROL_TOKEN]
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in control])
    names = {"bos_token": tokens[metadata("bos_token_id")], "eos_token": tokens[metadata("eos_token_id")]}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=2048, **names).save_pretrained(folder)
