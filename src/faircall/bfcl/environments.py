"""The benchmark's simulated environments, and the files that hold them."""

from __future__ import annotations

from typing import Final

MODULES: Final = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
"""The module of each environment that dialogues are replayed in."""
TOOL_FILES: Final = {
    **MODULES,
    "WebSearchAPI": "web_search",
    "MemoryAPI_kv": "memory_kv",
    "MemoryAPI_vector": "memory_vector",
    "MemoryAPI_rec_sum": "memory_rec_sum",
}
"""The file that describes the tools of each environment: of those that are replayed, it has the module's name."""
