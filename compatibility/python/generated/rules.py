"""Why a generated test fails: each entry is a rule of the interface, or an endpoint that is not served."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    #: Method and path, as a regular expression.
    request: str
    #: Below 400: the SDK's strict mode refuses the response.
    status: int
    because: str
    #: `param` of the error.
    param: str | None = None


RULES = [
    Rule("DELETE /models/.+", 405, "Models are not deleted over HTTP."),
    Rule("POST /videos/characters", 405, "Characters are not served."),
    Rule("GET /videos/characters/.+", 404, "Characters are not served."),
    Rule("POST /videos/(edits|extensions)", 400, "`video` is an MP4 file; the bytes sent are not.", "video"),
    Rule("POST /videos", 400, "`input_reference` is an image; the bytes sent are not.", "input_reference"),
    Rule("POST /uploads/.+/complete", 400, "`md5` is a checksum: 32 hexadecimal digits; 'md5' is sent.", "md5"),
    Rule("POST /chat/completions", 400, "`max_tokens` is at least 1; 0 is sent.", "max_tokens"),
    Rule(
        "GET /(batches|files|videos|chat/completions(/.+/messages)?)",
        400,
        "`limit` is at least 1; 0 is sent.",
        "limit",
    ),
    Rule("GET /chat/completions/.+/messages", 200, "Stored messages have the roles of the request, too: decision 0011."),
]
