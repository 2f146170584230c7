"""Writes random menus with choices of options, and what each choice costs, written from the specification alone.

Usage: python3 test/options/write-cases.py MENUS SEED > cases.jsonl

Each line is one menu: its groups, the dish's groups and price, and choices with their results. Prices are in minor units. An option is
[id, price, max_each, available, default, opened groups]. A result has the unit price and the chosen options [id, quantity, of,
options], or the sold-out options, or the defects [reason, group, option, parent option]. Needs Python 3 and its standard library.
"""

import json
import random
import sys
from fractions import Fraction
from math import floor

CHOICES = 12


def half_up(value):
    return floor(value + Fraction(1, 2))


def amount(group, prices):
    if not prices:
        return 0
    if group["method"] == "average":
        return half_up(Fraction(sum(prices), len(prices)))
    if group["method"] == "max":
        return max(prices)
    above = sorted((price for price in prices if price > 0), reverse=True)
    return sum(prices) - sum(above[: group["free"]])


def judge(menu, asked):
    """Returns the result of one choice."""
    groups = {group["id"]: group for group in menu["groups"]}
    defects, sold_out, costs = set(), set(), []

    def visit(group_ids, asked, parent):
        offered = {option[0]: group_id for group_id in group_ids for option in groups[group_id]["options"]}
        taken = {}
        for element in asked:
            option_id = element["id"]
            if option_id not in offered:
                defects.add(("unknown", None, option_id, parent))
            elif option_id in taken:
                defects.add(("repeated", None, option_id, parent))
            else:
                taken[option_id] = (element.get("quantity", 1), element.get("options", []))
        tree = []
        for group_id in group_ids:
            group = groups[group_id]
            chosen = [(option, *taken[option[0]]) for option in group["options"] if option[0] in taken]
            if not chosen and group["min"] > 0:
                defaults = [option for option in group["options"] if option[4]]
                if all(option[3] for option in defaults):
                    chosen = [(option, 1, []) for option in defaults]
            units = sum(quantity for _, quantity, _ in chosen)
            if units < group["min"]:
                defects.add(("too_few", group_id, None, parent))
            if units > group["max"]:
                defects.add(("too_many", group_id, None, parent))
            costs.append(amount(group, [option[1] for option, quantity, _ in chosen for _ in range(quantity)]))
            for option, quantity, below in chosen:
                if quantity > option[2]:
                    defects.add(("too_many_of_one", None, option[0], parent))
                if not option[3]:
                    sold_out.add(option[0])
                of = None if group["method"] == "sum" else units
                tree.append([option[0], quantity, of, visit(option[5], below, option[0])])
        return tree

    options = visit(menu["dish"], asked, None)
    if defects:
        return {"defects": sorted(map(list, defects), key=json.dumps)}
    if sold_out:
        return {"sold_out": sorted(sold_out)}
    return {"price": max(0, menu["price"] + sum(costs)), "options": options}


def new_menu(rng):
    groups, last = [], {"option": 0}

    def new_group(levels):
        method = rng.choice(["sum", "sum", "average", "max"])
        group = {"id": 0, "method": method}
        options = []
        for _ in range(rng.randint(1, 5)):
            opened = [new_group(levels - 1)] if levels > 1 and rng.random() < 0.3 else []
            if opened and rng.random() < 0.2:
                opened.append(new_group(levels - 1))
            last["option"] += 1
            below = method == "sum" and rng.random() < 0.15
            price = -rng.randint(1, 900) if below else rng.choice([0, 50 * rng.randint(0, 140), rng.randint(0, 9999)])
            most = 1 if opened else rng.choice([1, 1, 2, 3, 20])
            options.append([last["option"], price, most, rng.random() < 0.85, False, opened])
        room = sum(option[2] for option in options)
        group["min"] = rng.choice([0, 0, 1, 1, min(2, room)])
        group["max"] = max(1, group["min"], rng.randint(1, 5))
        group["free"] = rng.randint(0, group["max"]) if method == "sum" and rng.random() < 0.5 else 0
        plain = [option for option in options if not option[5]]
        if group["min"] > 0 and len(plain) >= group["min"] and rng.random() < 0.5:
            for option in plain[: rng.randint(group["min"], min(len(plain), group["max"]))]:
                option[1], option[4] = 0, True
        group["options"] = options
        group["id"] = len(groups) + 1
        groups.append(group)
        return group["id"]

    dish = [new_group(3) for _ in range(rng.randint(1, 3))]
    return {"groups": groups, "dish": dish, "price": rng.choice([0, rng.randint(0, 9900)])}


def ask(rng, groups, group_ids, care):
    """Returns a random choice. With `care` near 1 most of it is valid."""
    asked = []
    for group_id in group_ids:
        group = groups[group_id]
        units = rng.randint(group["min"], group["max"]) if rng.random() < care else rng.randint(0, 6)
        for option in rng.sample(group["options"], len(group["options"])):
            if units <= 0:
                break
            if not option[3] and rng.random() < 0.6:
                continue
            quantity = rng.randint(1, min(units, option[2]) if rng.random() < care else 20)
            element = {"id": option[0]}
            if quantity > 1 or rng.random() < 0.1:
                element["quantity"] = quantity
            below = ask(rng, groups, option[5], care)
            if below:
                element["options"] = below
            asked.append(element)
            units -= quantity
            if rng.random() > care and rng.random() < 0.2:
                asked.append({"id": option[0]})
    if rng.random() > care and rng.random() < 0.1:
        asked.append({"id": rng.randint(1, 99), "options": [{"id": 7}]})
    rng.shuffle(asked)
    return asked


def main():
    menus, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    for _ in range(menus):
        menu = new_menu(rng)
        groups = {group["id"]: group for group in menu["groups"]}
        menu["choices"] = []
        for _ in range(CHOICES):
            asked = ask(rng, groups, menu["dish"], rng.choice([0.4, 0.9, 1, 1, 1]))
            menu["choices"].append({"asked": asked, "result": judge(menu, asked)})
        print(json.dumps(menu, separators=(",", ":")))


main()
