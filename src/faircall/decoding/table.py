"""The table of decoders: every name, what protocol it reads, and the official handlers it stands for.

The names are a contract: they occur in files, on the command line and in the library.
"""

from __future__ import annotations

from typing import Final

import msgspec


class DecoderInfo(msgspec.Struct, frozen=True):
    """One line of the table.

    `official` is the handler and mode of bfcl-eval 2026.3.23 whose decoding the name reproduces, and `also`
    are the others whose `decode_ast` is the same code. `handlers` is both together.

    `text` and `stores_empty` were read off the step before decoding: what each handler's
    `_parse_query_response_*` puts into the result file. Most store the model's text as it is (the API
    handlers in prompt mode, and the local ones), less a reasoning block. The function-calling APIs store the
    calls that they were given, and the text only where there were none. Between these, the handlers behind
    `granite`, `phi`, `arch`, `mistral` and `mining` parse the text before they store it and keep a list of
    calls where that succeeds, the text where it does not.
    """

    name: str
    about: str
    official: str
    also: tuple[str, ...] = ()
    text: bool = True
    """Whether a model writes its calls as text under this protocol. A handler may have parsed them since."""
    stores_empty: bool = False
    """Whether the handler itself can store `[]`: its API returned no calls, or it loads JSON and the model
    wrote `[]`. Under any other decoder a stored `[]` is no answer: what the model wrote was lost."""

    @property
    def handlers(self) -> tuple[str, ...]:
        """Every official handler and mode that this name reproduces."""
        return (self.official, *self.also)


_TOOL_CALLS_ALSO: Final = (
    "ClaudeHandler/fc",
    "DeepSeekAPIHandler/fc",
    "FireworksHandler/fc",
    "FunctionaryHandler/fc",
    "GLMAPIHandler/fc",
    "GrokHandler/fc",
    "KimiHandler/fc",
    "MistralHandler/fc",
    "NanbeigeAPIHandler/fc",
    "NovitaHandler/fc",
    "OpenAIResponsesHandler/fc",
    "QwenAPIHandler/fc",
    "QwenAgentNoThinkHandler/fc",
    "QwenAgentThinkHandler/fc",
    "WriterHandler/fc",
)
_PYTHON_ALSO: Final = (
    "BielikHandler/prompt",
    "DeepSeekAPIHandler/prompt",
    "GemmaHandler/prompt",
    "GoGoAgentHandler/prompt",
    "GrokHandler/prompt",
    "KimiHandler/prompt",
    "LingAPIHandler/prompt",
    "LlamaHandler/prompt",
    "MiniCPMHandler/prompt",
    "MistralHandler/prompt",
    "NovitaHandler/prompt",
    "NvidiaHandler/prompt",
    "OpenAIResponsesHandler/prompt",
    "QwenAPIHandler/prompt",
    "QwenHandler/prompt",
)

_ROWS: Final = (
    DecoderInfo(
        "tool-calls",
        "structured calls of a function-calling API",
        "OpenAICompletionsHandler/fc",
        _TOOL_CALLS_ALSO,
        text=False,
        stores_empty=True,
    ),
    DecoderInfo(
        "python", "a Python list of calls, the default prompt's format", "ClaudeHandler/prompt", _PYTHON_ALSO
    ),
    DecoderInfo("java", "a list of Java calls", "ClaudeHandler/prompt"),
    DecoderInfo("javascript", "a list of JavaScript calls", "ClaudeHandler/prompt"),
    DecoderInfo("json", "a JSON list of {function, parameters}", "ClaudeHandler/prompt"),
    DecoderInfo("verbose-xml", "<functions> with name, value and type attributes", "ClaudeHandler/prompt"),
    DecoderInfo(
        "concise-xml",
        "<functions> with name and type attributes and the value as text",
        "ClaudeHandler/prompt",
    ),
    DecoderInfo(
        "hermes",
        "JSON objects in <tool_call> tags (Hermes, Qwen)",
        "QwenFCHandler/fc",
        (
            "Granite4FCHandler/fc",
            "NanbeigeFCHandler/fc",
            "PelicanVLFCHandler/fc",
        ),
    ),
    DecoderInfo(
        "llama-json", "JSON objects, one or separated by semicolons (Llama 3.1)", "LlamaHandler_3_1/fc"
    ),
    DecoderInfo("llama-pythonic", "a Python list of calls (Llama 3.2 and later)", "LlamaHandler/fc"),
    DecoderInfo(
        "mistral", "a JSON list, often after [TOOL_CALLS]", "MistralFCHandler/prompt", stores_empty=True
    ),
    DecoderInfo(
        "granite", "a JSON list after <|tool_call|> or <tool_call> (Granite 3)", "Granite3FCHandler/fc"
    ),
    DecoderInfo(
        "granite-20b", "JSON objects after <function_call> (Granite 20B)", "GraniteFunctionCallingHandler/fc"
    ),
    DecoderInfo("falcon", "JSON in <tool_call> tags (Falcon 3)", "Falcon3FCHandler/fc"),
    DecoderInfo("nemotron", "a call list in <TOOLCALL> tags", "NemotronHandler/fc"),
    DecoderInfo(
        "phi", "a JSON list in <|tool_call|> tags or after functools (Phi-4-mini)", "PhiFCHandler/fc"
    ),
    DecoderInfo("phi-prompt", "a Python list of calls, often fenced (Phi-4)", "PhiHandler/prompt"),
    DecoderInfo(
        "xlam",
        "a JSON list of {name, arguments} (xLAM)",
        "SalesforceLlamaHandler/fc",
        ("SalesforceQwenHandler/fc",),
    ),
    DecoderInfo(
        "bitagent", "a JSON list of {name, arguments}, never semicolons (BitAgent)", "BitAgentHandler/fc"
    ),
    DecoderInfo("arch", "JSON objects in <tool_call> tags, stored as a list (Arch)", "ArchHandler/fc"),
    DecoderInfo("hammer", "a JSON list of {name, arguments}, often fenced (Hammer)", "HammerHandler/fc"),
    DecoderInfo(
        "functiongemma", "<start_function_call>call:name{...} (FunctionGemma)", "FunctionGemmaHandler/fc"
    ),
    DecoderInfo(
        "minicpm", "Python calls between <|tool_call_start|> and <|tool_call_end|>", "MiniCPMFCHandler/fc"
    ),
    DecoderInfo("glm", "a function name, a line break and JSON (GLM-4)", "GLMHandler/fc"),
    DecoderInfo(
        "deepseek", "DeepSeek's tool-call tokens, or a Python list", "DeepseekReasoningHandler/prompt"
    ),
    DecoderInfo("gorilla", "<<function>>name(arguments) (Gorilla OpenFunctions)", "GorillaHandler/fc"),
    DecoderInfo(
        "gemini",
        "structured calls or text blocks in one list (Gemini)",
        "GeminiHandler/fc",
        text=False,
        stores_empty=True,
    ),
    DecoderInfo(
        "gemini-prompt", "a Python list of calls, fenced as tool_code (Gemini)", "GeminiHandler/prompt"
    ),
    DecoderInfo("cohere", "structured {tool_name, parameters} (Command)", "CohereHandler/fc", text=False),
    DecoderInfo("nova", "structured calls of Amazon Nova", "NovaHandler/fc", text=False, stores_empty=True),
    DecoderInfo(
        "mining",
        "a JSON list in <tool_calls> tags (Mining, DM-Cito)",
        "MiningHandler/fc",
        ("DMCitoHandler/prompt",),
        stores_empty=True,
    ),
    DecoderInfo("think-agent", "a JSON list after a <think> block (ThinkAgent)", "ThinkAgentHandler/fc"),
)

DECODERS: Final[dict[str, DecoderInfo]] = {row.name: row for row in _ROWS}
"""Every decoder by name, `auto` excepted, in the order in which `auto` names them."""
