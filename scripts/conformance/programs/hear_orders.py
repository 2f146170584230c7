"""A screen of the kitchen, in Python: hears orders over Socket.IO, is refused as the API says, and loses its connection."""

import asyncio
import os
from urllib.parse import urlsplit

import requests
import socketio

URL = os.environ["COMANDA_URL"]
HOST, PORT = urlsplit(URL).hostname, urlsplit(URL).port
LIMIT_S = 30


def post(path, token=None, **body):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.post(URL + path, json=body, headers=headers, timeout=LIMIT_S)
    assert answer.ok, answer.text
    return answer.json()


def sign_in():
    return post("/auth/login", email=os.environ["COMANDA_EMAIL"], password=os.environ["COMANDA_PASSWORD"])["access_token"]


class Screen:
    """A client of the feed. It connects again by itself, from the cursor that it has."""

    def __init__(self, url):
        self.url, self.token, self.cursor = url, sign_in(), None
        self.orders, self.states, self.refused = [], asyncio.Queue(), None
        self.sio = socketio.AsyncClient(reconnection_delay=0.2, reconnection_delay_max=0.5)
        self.sio.on("event", self.hear)
        self.sio.on("feed", self.states.put)
        self.sio.on("connect_error", self.keep_refusal)
        self.heard = asyncio.Event()

    def auth(self):
        return {"token": self.token, **({"after": self.cursor} if self.cursor else {})}

    async def hear(self, event, cursor):
        self.cursor = cursor
        if event["type"] == "order.created":
            self.orders.append(int(event["subject"]))
            self.heard.set()

    async def keep_refusal(self, problem):
        self.refused = problem

    async def connect(self):
        await self.sio.connect(self.url, auth=self.auth, transports=["websocket"], wait_timeout=LIMIT_S)

    async def until_live(self):
        while (await asyncio.wait_for(self.states.get(), LIMIT_S))["status"] != "live":
            pass

    async def until_heard(self, order):
        while order not in self.orders:
            self.heard.clear()
            await asyncio.wait_for(self.heard.wait(), LIMIT_S)


class Line:
    """A connection to the API that can be cut."""

    def __init__(self):
        self.writers, self.is_cut = [], False

    async def open(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def accept(self, reader, writer):
        if self.is_cut:
            return writer.close()
        upstream_reader, upstream_writer = await asyncio.open_connection(HOST, PORT)
        self.writers += [writer, upstream_writer]
        await asyncio.gather(self.pass_on(reader, upstream_writer), self.pass_on(upstream_reader, writer))

    async def pass_on(self, reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        writer.close()

    def cut(self):
        self.is_cut = True
        for writer in self.writers:
            writer.transport.abort()

    def mend(self):
        self.is_cut = False


async def place_order(token):
    dish = requests.get(f"{URL}/menu", timeout=LIMIT_S).json()[0]["id"]
    return (await asyncio.to_thread(post, "/orders", token, items=[{"item_id": dish, "quantity": 1}]))["id"]


async def refusal_of(token):
    screen = Screen(URL)
    screen.token = token
    try:
        await screen.connect()
    except socketio.exceptions.ConnectionError:
        pass
    await screen.sio.disconnect()
    return screen.refused["data"]["code"]


async def main():
    line = Line()
    screen = Screen(await line.open())
    await screen.connect()
    await screen.until_live()
    first = await place_order(screen.token)
    await screen.until_heard(first)
    print("1. An order that is placed is heard.")

    line.cut()
    missed = await place_order(screen.token)
    line.mend()
    await screen.until_heard(missed)
    await screen.until_live()
    assert screen.orders.count(missed) == 1, screen.orders
    print("2. After a lost connection, the order that was missed is heard once.")

    assert await screen.sio.call("token", sign_in(), timeout=LIMIT_S) is None
    print("3. A new token of the same user is taken.")
    problem = await screen.sio.call("token", "nonsense", timeout=LIMIT_S)
    assert problem["code"] == "invalid_token", problem
    print("4. A token that is none is refused, with a problem.")
    await screen.sio.disconnect()

    assert await refusal_of("nonsense") == "invalid_token"
    print("5. Who connects with a token that is none gets the problem.")
    assert await refusal_of(None) == "authentication_required"
    print("6. Who connects without a token gets the problem.")


asyncio.run(main())
