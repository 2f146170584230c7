import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { AskedOption } from '@comanda/contracts/item-options';
import { chooseOptions, unitPriceOf, type ChosenOption } from '@comanda/contracts/options';
import { fromMinor } from '@comanda/contracts/money';
import { root } from '@comanda/local-stack/root';

// Compares the prices of chosen options with those of a Python program, which was written from the specification alone.

type CaseOption = [id: number, price: number, maxEach: number, available: boolean, isDefault: boolean, opens: number[]];
type CaseGroup = {
  id: number;
  method: 'sum' | 'average' | 'max';
  free: number;
  min: number;
  max: number;
  options: CaseOption[];
};
type Case = {
  groups: CaseGroup[];
  dish: number[];
  price: number;
  choices: { asked: AskedOption[]; result: object }[];
};

const program = join(root, 'test/options/write-cases.py');
/** How many menus the program writes each night. Each has 12 choices. */
const menusEachNight = 84_000;

const toOption = ([id, price, max_each, available, isDefault, opens]: CaseOption) => ({
  id,
  price: fromMinor(BigInt(price)),
  max_each,
  available,
  default: isDefault,
  option_group_ids: opens,
});
type Group = ReturnType<typeof toGroup>;
const toGroup = ({ method: price_method, options, ...group }: CaseGroup) => ({
  ...group,
  price_method,
  options: options.map(toOption),
});
const treeOf = (options: readonly ChosenOption<Group>[]): unknown[] =>
  options.map(({ option, quantity, of, options: below }) => [option.id, quantity, of, treeOf(below)]);
const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** Returns our result for this choice, in the program's form. */
function resultOf({ dish, price, groups }: Case, asked: readonly AskedOption[]): object {
  const byId = new Map(groups.map((group) => [group.id, toGroup(group)]));
  const choice = chooseOptions({ groupIds: dish, asked }, byId);
  const defects = choice.defects.map((each) => [each.reason, each.group_id, each.option_id, each.parent_option_id]);
  if (defects.length > 0) return { defects: defects.toSorted(byText) };
  if (choice.soldOut.length > 0) return { sold_out: choice.soldOut.toSorted((one, other) => one - other) };
  return { price: Number(unitPriceOf(BigInt(price), choice)), options: treeOf(choice.options) };
}

const reversed = (asked: readonly AskedOption[]): AskedOption[] =>
  asked.toReversed().map((each) => ({ ...each, ...(each.options && { options: reversed(each.options) }) }));

type Counts = { choices: number; different: object[]; kinds: Set<string> };
async function compare(lines: Readable): Promise<Counts> {
  const counts: Counts = { choices: 0, different: [], kinds: new Set() };
  for await (const line of createInterface({ input: lines })) {
    const menu = JSON.parse(line) as Case;
    for (const { asked, result } of menu.choices) {
      counts.choices++;
      for (const kind of Object.keys(result)) counts.kinds.add(kind);
      const isRepeated = JSON.stringify(result).includes('"repeated"');
      // What is asked for twice counts once, the first time. Any other choice may be sent in any order.
      for (const order of isRepeated ? [asked] : [asked, reversed(asked)]) {
        const own = resultOf(menu, order);
        const isSame = JSON.stringify(own) === JSON.stringify(sorted(result));
        if (!isSame && counts.different.length < 3) counts.different.push({ menu, asked: order, own, result });
      }
    }
  }
  return counts;
}
const sorted = (result: object): object =>
  'defects' in result ? { defects: (result.defects as unknown[]).toSorted(byText) } : result;

test('prices and defects of chosen options are the same as in the cases that a Python program wrote', async () => {
  const { choices, different, kinds } = await compare(createReadStream(join(root, 'test/options/cases.jsonl')));

  expect(different).toEqual([]);
  expect([choices, kinds]).toEqual([720, new Set(['price', 'options', 'sold_out', 'defects'])]);
});

// Only the nightly run needs Python.
if (process.env['COMANDA_LONG'] === '1')
  test('prices and defects of a million new choices are the same as those of the Python program', async () => {
    const python = spawn('python3', [program, String(menusEachNight), String(Date.now())], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [{ choices, different }, [code]] = await Promise.all([compare(python.stdout), once(python, 'exit')]);

    expect(different).toEqual([]);
    expect([code, choices]).toEqual([0, menusEachNight * 12]);
  }, 900_000);
