"""Speaks the wire as the official Python bindings do, with the standard library alone: run by python.test.ts.

Arguments: a zuliprc of a person, one of a bot, and an address for webhooks. Prints a line for each step.
"""

import base64
import configparser
import json
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Client:
    def __init__(self, path):
        config = configparser.ConfigParser()
        config.read(path)
        api = config["api"]
        self.site, self.email = api["site"].rstrip("/"), api["email"]
        credentials = base64.b64encode(f"{self.email}:{api['key']}".encode()).decode()
        self.headers = {"Authorization": f"Basic {credentials}", "User-agent": "ZulipPython/0.9.1 (Linux)"}

    def ask(self, method, path, params=None, body=None, content_type=None, timeout=90):
        # As the bindings: texts as they are, all else as JSON, what is None not at all; in the query of a GET.
        given = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in (params or {}).items()
            if value is not None
        }
        url = f"{self.site}/api/v1/{path}"
        headers = dict(self.headers)
        if method == "GET":
            url += "?" + urllib.parse.urlencode(given)
        elif body is None:
            body = urllib.parse.urlencode(given).encode()
            content_type = "application/x-www-form-urlencoded"
        if content_type:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def upload(self, name, content):
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        return self.ask("POST", "user_uploads", body=body, content_type=f"multipart/form-data; boundary={boundary}")

    def fetch(self, path):
        request = urllib.request.Request(self.site + path, headers=self.headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read()


def expect(step, answer, **members):
    assert answer.get("result") == members.pop("result", "success"), (step, answer)
    for name, value in members.items():
        assert answer.get(name) == value, (step, name, answer)
    print(step)
    return answer


def main(person_rc, bot_rc, hook):
    person, bot = Client(person_rc), Client(bot_rc)
    settings = expect("server settings", person.ask("GET", "server_settings"), zulip_feature_level=489)
    assert settings["zulip_version"]

    queue = expect("register", bot.ask("POST", "register", {"event_types": ["message"], "narrow": [["is", "private"]]}))
    arrived = []

    def poll():
        last = queue["last_event_id"]
        while not arrived:
            answer = bot.ask("GET", "events", {"queue_id": queue["queue_id"], "last_event_id": last, "dont_block": False})
            assert answer["result"] == "success", answer
            for event in answer["events"]:
                last = max(last, event["id"])
                if event["type"] == "message":
                    arrived.append(event)

    waiting = threading.Thread(target=poll)
    waiting.start()

    content = bytes(range(256)) * 4
    uploaded = expect("upload", person.upload("all bytes.bin", content))
    assert uploaded["uri"] == uploaded["url"]
    text = f"[file]({uploaded['url']}) ü 😀"
    sent = expect("send", person.ask("POST", "messages", {"type": "private", "to": [bot.email], "content": text}))
    waiting.join(60)
    assert arrived and arrived[0]["message"]["id"] == sent["id"], arrived
    print("long poll")
    assert bot.fetch(uploaded["url"]) == content
    print("download")

    expect("storage put", bot.ask("PUT", "bot_storage", {"storage": {"state": json.dumps({"seen": sent["id"]})}}))
    stored = expect("storage get", bot.ask("GET", "bot_storage", {"keys": ["state"]}))
    assert json.loads(stored["storage"]["state"]) == {"seen": sent["id"]}
    expect("storage delete", bot.ask("DELETE", "bot_storage", {"keys": ["state"]}))
    expect("storage gone", bot.ask("GET", "bot_storage", {"keys": ["state"]}), result="error", msg="Key does not exist.")

    payload = urllib.parse.urlencode({"payload": json.dumps({"text": "*deployed* <https://example.com|site>"})}).encode()
    with urllib.request.urlopen(urllib.request.Request(hook, data=payload)) as answer:
        body = answer.read()
        assert body == b"ok", ("webhook", body)
    print("webhook")
    narrow = [{"operator": "stream", "operand": "general"}]
    found = expect(
        "messages",
        person.ask("GET", "messages", {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": narrow}),
    )
    assert "deployed" in found["messages"][0]["content"], found
    unknown = person.ask("POST", "messages", {"type": "stream", "to": "nowhere", "topic": "x", "content": "x"})
    expect("refusal", unknown, result="error", code="STREAM_DOES_NOT_EXIST", stream="nowhere")
    expect("end of the queue", bot.ask("DELETE", "events", {"queue_id": queue["queue_id"]}))
    ended = bot.ask("GET", "events", {"queue_id": queue["queue_id"], "last_event_id": -1})
    expect("queue gone", ended, result="error", code="BAD_EVENT_QUEUE_ID")


main(*sys.argv[1:])
