"""Checks a license proof: check.py PROOF KEYS_FILE ITEM [MACHINE]. Needs the package "cryptography"."""

import base64, json, sys, time
from datetime import datetime
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def decode(part):
    data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != part:
        raise ValueError("not base64url")
    return data


def refusal(proof, keys, item, machine=None):
    """Returns None if the license is valid, otherwise why it is not."""
    try:
        header, claims, signature = proof.split(".")
        head, license, signature = json.loads(decode(header)), json.loads(decode(claims)), decode(signature)
        if head["alg"] != "EdDSA" or len(signature) != 64:
            return "malformed"
        kid, issued, end, licensed = head["kid"], license["iat"], license["exp"], license["item"]
    except (ValueError, KeyError, TypeError):
        return "malformed"
    key = next((each for each in keys["keys"] if each["kid"] == kid), None)
    if key is None:
        return "unknown_key"
    try:
        Ed25519PublicKey.from_public_bytes(decode(key["x"])).verify(signature, f"{header}.{claims}".encode())
    except InvalidSignature:
        return "bad_signature"
    retired = key.get("retiredAt")
    if retired and issued >= datetime.fromisoformat(retired.replace("Z", "+00:00")).timestamp():
        return "retired_key"
    if licensed != item:
        return "other_item"
    if machine and license.get("machine") != machine:
        return "other_machine"
    if time.time() >= end:
        return "expired"
    return "not_yet_valid" if issued > time.time() + 300 else None


if __name__ == "__main__":
    with open(sys.argv[2]) as file:
        reason = refusal(sys.argv[1], json.load(file), *sys.argv[3:])
    print(reason or "valid")
    sys.exit(1 if reason else 0)
