import type { Answer, Client, LiveOrder } from '@comanda/client';
import { callWaiter } from './call-waiter.ts';
import { canBeOrdered } from '@comanda/contracts/options-on-offer';
import type { Language } from '@comanda/contracts/rules';
import { chooseOptions } from './choose-options.ts';
import type { Evening } from './evening.ts';
import type { Kitchen } from './kitchen.ts';
import type { OpenClient, Regular } from './regulars.ts';
import type { SimulatedBank } from './pay-by-pix.ts';
import { remarksOf } from './remarks.ts';
import { settleBill } from './settle-bill.ts';

type Deps = Evening & {
  kitchen: Pick<Kitchen, 'untilServed'>;
  openClient: OpenClient;
  closeClient: (client: Client) => void;
  /** Customers who can pay from an account. */
  regulars: readonly Regular[];
  /** The demo's bank, or null if it has none. */
  bank: SimulatedBank | null;
};
export type Table = Answer<'listTables'>[number];

const names =
  'Ana Bruno Caio Davi Elisa Fábio Gabi Hugo Iara João Kátia Lia Mauro Nina Otto Paula Rafael Sofia Téo Vera'.split(
    ' ',
  );
const allergies = { 'pt-BR': ['amendoim', 'camarão', 'leite'], en: ['peanuts', 'shrimps', 'milk'] };
/** Durations at a real table, in seconds. */
const seconds = {
  choosing: [30, 150],
  untilSecondThoughts: [5, 40],
  eating: [120, 420],
  untilNextPays: [10, 60],
  untilAnswered: [10, 120],
} as const;

/** Seats a party, whose `people` each order on a phone, eat, call a waiter, pay and leave. */
export async function seatParty(deps: Deps, { table, people }: { table: Table; people: number }): Promise<void> {
  const { staff, chance, attempt, closeClient } = deps;
  const language = chance.happens(visitors) ? 'en' : 'pt-BR';
  const guests = await Promise.all(Array.from({ length: people }, () => sitDown(deps, table, language)));
  const seated = guests.flatMap((guest) => guest ?? []);
  const bills = new Set<number>();
  await Promise.all(seated.map((guest) => eat(deps, guest, bills)));
  const [host] = seated;
  const [first] = bills;
  if (first !== undefined)
    await attempt(`${seated.length} guests share bill ${first}`, () =>
      staff.calls.setCovers({ id: first, covers: seated.length }),
    );
  if (host) await pay(deps, { table, host, bills });
  await attempt(`table ${table.table} is closed`, () => staff.calls.closeTable({ table: table.table }));
  for (const { phone } of seated) closeClient(phone);
}

type Guest = {
  name: string;
  phone: Client;
  /** The language for this guest's menu and notes. */
  language: Language;
};
/** The fraction of tables where people read English. */
const visitors = 0.2;

async function sitDown(deps: Deps, table: Table, language: Language): Promise<Guest | null> {
  const { chance, openClient, closeClient, attempt } = deps;
  const name = chance.pick(names);
  const phone = openClient();
  const isSeated = await attempt(`${name} scans table ${table.table}`, () =>
    phone.signInAsGuest({ table_token: table.table_token, name }),
  );
  if (!isSeated) closeClient(phone);
  return isSeated ? { name, phone, language } : null;
}

const answeringOf = ({ staff, pass }: Evening) => ({ staff, untilNextStep: () => pass(seconds.untilAnswered) });

async function eat(deps: Deps, { name, phone, language }: Guest, bills: Set<number>): Promise<void> {
  const { chance, pass, attempt, kitchen, signal } = deps;
  const rounds = chance.whole(1, 2);
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    await pass(seconds.choosing);
    let placed: LiveOrder | null = null;
    await attempt(`${name} orders`, async () => (placed = await order(deps, phone, language)));
    const { id, bill_id: billId } = (placed as LiveOrder | null) ?? {};
    if (id === undefined || placed === null) continue;
    if (typeof billId === 'number') bills.add(billId);
    if (chance.happens(0.1)) await thinkAgain(deps, placed);
    await kitchen.untilServed(id);
    if (chance.happens(0.03)) await giveAway(deps, id);
    await pass(seconds.eating);
    if (chance.happens(0.15))
      await attempt(`${name} calls a waiter`, () =>
        callWaiter({ guest: phone, ...answeringOf(deps) }, { kind: 'waiter' }),
      );
  }
}

async function order({ chance }: Evening, guest: Client, language: Language): Promise<LiveOrder> {
  const [menu, groups] = await Promise.all([guest.calls.listMenu(), guest.calls.listOptionGroups()]);
  const offer = { groups: byId(groups), dishes: byId(menu) };
  const offered = menu.filter(
    (dish) =>
      (dish.pricing ?? 'fixed') === 'fixed' && (dish.portions_left ?? Infinity) > 4 && canBeOrdered(dish, offer),
  );
  const dishes = new Set(Array.from({ length: chance.whole(1, 4) }, () => chance.pick(offered)));
  const items = [...dishes].map(({ id, name, option_group_ids: groupIds = [] }) => {
    const remarks = remarksOf(name, language);
    const options = chooseOptions(chance, groupIds, offer);
    return {
      item_id: id,
      quantity: chance.pick([1, 1, 1, 2, 3]),
      ...(options.length > 0 && { options }),
      ...(remarks.length > 0 && chance.happens(0.3) && { remarks: chance.pick(remarks) }),
    };
  });
  return guest.calls.placeOrder({ items, ...(chance.happens(0.1) && { allergies: chance.pick(allergies[language]) }) });
}

const byId = <T extends { id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map(rows.map((row) => [row.id, row]));

/** Lets a guest change their mind about the last dish, of which a waiter removes one. */
async function thinkAgain({ staff, pass, attempt }: Evening, { id, items }: LiveOrder): Promise<void> {
  const last = items.at(-1);
  if (!last || (items.length < 2 && last.quantity < 2)) return;
  await pass(seconds.untilSecondThoughts);
  const part = last.quantity > 1 && { quantity_left: last.quantity - 1 };
  await attempt(`${last.name} of order ${id} is taken off`, () =>
    staff.calls.updateOrderItem({ id, item_id: last.id, status: 'cancelled', ...part }),
  );
}

/** Lets guests at another table take one dish of this order onto their bill: friends, who came separately. */
async function giveAway({ staff, chance, attempt }: Evening, id: number): Promise<void> {
  await attempt(`a dish of order ${id} moves to another table`, async () => {
    const [{ seating, items }, bills] = await Promise.all([
      staff.calls.getOrder({ id }),
      staff.calls.listBills({ status: 'open' }),
    ]);
    const others = bills.flatMap(({ table, seating: to }) =>
      table === null || to === null || to === seating ? [] : { table, seating: to },
    );
    const dishes = items.filter(({ status, part_of: combo }) => status === 'delivered' && (combo ?? null) === null);
    if (others.length === 0 || dishes.length === 0) return;
    const { id: item } = chance.pick(dishes);
    await staff.calls.moveItems({ id, items: [{ id: item, quantity: 1 }], ...chance.pick(others) });
  });
}

type Paying = { table: Table; host: Guest; bills: ReadonlySet<number> };
/**
 * Lets the host ask for the bill, and the party pay it: one person alone, in shares or by dish; by hand (in cash or by card), by
 * Pix or from an account.
 */
async function pay(deps: Deps, { table, host: { name, phone }, bills }: Paying): Promise<void> {
  const { staff, manager, chance, pass, attempt, regulars, bank, signal } = deps;
  const pix = bank && { phone, bank };
  const settling = { staff, manager, chance, pix, untilNextGuest: () => pass(seconds.untilNextPays), signal };
  if (bills.size > 0) {
    const method = chance.pick(['cash', 'card'] as const);
    await attempt(`${name} asks for the bill`, () =>
      callWaiter({ guest: phone, ...answeringOf(deps) }, { kind: 'bill', method }),
    );
  }
  for (const id of bills) {
    if (chance.happens(0.15))
      await attempt(`${name} declines the service charge`, () => phone.calls.setServiceCharge({ id, included: false }));
    const regular = regulars.length > 0 && chance.happens(0.4) ? chance.pick(regulars) : null;
    await attempt(`table ${table.table} pays`, async () => {
      if (regular) await regular.client.takeSeat({ table_token: table.table_token });
      await settleBill({ ...settling, regular }, id);
    });
  }
}
