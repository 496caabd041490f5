"""Tests of a bot in Python against a real server. `python3 -m unittest test_bot.py`"""

import base64
import json
import os
import shlex
import subprocess
import unittest
import urllib.parse
import urllib.request

# Another way to start it, such as "node dist/bin/chat-server.js", goes into this variable.
COMMAND = shlex.split(os.environ.get("CHAT_SERVER", "chat-server"))


class ChatServer:
    """A server with the people of Zulip's documentation, in memory. It ends with the test, however that ends."""

    def __enter__(self):
        options = ["serve", "--dev", "--db", ":memory:", "--port", "0", "--json", "--stop-with-stdin"]
        self.process = subprocess.Popen(COMMAND + options, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("chat-server did not start; its log is above")
        ready = json.loads(line)
        self.url = ready["url"]
        self.accounts = {account["email"]: account for account in ready["accounts"]}
        return self

    def __exit__(self, *_):
        # SIGTERM ends it in order too.
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def call(self, email, method, path, **params):
        """Calls the API as an account. Lists and objects in parameters are JSON."""
        key = self.accounts[email]["api_key"]
        data = urllib.parse.urlencode(
            {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
        )
        url = f"{self.url}/api/v1{path}"
        request = (
            urllib.request.Request(f"{url}?{data}")
            if method == "GET"
            else urllib.request.Request(url, data.encode(), method=method)
        )
        request.add_header("Authorization", "Basic " + base64.b64encode(f"{email}:{key}".encode()).decode())
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)


class BotTest(unittest.TestCase):
    def test_a_message_arrives(self):
        with ChatServer() as server:
            hamlet, zoe = "hamlet@zulip.com", "ZOE@zulip.com"
            queue = server.call(zoe, "POST", "/register", event_types=["message"])
            sent = server.call(hamlet, "POST", "/messages", type="private", to=[zoe], content="To be?")
            events = server.call(zoe, "GET", "/events", queue_id=queue["queue_id"], last_event_id=-1)["events"]
            self.assertEqual([event["message"]["id"] for event in events], [sent["id"]])
            self.assertEqual(server.accounts[zoe]["role"], "member")


if __name__ == "__main__":
    unittest.main()
