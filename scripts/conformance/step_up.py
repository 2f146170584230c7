"""Schemathesis hooks: give most calls that need one a real step-up token, as a client would, and pictures to those that take one."""

import base64
import os
import random

import requests
import schemathesis
from hypothesis import strategies as st

BASE = os.environ["COMANDA_URL"]
PIN = os.environ["COMANDA_PIN"]

# The uploaded bytes: a picture of one pixel, only its first bytes, or any bytes. The services don't trust the declared type, so
# one picture is enough for all types.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FILES = st.one_of(st.just(PIXEL), st.integers(0, len(PIXEL)).map(lambda end: PIXEL[:end]), st.binary(max_size=2000))
schemathesis.openapi.media_type("image/jpeg", FILES, aliases=["image/png", "image/webp", "image/avif"])


@schemathesis.hook
def before_call(context, case, kwargs):
    key = case.operation.definition.raw.get("x-step-up-key")
    authorization = (case.headers or {}).get("Authorization")
    # Four in five valid calls get a token. All other calls get none.
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if key is None or authorization is None or not is_valid or random.random() < 0.2:
        return
    proof = {"endpoint_key": key, "transaction_password": PIN}
    answer = requests.post(f"{BASE}/security/step-up", json=proof, headers={"Authorization": authorization}, timeout=10)
    if answer.status_code == 201:
        case.headers["X-Step-Up-Token"] = answer.json()["step_up_token"]
