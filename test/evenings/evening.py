"""Makes up evenings in a restaurant, and computes the report of each day from the contract alone.

It shares no code with the services: a second opinion. It prints the steps of the evening and the reports and figures that must follow,
as JSON: python3 test/evenings/evening.py SEED [GUESTS] > evening.json. The first day lasts until so many guests have come, by default 200,
and the second one has a fifth as many steps. Amounts are in cents here, and decimal strings in the JSON.
"""

import json
import random
import sys

PRICES = [3000, 997, 1254, 4793]
RATE = 10  # the service charge, in percent
PEOPLE = ["manager", "waiter"]  # sorted by their ids


def money(cents):
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


class Line:
    def __init__(self, number, order, dish, quantity, day):
        self.number, self.order, self.dish, self.quantity, self.day = number, order, dish, quantity, day
        self.is_gone, self.is_ready, self.is_moved = False, False, False

    def price(self, quantity=None):
        return PRICES[self.dish] * (self.quantity if quantity is None else quantity)


class Bill:
    def __init__(self, number):
        self.id, self.lines, self.discount, self.payments = number, [], 0, []
        self.status, self.number, self.day, self.covers, self.closer = "open", None, None, None, None
        self.has_service = True
        self.line_payment = None  # paid for one dish, before the others were cancelled
        self.is_entered = True  # False while only the last release knows that it is closed

    def kept(self):
        return [line for line in self.lines if not line.is_gone]

    def amounts(self):
        items = sum(line.price() for line in self.kept())
        charge = ((items - self.discount) * RATE * 2 + 100) // 200 if self.has_service else 0  # half up
        return items, self.discount, charge

    def base(self):
        items, discount, charge = self.amounts()
        return items - discount + charge

    def rounding(self):
        """A cent that nobody owes: what was paid for a dish may differ from what it costs without the others."""
        payment = self.line_payment
        return payment["amount"] - self.base() if payment and (payment["status"] == "paid" or payment["after"]) else 0

    def total(self):
        return self.base() + self.rounding()

    def paid(self):
        return sum(each["amount"] for each in self.payments if each["status"] == "paid")

    def is_untouched(self):
        """Nothing was paid or discounted, so its lines may change freely."""
        return self.status == "open" and not self.paid() and not self.discount


class Drawer:
    def __init__(self):
        self.left, self.moved, self.counted = None, 0, False  # left: of the last count; moved: since then
        self.is_moved = False


class Evening:
    def __init__(self, seed, guests=200):
        self.guests = guests  # how many come on the first day
        self.random = random.Random(seed)
        self.steps, self.reports, self.bills, self.movements = [], [], [], []
        self.drawers = {name: Drawer() for name in ("main", "bag", "safe")}
        self.opening = {name: 0 for name in self.drawers}
        self.day, self.last_number, self.unsettled = 1, 0, 0
        self.lines = self.orders = 0
        self.start_day()

    def start_day(self):
        self.first_number = self.last_number + 1
        self.payments, self.refunds, self.exceptions, self.refunded = {}, {}, {}, []
        self.taken = {}  # what each person took and gave back by each method
        self.remade = 0  # dishes that the kitchen prepares again are never ready here
        self.sums, self.counts = {name: {} for name in self.drawers}, {name: [] for name in self.drawers}
        self.touched = set()

    def do(self, what, **fields):
        self.steps.append({"do": what, **fields})

    def except_(self, kind, by, cents):
        count, amount = self.exceptions.get((kind, by), (0, 0))
        self.exceptions[kind, by] = (count + 1, amount + cents)

    def move(self, name, kind, cents):
        drawer = self.drawers[name]
        drawer.moved, drawer.is_moved = drawer.moved + cents, True
        self.touched.add(name)
        if name != "main" or drawer.counted:  # before its first count, main holds something unknown
            self.sums[name][kind] = self.sums[name].get(kind, 0) + cents

    def person(self):
        return self.random.choice(PEOPLE)

    # What people do

    def new_line(self, order, dish, quantity, day):
        self.lines += 1
        return Line(self.lines, order, dish, quantity, day)

    def order(self):
        bill = Bill(len(self.bills) + 1)
        self.orders += 1
        many = self.random.randint(1, 4)
        bill.lines = [self.new_line(self.orders, self.random.randrange(len(PRICES)), self.random.randint(1, 4), self.day) for _ in range(many)]
        bill.covers = self.random.randint(1, 6)
        self.bills.append(bill)
        lines = [[line.number, line.dish, line.quantity] for line in bill.lines]
        self.do("order", bill=bill.id, order=self.orders, covers=bill.covers, lines=lines)

    def open_bills(self):
        return [bill for bill in self.bills if bill.status == "open"]

    def discount(self):
        bills = [bill for bill in self.open_bills() if bill.is_untouched() and bill.kept()]
        if not bills:
            return
        bill = self.random.choice(bills)
        bill.discount = self.random.randint(1, bill.amounts()[0] // 2)
        self.except_("discount", "manager", bill.discount)
        self.do("discount", bill=bill.id, amount=money(bill.discount))

    def decline(self):
        bills = [bill for bill in self.open_bills() if not bill.paid() and bill.has_service and bill.kept()]
        if not bills:
            return
        bill, by = self.random.choice(bills), self.person()
        self.except_("service_charge_declined", by, bill.amounts()[2])
        bill.has_service = False
        self.do("decline", bill=bill.id, by=by)

    def line_of(self, is_wanted):
        found = [(bill, line) for bill in self.open_bills() if bill.is_untouched() for line in bill.kept() if is_wanted(bill, line)]
        return self.random.choice(found) if found else (None, None)

    def cancel(self):
        bill, line = self.line_of(lambda bill, _: len(bill.kept()) > 1)
        if not line:
            return
        self.cancel_line(line, self.person(), self.random.choice([0, 0, self.random.randrange(line.quantity)]))

    def cancel_line(self, line, by, left=0):
        self.except_("item_cancelled", by, line.price(line.quantity - left))
        if left == 0:
            line.is_gone = True
        line.quantity = left or line.quantity
        self.do("cancel", line=line.number, order=line.order, by=by, **({"left": left} if left else {}))

    def cancel_order(self):
        bills = [bill for bill in self.open_bills() if bill.is_untouched() and bill.kept()]
        bills = [bill for bill in bills if not any(line.is_moved or line.is_ready for line in bill.lines)]
        if not bills:
            return
        bill, by = self.random.choice(bills), self.person()
        for line in bill.kept():
            self.except_("item_cancelled", by, line.price())
            line.is_gone = True
        self.do("cancel_order", order=bill.lines[0].order, by=by)

    def move_items(self):
        _, line = self.line_of(lambda _, line: line.quantity > 1 and not line.is_ready)
        if not line:
            return
        by, quantity = self.person(), self.random.randrange(1, line.quantity)
        self.except_("order_moved", by, line.price(quantity))
        line.quantity -= quantity
        self.orders += 1
        bill = Bill(len(self.bills) + 1)
        bill.lines = [self.new_line(self.orders, line.dish, quantity, line.day)]
        bill.lines[0].is_moved = True
        self.bills.append(bill)
        fields = {"to_bill": bill.id, "to_order": self.orders, "to_line": bill.lines[0].number, "table": f"m-{bill.id}"}
        self.do("move_items", line=line.number, order=line.order, quantity=quantity, by=by, **fields)

    def ready(self):
        _, line = self.line_of(lambda _, line: not line.is_ready)
        if line:
            line.is_ready = True
            self.do("ready", line=line.number, order=line.order)

    def remake(self):
        _, line = self.line_of(lambda _, line: line.is_ready)
        if not line:
            return
        by, quantity = self.person(), self.random.randint(1, line.quantity)
        self.except_("remade", by, line.price(quantity))
        self.do("remake", line=line.number, order=line.order, quantity=quantity, by=by)

    def pay(self, bill=None):
        bills = [bill for bill in self.open_bills() if bill.total() > bill.paid()]
        if not bills:
            return
        is_last = bill is not None
        bill = bill or self.random.choice(bills)
        remaining = bill.total() - bill.paid()
        amount = remaining if is_last or self.random.random() < 0.6 else self.random.randint(1, remaining)
        self.record(bill, amount)

    def record(self, bill, amount, **fields):
        tip = self.random.choice([0, 0, self.random.randint(1, 900)])
        method, by = self.random.choice(["cash", "cash", "card", "other"]), self.person()
        old = self.by_last_release(bill)
        name = "main" if old else self.random.choice(["main", "bag"])
        name = name if method == "cash" else None
        payment = {"id": sum(len(each.payments) for each in self.bills) + 1, "bill": bill, "method": method, "by": by}
        payment |= {"amount": amount, "tip": tip, "status": "paid", "drawer": name, "after": False}
        bill.payments.append(payment)
        self.add(self.payments, method, amount, tip)
        self.take(by, method, count=1, amount=amount, tips=tip)
        fields |= old
        if name:
            self.move(name, "payment", amount + tip)
            fields |= {} if old else {"cash_drawer": name}
            if self.random.random() < 0.5:  # the change stays with the guest
                fields["received"] = money((amount + tip + 4999) // 5000 * 5000)
        self.do("pay", payment=payment["id"], bill=bill.id, by=by, method=method, amount=money(amount), tip=money(tip), **fields)
        return payment

    def by_last_release(self, bill):
        """An instance of the last release writes some steps. It knows no cash drawers, and forgets those of the bill's payments."""
        if self.random.random() >= 0.15:
            return {}
        for payment in bill.payments:
            payment["drawer"] = "main" if payment["method"] == "cash" else None
        return {"old": True}

    def pay_one_line(self):
        """Guests pay one dish, and leave before the others are served."""
        bills = [bill for bill in self.open_bills() if bill.is_untouched() and len(bill.kept()) > 1 and len(bill.kept()) == len(bill.lines)]
        bills = [bill for bill in bills if not any(line.is_ready or line.is_moved for line in bill.lines)]
        if not bills:
            return
        bill = self.random.choice(bills)
        chosen, total, items = self.random.choice(bill.lines), bill.total(), bill.amounts()[0]
        amount = (2 * total * chosen.price() + items) // (2 * items)  # half up
        payment = self.record(bill, amount, line=chosen.number)
        for line in bill.lines:
            if line is not chosen:
                self.cancel_line(line, self.person())
        bill.line_payment = payment

    def add(self, rows, method, amount, tip):
        count, amounts, tips = rows.get(method, (0, 0, 0))
        rows[method] = (count + 1, amounts + amount, tips + tip)

    def take(self, by, method, count=0, amount=0, tips=0, refunds=0):
        row = self.taken.get((by, method), (0, 0, 0, 0))
        self.taken[by, method] = tuple(one + other for one, other in zip(row, (count, amount, tips, refunds)))

    def refund(self):
        paid = [each for bill in self.bills for each in bill.payments if each["status"] == "paid"]
        if not paid:
            return
        payment = self.random.choice(paid)
        old = self.by_last_release(payment["bill"])
        in_cash = payment["method"] == "cash" or (not old and self.random.random() < 0.4)
        method = "cash" if in_cash else payment["method"]
        named = self.random.choice([None, "bag"]) if in_cash and not old else None
        payment["status"], payment["after"] = "refunded", payment["bill"].status == "closed"
        self.add(self.refunds, method, payment["amount"], payment["tip"])
        self.take(payment["by"] if old else "manager", method, refunds=payment["amount"])
        self.refunded.append(payment)
        self.except_("refunded", "manager", payment["amount"])
        if in_cash:
            self.move(named or payment["drawer"] or "main", "refund", -payment["amount"] - payment["tip"])
        fields = {"method": "cash"} if in_cash and payment["method"] != "cash" else {}
        fields |= {"cash_drawer": named} if named else {}
        self.do("refund", payment=payment["id"], bill=payment["bill"].id, **fields, **old)

    def close(self, bill=None):
        bills = [bill for bill in self.open_bills() if bill.kept() and bill.total() == bill.paid()]
        if not bills:
            return
        bill = bill or self.random.choice(bills)
        bill.status, bill.day, bill.closer = "closed", self.day, self.person()
        if bill.number is None:
            self.last_number += 1
            bill.number = self.last_number
        old = self.by_last_release(bill)
        bill.is_entered = not old
        self.do("close", bill=bill.id, by=bill.closer, **old)

    def reopen(self):
        bills = [bill for bill in self.bills if bill.status == "closed" and bill.day == self.day and bill.is_entered]
        if not bills:
            return
        bill = self.random.choice(bills)
        bill.status, bill.day = "open", None
        for payment in bill.payments:
            payment["after"] = False
        self.except_("reopened", "manager", bill.total())
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

    def enter(self):
        for bill in self.bills:
            bill.is_entered = True

    def count(self, name, to=None):
        self.enter()
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
        self.enter()
        carried = [bill.id for bill in self.open_bills() if bill.kept()]
        self.do("close_day", carry_over=carried)
        self.reports.append({"report": self.report(carried), "figures": self.figures(), **self.of_closed_bills()})
        self.unsettled = sum(bill.paid() for bill in self.open_bills())
        for name in self.touched:
            self.opening[name] = self.drawers[name].left
        self.day += 1
        self.start_day()

    def closed_bills(self):
        return [bill for bill in self.bills if bill.status == "closed" and bill.day == self.day]

    def takings(self, all_rows):
        return [
            {"method": method, "confirmed_by": None, "count": count, "amount": money(amount), "tips": money(tips)}
            for method, (count, amount, tips) in sorted(all_rows.items())
        ]

    def report(self, carried):
        closed = self.closed_bills()
        sums = [sum(part) for part in zip(*(bill.amounts() for bill in closed))] or [0, 0, 0]
        after = sum(each["amount"] for each in self.refunded if each["bill"].status == "closed" and each["after"])
        has_numbers = self.last_number >= self.first_number
        unsettled = sum(bill.paid() for bill in self.open_bills())
        taken = sum(row[1] for row in self.payments.values()) - sum(row[1] for row in self.refunds.values())
        total, rounding = sum(bill.total() for bill in closed), sum(bill.rounding() for bill in closed)
        assert taken == total - after + unsettled - self.unsettled, "what always holds does not"
        kinds = {}
        for (kind, _), (count, amount) in self.exceptions.items():
            before = kinds.get(kind, (0, 0))
            kinds[kind] = (before[0] + count, before[1] + amount)
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
                "rounding": money(rounding),
                "total": money(total),
            },
            "payments": self.takings(self.payments),
            "refunds": self.takings(self.refunds),
            "refunded_after_closing": money(after),
            "unsettled": {"before": money(self.unsettled), "after": money(unsettled)},
            "cash_drawers": [self.drawer_row(name) for name in sorted(self.touched)],
            "exceptions": [
                {"kind": kind, "count": count, "amount": money(amount)} for kind, (count, amount) in sorted(kinds.items())
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

    # The figures and the other reports

    def dishes(self, lines):
        rows = {}
        for line in lines:
            quantity, amount = rows.get(line.dish, (0, 0))
            rows[line.dish] = (quantity + line.quantity, amount + line.price())
        ordered = sorted(rows.items(), key=lambda row: (-row[1][0], row[0]))
        return [{"dish": dish, "quantity": quantity, "amount": money(amount)} for dish, (quantity, amount) in ordered]

    def waiters(self):
        rows = [
            {"by": by, "method": method, "count": count, "amount": money(amount), "tips": money(tips), "refunds": money(refunds)}
            for (by, method), (count, amount, tips, refunds) in sorted(self.taken.items())
        ]
        for by in PEOPLE:
            bills = [bill for bill in self.closed_bills() if bill.closer == by]
            amount = money(sum(bill.amounts()[2] for bill in bills))
            if bills:
                rows.append({"by": by, "method": None, "count": len(bills), "amount": amount, "tips": "0.00", "refunds": "0.00"})
        return rows

    def figures(self):
        open_bills = [bill for bill in self.open_bills() if bill.kept()]
        lines = [line for bill in self.bills for line in bill.kept() if line.day == self.day]
        covers = [bill.covers for bill in self.closed_bills() if bill.covers is not None]
        return {
            "bills": {
                "closed": len(self.closed_bills()),
                "open": len(open_bills),
                "remaining": money(sum(bill.total() - bill.paid() for bill in open_bills)),
            },
            "guests": sum(covers) if covers else None,
            "made": sum(line.is_ready for line in lines),
            "orders": len({line.order for line in lines if not line.is_moved}),
            "items": len(lines),
            "amount": money(sum(line.price() for line in lines)),
            "dishes": self.dishes(lines),
            "payments": self.takings(self.payments),
            "tips": [
                {"method": method, "confirmed_by": None, "amount": money(tips)}
                for method, (_, _, tips) in sorted(self.payments.items())
                if tips
            ],
            "waiters": self.waiters(),
            "exceptions": [
                {"kind": kind, "by": by, "count": count, "amount": money(amount)}
                for (kind, by), (count, amount) in sorted(self.exceptions.items())
            ],
        }

    def of_closed_bills(self):
        closed = sorted(self.closed_bills(), key=lambda bill: -bill.id)
        rows = []
        for bill in closed:
            items, discount, charge = bill.amounts()
            after = sum(each["amount"] for each in bill.payments if each["status"] == "refunded" and each["after"])
            tips = sum(each["tip"] for each in bill.payments if each["status"] == "paid")
            row = {"number": bill.number, "items_total": money(items), "discount_total": money(discount)}
            row |= {"service_charge": money(charge), "rounding": money(bill.rounding()), "total": money(bill.total())}
            rows.append(row | {"tips": money(tips), "refunded": money(after)})
        return {"bills": rows, "dishes": self.dishes([line for bill in closed for line in bill.kept()])}

    def play(self):
        if self.random.random() < 0.7:
            self.count("main")
        choices = [self.order] * 6 + [self.pay] * 9 + [self.close] * 6 + [self.refund] * 2 + [self.move_by_hand] * 3
        choices += [self.reopen, self.discount, self.discount, self.decline, self.cancel, self.cancel, self.cancel_order]
        choices += [self.pay_one_line, self.pay_one_line, self.move_items, self.move_items, self.ready, self.ready, self.remake, lambda: self.count(self.random.choice(["bag", "main"]), "safe")]
        while sum(bill.covers or 0 for bill in self.bills) < self.guests:
            self.random.choice(choices)()
        for bill in self.open_bills():  # most guests pay and leave
            if self.random.random() < 0.9 and bill.kept():
                if bill.total() > bill.paid():
                    self.pay(bill)
                self.close(bill)
        self.close_day()
        for _ in range(self.guests // 5):
            self.random.choice(choices)()
        self.close_day()
        return {"steps": self.steps, "reports": self.reports}


def as_text(prices, steps, reports):
    """Returns JSON with one step a line."""
    rows = ",\n".join(json.dumps(step) for step in steps)
    days = ",\n".join(json.dumps(report, indent=1) for report in reports)
    return f'{{"prices": {json.dumps(prices)},\n"steps": [\n{rows}\n],\n"reports": [\n{days}\n]}}'


if __name__ == "__main__":
    print(as_text([money(each) for each in PRICES], **Evening(*map(int, sys.argv[1:])).play()))
