"""Signs what a webhook is sent, as Standard Webhooks says (specification 1.0, "Signature scheme"). Pure."""

import base64
import hashlib
import hmac


def build_headers(key: bytes, identity: str, at: int, body: bytes) -> dict[str, str]:
    """The three headers of one attempt; `at` in seconds since 1970, of this attempt."""
    return {
        "webhook-id": identity,
        "webhook-timestamp": str(at),
        "webhook-signature": sign_body(key, identity, at, body),
    }


def sign_body(key: bytes, identity: str, at: int, body: bytes) -> str:
    """The signature, `v1,…`: HMAC-SHA256 over identity, time and body, in base64."""
    signed = b".".join((identity.encode(), str(at).encode(), body))
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
