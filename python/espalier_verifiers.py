"""The taskset of `espalier.adapters.verifiers`, under an id that verifiers can import."""

from espalier.adapters.verifiers import (
    EspalierConfig,
    EspalierData,
    EspalierEnv,
    EspalierEnvConfig,
    EspalierTask,
    EspalierTaskset,
)

__all__ = [
    "EspalierConfig",
    "EspalierData",
    "EspalierEnv",
    "EspalierEnvConfig",
    "EspalierTask",
    "EspalierTaskset",
]
