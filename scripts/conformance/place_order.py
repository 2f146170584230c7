"""Places an order with the client that openapi-python-client generated, and prints the answer."""

import os
import uuid

from comanda_client import AuthenticatedClient, Client
from comanda_client.api.menu import list_menu
from comanda_client.api.orders import get_order, place_order
from comanda_client.api.sign_in import login
from comanda_client.models import LoginBody, Order, OrderLineByItemId, PlaceOrderBody, TokenPair

url = os.environ["COMANDA_URL"]
credentials = LoginBody(email=os.environ["COMANDA_EMAIL"], password=os.environ["COMANDA_PASSWORD"])
pair = login.sync(client=Client(base_url=url), body=credentials)
assert isinstance(pair, TokenPair), pair

api = AuthenticatedClient(base_url=url, token=pair.access_token)
dish = list_menu.sync(client=api)[0]
body = PlaceOrderBody(items=[OrderLineByItemId(item_id=dish.id, quantity=2)], table="12")
key = str(uuid.uuid4())
order = place_order.sync(client=api, idempotency_key=key, body=body)
assert isinstance(order, Order), order
assert place_order.sync(client=api, idempotency_key=key, body=body).id == order.id
assert get_order.sync(order.id, client=api).total == order.total
print(f"order {order.id}: {order.status.value}, {order.total} {order.currency}")
