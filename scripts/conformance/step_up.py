"""Schemathesis hook: gives most calls that need one a real step-up token, as a client would."""

import os
import random

import requests
import schemathesis

BASE = os.environ["COMANDA_URL"]
PIN = os.environ["COMANDA_PIN"]


@schemathesis.hook
def before_call(context, case, kwargs):
    key = case.operation.definition.raw.get("x-step-up-key")
    authorization = (case.headers or {}).get("Authorization")
    # Valid calls only. One in five gets no token.
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if key is None or authorization is None or not is_valid or random.random() < 0.2:
        return
    proof = {"endpoint_key": key, "transaction_password": PIN}
    answer = requests.post(f"{BASE}/security/step-up", json=proof, headers={"Authorization": authorization}, timeout=10)
    if answer.status_code == 201:
        case.headers["X-Step-Up-Token"] = answer.json()["step_up_token"]
