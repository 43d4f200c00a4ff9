"""Decoders: what a model wrote, read as calls by the rules of one protocol."""

from __future__ import annotations

from faircall.decoding.readers import decode
from faircall.decoding.table import DECODERS, DecoderInfo

__all__ = ["DECODERS", "DecoderInfo", "decode"]
