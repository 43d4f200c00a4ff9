"""Errors of a harness or an endpoint are told by their shapes; words about an error are a model's."""

from __future__ import annotations

import pytest

from faircall.gate.harness import is_harness_error

ERRORS = [
    "HTTP/1.1 500 Internal Server Error",
    "HTTP 400: Bad Request - the schema is invalid",
    "Error: 429 Too Many Requests",
    "503 Service Unavailable",
    "Bad Gateway",
    "Request failed with status code 502",
    "Error: connect ECONNREFUSED 127.0.0.1:8000",
    "Exception: timeout",
    "client.errors.RateLimitError: Error code: 429",
    '{"message": "Forbidden"}',
    '{"detail": "Not Found"}',
    '{"error_code": "REQUEST_LIMIT_EXCEEDED", "message": "Exceeded the workspace rate limit"}',
    '{"status": "error", "code": 500, "message": "x"}',
    '[{"error": {"code": 400, "message": "x", "status": "INVALID_ARGUMENT"}}]',
    "{'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}",
    "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'",
    '2024-08-01 ERROR failed\nTraceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: bad',
    "<!DOCTYPE html><html><head><title>Error 522</title></head></html>",
    "<html><head><title>One moment</title></head><body>Error 520: an unknown error</body></html>",
]
WORDS = [
    "The HTTP status 500 means an internal server error.",
    "500 metres is about 547 yards.",
    'HTTP 418 ("I\'m a teapot") is a joke.',
    "Error: I could not find a suitable function.",
    "Not found in the list of functions.",
    "Forbidden fruit tastes sweet.",
    "A TimeoutError is raised when an operation takes too long.",
    '{"error": "no suitable tool"}',
    '{"error": "Tool not found"}',
    '{"error": {"message": "No function fits this question."}}',
    '{"status": "no_function", "message": "None of the functions apply."}',
    '{"code": 404, "meaning": "Not Found"}',
    "```html\n<html><head><title>404 Not Found</title></head></html>\n```",
    'It ends like this:\n\nTraceback (most recent call last):\n  File "a.py", line 1\nKeyError\n\nThe key is missing.',
]


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_in_place_of_an_answer(text: str) -> None:
    assert is_harness_error(text)


@pytest.mark.parametrize("text", WORDS)
def test_words_of_a_model(text: str) -> None:
    assert not is_harness_error(text)
