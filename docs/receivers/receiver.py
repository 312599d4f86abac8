import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
REPLAY_WINDOW = 5 * 60
LARGEST_BODY = 1024 * 1024

# Ids of handled deliveries. A real receiver stores them in the same transaction as the effects of its handlers.
handled = set()


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def standard_key(secret):
    """After whsec_ the key is base64, its padding may be left out; any other secret is its UTF-8 bytes."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    text = secret[len("whsec_"):].rstrip("=")
    return base64.b64decode(text + "=" * (-len(text) % 4))


def matches(candidates, expected):
    # Every candidate is compared, each in constant time.
    return any([hmac.compare_digest(candidate.encode(), expected.encode()) for candidate in candidates])


def check_time(text, unit):
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise Refused(400, "the delivery's timestamp is missing or malformed")
    if abs(time.time() - int(text) / unit) > REPLAY_WINDOW:
        raise Refused(400, "the delivery is more than 5 minutes old or early")


def verify(body, headers, secret):
    """The event of a delivery that can be believed; whichever family of signatures is there must be right."""
    own = [headers.get(name) for name in ("x-service-signature", "x-service-signature-previous")]
    standard = headers.get("webhook-signature")
    if standard is None and own == [None, None]:
        raise Refused(401, "the delivery is not signed")

    seconds = headers.get("webhook-timestamp", "")
    if standard is not None:
        signed = f"{headers.get('webhook-id', '')}.{seconds}.".encode() + body
        expected = "v1," + base64.b64encode(mac(standard_key(secret), signed)).decode()
        if not matches(standard.split(" "), expected):
            raise Refused(401, "webhook-signature does not match id, timestamp and body")
    if own != [None, None]:
        if not matches([each or "" for each in own], mac(secret.encode(), body).hex()):
            raise Refused(401, "x-service-signature does not match the body")
        check_time(headers.get("x-service-timestamp", ""), 1000)
    if standard is not None:
        check_time(seconds, 1)

    try:
        event = json.loads(body)
    except ValueError:
        raise Refused(400, "the body is not an event")
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict) or not isinstance(event.get("event"), str):
        raise Refused(400, "the body is not an event")
    return event


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        delivery = self.headers.get("webhook-id")
        try:
            length = int(self.headers.get("content-length", "0"))
            if length > LARGEST_BODY:
                raise Refused(400, "the body is too large")
            event = verify(self.rfile.read(length), self.headers, SECRET)
            if delivery is None or delivery not in handled:
                print(delivery, event["event"], flush=True)
                handled.add(delivery)
            status = 200
        except Refused as refused:
            print(delivery, refused.status, refused, flush=True)
            status = refused.status
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
