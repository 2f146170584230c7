"""Orders a dish and pays it with the client that openapi-python-client generated."""

import os
import uuid

from comanda_client import AuthenticatedClient, Client
from comanda_client.api.accounts import list_accounts, pay_bill_from_account
from comanda_client.api.bills import get_bill, pay_bill
from comanda_client.api.menu import list_menu
from comanda_client.api.orders import get_order, place_order
from comanda_client.api.pin_and_step_up import step_up
from comanda_client.api.sign_in import login
from comanda_client.models import (
    BillPartByRest,
    LoginBody,
    Order,
    OrderLineByItemId,
    PayBillBody,
    PayBillBodyMethod,
    PayBillFromAccountBody,
    PayBillFromAccountBodyCurrency,
    PayBillFromAccountDetails,
    PlaceOrderBody,
    StepUpBody,
    TokenPair,
)

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

bill = get_bill.sync(order.bill_id, client=api)
reserve = PayBillBody(
    method=PayBillBodyMethod.ACCOUNT, part=BillPartByRest(rest=True), expected_amount=bill.remaining
)
payment = pay_bill.sync(bill.id, client=api, idempotency_key=str(uuid.uuid4()), body=reserve)
account = next(each for each in list_accounts.sync(client=api) if float(each.balance) > 0)
body = PayBillFromAccountBody(
    payment_id=payment.id,
    from_account_id=account.id,
    amount=payment.total,
    currency=PayBillFromAccountBodyCurrency(bill.currency),
)
agreed = PayBillFromAccountDetails.from_dict({"type": "bill_payment", **body.to_dict()})
consent = step_up.sync(
    client=api,
    body=StepUpBody(
        endpoint_key="bill_payment.create",
        transaction_password=os.environ["COMANDA_PIN"],
        authorization_details=[agreed],
    ),
)
paid = pay_bill_from_account.sync(
    client=api,
    idempotency_key=str(uuid.uuid4()),
    x_step_up_token=consent.step_up_token,
    body=body,
)
print(f"paid {paid.amount} {paid.currency}")
assert get_bill.sync(bill.id, client=api).remaining == "0.00"
