"""Verifies a receipt with libraries of others: securesystemslib (DSSE), cryptography (Ed25519, AES) and pymerkle (the tree of RFC
6962). Reads JSON on the standard input, and prints what was verified."""

import base64
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from pymerkle import InmemoryTree
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

given = json.load(sys.stdin)
receipt, public_key = given["receipt"], base64.b64decode(given["key"])

key_id = receipt["signatures"][0]["keyid"]
key = SSlibKey(key_id, "ed25519", "ed25519", {"public": public_key.hex()})
envelope = Envelope.from_dict(receipt)
envelope.verify([key], 1)
statement = json.loads(envelope.payload)

# The signed note, as https://c2sp.org/signed-note describes it.
text, signatures = statement["predicate"]["checkpoint"].rsplit("\n\n", 1)
text += "\n"
_, name, signature = signatures.strip().split(" ")
signature = base64.b64decode(signature)
assert signature[:4] == hashlib.sha256(name.encode() + b"\n\x01" + public_key).digest()[:4]
Ed25519PublicKey.from_public_bytes(public_key).verify(signature[4:], text.encode())
origin, size, root = text.splitlines()
assert origin == name

# The leaves, as docs/design/receipts.md describes them.
head, *runs = map(json.loads, given["outcomes"].splitlines())
outcomes = [outcome for outcome, lines in runs for _ in range(lines)]
cipher = Cipher(algorithms.AES(bytes.fromhex(head["secret"])), modes.ECB()).encryptor()
tree = InmemoryTree(algorithm="sha256")
for number, (line, outcome) in enumerate(zip(given["lines"], outcomes, strict=True), 1):
    salt = cipher.update(number.to_bytes(16, "big"))
    tree.append_entry(salt + hashlib.sha256(line.encode()).digest() + outcome.encode())
assert tree.get_root() == base64.b64decode(root)

# pymerkle's path has the leaf, too, and goes from left to right.
proof = tree.prove_inclusion(given["line"], int(size)).serialize()["path"]
assert set(given["path"]) < set(proof) and len(proof) == len(given["path"]) + 1

print(json.dumps({"statement": statement["_type"], "origin": origin, "lines": int(size)}))
