"""Computes the report of a closed day again, from what the API says of it, and from the contract alone.

It shares no code with the services: a second opinion. It reads a JSON document with what managers can read: `report`, the report
`before` it (or null), the `bills` closed in the day, the `open` bills, and the `movements`, `counts` and `exceptions` of the day, as
in their reports. It prints what differs, one field a line, and nothing if all is right.
"""

import hashlib
import json
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

ZONE, DAY_STARTS_AT = "America/Sao_Paulo", timedelta(hours=4)


def cents(text):
    return round(float(text) * 100)


def money(value):
    return f"{'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02d}"


def canonical(value):
    """RFC 8785, for the values that reports have: texts, whole numbers, lists and objects with ASCII names."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def house_date(time):
    local = datetime.fromisoformat(time.replace("Z", "+00:00")).astimezone(ZoneInfo(ZONE))
    return (local.replace(tzinfo=None) - DAY_STARTS_AT).date().isoformat()


def takings(movements, sign):
    rows = {}
    for each in movements:
        count, amount, tips = rows.get((each["method"], each["confirmed_by"] or ""), (0, 0, 0))
        key = each["method"], each["confirmed_by"] or ""
        rows[key] = (count + 1, amount + sign * cents(each["amount"]), tips + sign * cents(each["tip"]))
    return [
        {"method": method, "confirmed_by": confirmed or None, "count": count, "amount": money(amount), "tips": money(tips)}
        for (method, confirmed), (count, amount, tips) in sorted(rows.items())
    ]


def cash_drawers(given, before):
    names = {each["cash_drawer"] for each in given["movements"] + given["counts"] if each["cash_drawer"]}
    lefts = {each["name"]: each["left"] for each in (before or {"cash_drawers": []})["cash_drawers"]}
    rows = []
    for name in sorted(names):
        counts = sorted((each for each in given["counts"] if each["cash_drawer"] == name), key=lambda each: each["id"])
        moved = [each for each in given["movements"] if each["cash_drawer"] == name]
        opening = lefts.get(name, "0.00")
        if name == "main" and counts and counts[0]["expected"] is None:
            opening = counts[0]["left"]
            moved = [each for each in moved if each["id"] > counts[0]["id"]]
        sums = {}
        for each in moved:
            sums[each["kind"]] = sums.get(each["kind"], 0) + cents(each["amount"]) + cents(each["tip"])
        sums = {kind: money(value) for kind, value in sums.items() if value}
        left = counts[-1]["left"] if counts else opening
        assert cents(opening) + sum(map(cents, sums.values())) == cents(left), f"{name} does not add up"
        rows.append({"name": name, "opening": opening, "sums": sums, "left": left, "counts": counts})
    return rows


def computed(given):
    report, before, bills = given["report"], given["before"], given["bills"]
    payments = [each for each in given["movements"] if each["kind"] == "payment"]
    refunds = [each for each in given["movements"] if each["kind"] == "refund"]
    entries = sorted(given["movements"] + given["counts"] + given["exceptions"], key=lambda each: each["id"])
    assert len({each["id"] for each in entries}) == len(entries), "two entries have one id"
    numbers = [bill["number"] for bill in bills + given["open"] if bill["number"]]
    new = [number for number in numbers if number > given["last_number_before"]]
    closed_at = {bill["id"]: bill["closed_at"] for bill in bills + given["closed_before"]}
    after = [each for each in refunds if each["bill_id"] in closed_at and each["at"] >= closed_at[each["bill_id"]]]
    unsettled = sum(cents(bill["paid"]) for bill in given["open"])
    kinds = {}
    for each in given["exceptions"]:
        count, amount = kinds.get(each["kind"], (0, 0))
        kinds[each["kind"]] = (count + 1, amount + cents(each["amount"]))
    dates = [house_date(each["at"]) for each in payments]
    carried = sorted(bill["id"] for bill in given["open"] if bill["lines"])
    add = lambda read: money(sum(cents(read(bill)) for bill in bills))
    result = {
        "number": before["number"] + 1 if before else 1,
        "business_date": min(sorted(set(dates)), key=lambda date: -dates.count(date)) if dates else report["business_date"],
        "opened_at": before["closed_at"] if before else report["opened_at"],
        "bills": {"count": len(bills), "first_number": min(new, default=None), "last_number": max(new, default=None)},
        "sales": {
            "items_total": add(lambda bill: bill["items_total"]),
            "discount_total": add(lambda bill: bill["discount_total"]),
            "service_charge": add(lambda bill: bill["service_charge"]["amount"]),
            "rounding": add(lambda bill: bill["rounding"]),
            "total": add(lambda bill: bill["total"]),
        },
        "payments": takings(payments, 1),
        "refunds": takings(refunds, -1),
        "refunded_after_closing": money(-sum(cents(each["amount"]) for each in after)),
        "unsettled": {"before": before["unsettled"]["after"] if before else "0.00", "after": money(unsettled)},
        "cash_drawers": cash_drawers(given, before),
        "exceptions": [
            {"kind": kind, "count": count, "amount": money(amount)} for kind, (count, amount) in sorted(kinds.items())
        ],
        "carried_over": {"count": len(carried), "bills": carried},
        "entries_hash": sha256("".join(canonical(each) + "\n" for each in entries)),
        "previous_hash": before["hash"] if before else "0" * 64,
        "hash": sha256(canonical({name: value for name, value in report.items() if name != "hash"})),
    }
    taken = sum(cents(each["amount"]) for each in payments + refunds)
    held = cents(result["sales"]["total"]) - cents(result["refunded_after_closing"]) + unsettled
    assert taken == held - cents(result["unsettled"]["before"]), "what always holds does not"
    return result


if __name__ == "__main__":
    document = json.load(sys.stdin)
    for name, value in computed(document).items():
        if document["report"][name] != value:
            print(f"{name}: {canonical(document['report'][name])} instead of {canonical(value)}")
