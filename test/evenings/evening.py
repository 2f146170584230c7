"""Makes up evenings in a restaurant, and computes the report of each day from the contract alone.

It shares no code with the services: a second opinion. It prints the steps of the evening and the reports that must follow, as JSON:
python3 test/evenings/evening.py SEED > evening.json. Amounts are in cents here, and decimal strings in the JSON.
"""

import json
import random
import sys

PRICES = [3000, 990, 1250]
RATE = 10  # the service charge, in percent
DAYS, STEPS = 3, 45


def money(cents):
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


class Bill:
    def __init__(self, number):
        self.id, self.lines, self.discount, self.payments = number, [], 0, []
        self.status, self.number, self.day = "open", None, None

    def amounts(self):
        items = sum(PRICES[dish] * quantity for dish, quantity, gone in self.lines if not gone)
        charge = ((items - self.discount) * RATE * 2 + 100) // 200  # half up
        return items, self.discount, charge

    def total(self):
        items, discount, charge = self.amounts()
        return items - discount + charge

    def paid(self):
        return sum(each["amount"] for each in self.payments if each["status"] == "paid")


class Drawer:
    def __init__(self):
        self.left, self.moved, self.counted = None, 0, False  # left: of the last count; moved: since then
        self.is_moved = False


class Evening:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps, self.reports, self.bills, self.movements = [], [], [], []
        self.drawers = {name: Drawer() for name in ("main", "bag", "safe")}
        self.opening = {name: 0 for name in self.drawers}
        self.day, self.last_number, self.unsettled = 1, 0, 0
        self.start_day()

    def start_day(self):
        self.first_number = self.last_number + 1
        self.payments, self.refunds, self.exceptions, self.refunded = {}, {}, {}, []
        self.sums, self.counts = {name: {} for name in self.drawers}, {name: [] for name in self.drawers}
        self.touched = set()

    def do(self, what, **fields):
        self.steps.append({"do": what, **fields})

    def except_(self, kind, cents):
        count, amount = self.exceptions.get(kind, (0, 0))
        self.exceptions[kind] = (count + 1, amount + cents)

    def move(self, name, kind, cents):
        drawer = self.drawers[name]
        drawer.moved, drawer.is_moved = drawer.moved + cents, True
        self.touched.add(name)
        if name != "main" or drawer.counted:  # before its first count, main holds something unknown
            self.sums[name][kind] = self.sums[name].get(kind, 0) + cents

    # What people do

    def order(self):
        bill = Bill(len(self.bills) + 1)
        bill.lines = [[self.random.randrange(3), self.random.randint(1, 4), False] for _ in range(self.random.randint(1, 3))]
        self.bills.append(bill)
        self.do("order", bill=bill.id, lines=[line[:2] for line in bill.lines])

    def open_bills(self):
        return [bill for bill in self.bills if bill.status == "open"]

    def discount(self):
        bills = [bill for bill in self.open_bills() if not bill.paid() and bill.discount == 0]
        if not bills:
            return
        bill = self.random.choice(bills)
        bill.discount = self.random.randint(1, bill.amounts()[0] // 2)
        self.except_("discount", bill.discount)
        self.do("discount", bill=bill.id, amount=money(bill.discount))

    def cancel(self):
        bills = [each for each in self.open_bills() if not each.paid() and not each.discount and len(each.lines) > 1]
        bills = [each for each in bills if sum(not gone for _, _, gone in each.lines) > 1]
        if not bills:
            return
        bill = self.random.choice(bills)
        index = self.random.choice([at for at, line in enumerate(bill.lines) if not line[2]])
        bill.lines[index][2] = True
        self.except_("item_cancelled", PRICES[bill.lines[index][0]] * bill.lines[index][1])
        self.do("cancel", bill=bill.id, line=index)

    def pay(self):
        bills = [bill for bill in self.open_bills() if bill.total() > bill.paid()]
        if not bills:
            return
        bill = self.random.choice(bills)
        remaining = bill.total() - bill.paid()
        amount = remaining if self.random.random() < 0.6 else self.random.randint(1, remaining)
        tip = self.random.choice([0, 0, self.random.randint(1, 900)])
        method = self.random.choice(["cash", "cash", "card", "other"])
        name = self.random.choice(["main", "bag"]) if method == "cash" else None
        payment = {"id": sum(len(each.payments) for each in self.bills) + 1, "bill": bill, "method": method}
        payment |= {"amount": amount, "tip": tip, "status": "paid", "drawer": name, "after": False}
        bill.payments.append(payment)
        self.add(self.payments, method, amount, tip)
        if name:
            self.move(name, "payment", amount + tip)
        fields = {"cash_drawer": name} if name else {}
        self.do("pay", payment=payment["id"], bill=bill.id, method=method, amount=money(amount), tip=money(tip), **fields)

    def add(self, rows, method, amount, tip):
        count, amounts, tips = rows.get(method, (0, 0, 0))
        rows[method] = (count + 1, amounts + amount, tips + tip)

    def refund(self):
        paid = [each for bill in self.bills for each in bill.payments if each["status"] == "paid"]
        if not paid:
            return
        payment = self.random.choice(paid)
        in_cash = payment["method"] == "cash" or self.random.random() < 0.4
        method = "cash" if in_cash else payment["method"]
        named = self.random.choice([None, "bag"]) if in_cash else None
        payment["status"], payment["after"] = "refunded", payment["bill"].status == "closed"
        self.add(self.refunds, method, payment["amount"], payment["tip"])
        self.refunded.append(payment)
        self.except_("refunded", payment["amount"])
        if in_cash:
            self.move(named or payment["drawer"] or "main", "refund", -payment["amount"] - payment["tip"])
        fields = {"method": "cash"} if in_cash and payment["method"] != "cash" else {}
        fields |= {"cash_drawer": named} if named else {}
        self.do("refund", payment=payment["id"], bill=payment["bill"].id, **fields)

    def close(self):
        bills = [bill for bill in self.open_bills() if bill.total() == bill.paid()]
        if not bills:
            return
        bill = self.random.choice(bills)
        bill.status, bill.day = "closed", self.day
        if bill.number is None:
            self.last_number += 1
            bill.number = self.last_number
        self.do("close", bill=bill.id)

    def reopen(self):
        bills = [bill for bill in self.bills if bill.status == "closed" and bill.day == self.day]
        if not bills:
            return
        bill = self.random.choice(bills)
        bill.status, bill.day = "open", None
        for payment in bill.payments:
            payment["after"] = False
        self.except_("reopened", bill.total())
        self.do("reopen", bill=bill.id)

    def move_by_hand(self):
        kind = self.random.choice(["float", "pay_in", "pay_out", "drop", "tip_out"])
        name = self.random.choice(["main", "bag"])
        other = "safe" if kind in ("float", "drop") and self.random.random() < 0.5 else None
        cents = self.random.randint(1, 5000) * (1 if kind in ("float", "pay_in") else -1)
        self.move(name, kind, cents)
        if other:
            self.move(other, kind, -cents)
        number = len(self.movements) + 1
        self.movements.append(number)
        fields = {"other": other} if other else {}
        self.do("move", move=number, cash_drawer=name, kind=kind, amount=money(abs(cents)), **fields)
        if self.random.random() < 0.2:
            self.move(name, kind, -cents)
            if other:
                self.move(other, kind, cents)
            self.do("reverse", move=number, cash_drawer=name)

    def count(self, name, to=None):
        drawer = self.drawers[name]
        is_opening = name == "main" and not drawer.counted
        expected = None if is_opening else (drawer.left or 0) + drawer.moved
        lost = self.random.choice([0, 0, self.random.randint(-300, 300)])
        counted = max(0, (20000 if expected is None else expected) + lost)
        left = counted if self.random.random() < 0.4 else self.random.randint(0, counted)
        to = to if left < counted else None
        if expected is not None and counted != expected:
            self.move(name, "difference", counted - expected)
        if left < counted:
            self.move(name, "drop", left - counted)
            if to:
                self.move(to, "drop", counted - left)
        self.counts[name].append(
            {
                "expected": None if expected is None else money(expected),
                "counted": money(counted),
                "difference": None if expected is None else money(counted - expected),
                "left": money(left),
                "to": to,
            }
        )
        if is_opening:
            self.opening[name] = left
        drawer.left, drawer.moved, drawer.counted, drawer.is_moved = left, 0, True, False
        self.touched.add(name)
        self.do("count", cash_drawer=name, counted=money(counted), left=money(left), **({"to": to} if to else {}))

    # The report

    def close_day(self):
        for name in ("bag", "main", "safe"):  # the safe last, because the others are emptied into it
            if self.drawers[name].is_moved:
                self.count(name, "safe" if name == "bag" else None)
        carried = [bill.id for bill in self.open_bills()]
        self.do("close_day", carry_over=carried)
        self.reports.append(self.report(carried))
        self.unsettled = sum(bill.paid() for bill in self.open_bills())
        for name in self.touched:
            self.opening[name] = self.drawers[name].left
        self.day += 1
        self.start_day()

    def report(self, carried):
        closed = [bill for bill in self.bills if bill.status == "closed" and bill.day == self.day]
        sums = [sum(part) for part in zip(*(bill.amounts() for bill in closed))] or [0, 0, 0]
        after = sum(each["amount"] for each in self.refunded if each["bill"].status == "closed" and each["after"])
        has_numbers = self.last_number >= self.first_number
        rows = lambda all_rows: [
            {"method": method, "confirmed_by": None, "count": count, "amount": money(amount), "tips": money(tips)}
            for method, (count, amount, tips) in sorted(all_rows.items())
        ]
        unsettled = sum(bill.paid() for bill in self.open_bills())
        taken = sum(row[1] for row in self.payments.values()) - sum(row[1] for row in self.refunds.values())
        total = sum(bill.total() for bill in closed)
        assert taken == total - after + unsettled - self.unsettled, "what always holds does not"
        return {
            "number": self.day,
            "bills": {
                "count": len(closed),
                "first_number": self.first_number if has_numbers else None,
                "last_number": self.last_number if has_numbers else None,
            },
            "sales": {
                "items_total": money(sums[0]),
                "discount_total": money(sums[1]),
                "service_charge": money(sums[2]),
                "rounding": "0.00",
                "total": money(total),
            },
            "payments": rows(self.payments),
            "refunds": rows(self.refunds),
            "refunded_after_closing": money(after),
            "unsettled": {"before": money(self.unsettled), "after": money(unsettled)},
            "cash_drawers": [self.drawer_row(name) for name in sorted(self.touched)],
            "exceptions": [
                {"kind": kind, "count": count, "amount": money(amount)}
                for kind, (count, amount) in sorted(self.exceptions.items())
            ],
            "carried_over": {"count": len(carried), "bills": len(carried)},
        }

    def drawer_row(self, name):
        sums = {kind: cents for kind, cents in self.sums[name].items() if cents != 0}
        assert self.opening[name] + sum(sums.values()) == self.drawers[name].left, "a cash drawer does not add up"
        return {
            "name": name,
            "opening": money(self.opening[name]),
            "sums": {kind: money(cents) for kind, cents in sums.items()},
            "left": money(self.drawers[name].left),
            "counts": self.counts[name],
        }

    def play(self):
        if self.random.random() < 0.7:
            self.count("main")
        choices = [self.order] * 5 + [self.pay] * 7 + [self.close] * 5 + [self.refund] * 2 + [self.move_by_hand] * 3
        choices += [self.reopen, self.discount, self.discount, self.cancel, self.cancel, lambda: self.count("bag", "safe")]
        for _ in range(DAYS):
            for _ in range(STEPS):
                self.random.choice(choices)()
            self.close_day()
        return {"steps": self.steps, "reports": self.reports}


if __name__ == "__main__":
    print(json.dumps({"prices": [money(each) for each in PRICES], **Evening(int(sys.argv[1])).play()}, indent=1))
