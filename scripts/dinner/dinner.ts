import { CallFailure, createClient, type Answer, type Client, type LiveOrder } from '@comanda/client';
import type { DemoSignIns } from '@comanda/local-stack/demo-sign-ins';
import { callWaiter } from './call-waiter.ts';
import { createChance } from './chance.ts';
import { remarksOf } from './remarks.ts';
import { registerRegular, type OpenClient, type Regular } from './regulars.ts';
import { settleBill } from './settle-bill.ts';

export type DinnerOptions = {
  gatewayUrl: string;
  signIns: Pick<DemoSignIns, 'waiter' | 'manager' | 'managerPin'>;
  /** How many times faster than at a real table. */
  pace: number;
  log: (line: string) => void;
  /** Ends the evening. */
  signal: AbortSignal;
  /** Makes every choice of the evening; the same number gives the same choices. */
  seed?: number;
};
type Table = Answer<'listTables'>[number];

const names =
  'Ana Bruno Caio Davi Elisa Fábio Gabi Hugo Iara João Kátia Lia Mauro Nina Otto Paula Rafael Sofia Téo Vera'.split(
    ' ',
  );
const allergies = ['amendoim', 'camarão', 'leite'];
/** At a real table, in seconds. */
const seconds = {
  untilNextParty: [20, 90],
  choosing: [60, 240],
  untilStarted: [20, 120],
  cooking: { kitchen: [180, 600], bar: [30, 120] },
  untilServed: [20, 120],
  eating: [300, 900],
  untilNextPays: [10, 60],
  untilAnswered: [10, 120],
} as const;
const maxParties = 7;
/** Who pay from an account. */
const regularNames = ['Clara', 'Diego'];

/** A restaurant that has set nothing yet adds 10 % for the service, which guests may decline, and suggests tips. */
async function setUp({ calls }: Client): Promise<void> {
  const { service_charge: service, tip_suggestions: tips } = await calls.getRestaurant();
  if (service.rate !== '0.00' || tips.length > 0) return;
  await calls.putRestaurant({ service_charge: { rate: '10.00', optional: true }, tip_suggestions: ['5.00', '10.00'] });
}

/**
 * Simulated guests, cooks and waiters work the demo restaurant through its API, each as an app would, until `signal` is
 * aborted: guests order, call a waiter, split their bill, pay it by hand
 * and from accounts, and leave. What they may not do (sold out, paused) is logged, and the evening goes on.
 */
export async function startDinner(options: DinnerOptions): Promise<void> {
  const { gatewayUrl, signIns, pace, log, signal, seed = Date.now() } = options;
  const chance = createChance(seed);
  const clients = new Set<Client>();
  /** Tables with a simulated party. */
  const taken = new Set<string>();

  const openClient: OpenClient = (onConsent) => {
    const client = createClient({ url: gatewayUrl, storage: memory(), ...(onConsent && { onConsent }) });
    clients.add(client);
    return client;
  };
  /** Resolves after a time of the evening; at once when it ends. */
  const pass = ([from, to]: readonly [number, number]): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, (chance.between(from, to) * 1_000) / pace);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  /** An evening goes on when somebody else was faster, something is sold out, or a service restarts. */
  async function attempt(what: string, call: () => Promise<unknown>): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      await call();
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (!signal.aborted && error.code !== 'illegal_transition') log(`dinner: ${what}: ${error.code}`);
      return false;
    }
  }

  const staff = openClient();
  await staff.signIn(signIns.waiter);
  const tables = await staff.calls.listTables();
  const manager = openClient(() => Promise.resolve({ transaction_password: signIns.managerPin }));
  await manager.signIn(signIns.manager);
  await attempt('the service charge is set', () => setUp(manager));
  const regulars: Regular[] = [];
  await attempt('guests with accounts register', async () => {
    for (const name of regularNames) regulars.push(await registerRegular(openClient, name));
  });

  async function party(table: Table): Promise<void> {
    const guest = openClient();
    const name = chance.pick(names);
    const bills = new Set<number>();
    const isSeated = await attempt(`${name} scans table ${table.table}`, () =>
      guest.signInAsGuest({ table_token: table.table_token, name }),
    );
    for (let round = 0; isSeated && round < chance.whole(1, 3) && !signal.aborted; round++) {
      await pass(seconds.choosing);
      await attempt(`${name} orders`, async () => {
        const { bill_id: billId } = await order(guest);
        if (typeof billId === 'number') bills.add(billId);
      });
      await pass(seconds.eating);
      if (chance.happens(0.3))
        await attempt(`${name} calls a waiter`, () => callWaiter({ guest, ...answering }, { kind: 'waiter' }));
    }
    if (bills.size > 0) {
      const method = chance.pick(['cash', 'card'] as const);
      await attempt(`${name} asks for the bill`, () => callWaiter({ guest, ...answering }, { kind: 'bill', method }));
    }
    for (const id of bills) {
      if (chance.happens(0.15))
        await attempt(`${name} declines the service charge`, () =>
          guest.calls.setServiceCharge({ id, included: false }),
        );
      const regular = regulars.length > 0 && chance.happens(0.4) ? chance.pick(regulars) : null;
      await attempt(`table ${table.table} pays`, async () => {
        if (regular) await regular.client.takeSeat({ table_token: table.table_token });
        await settleBill({ ...settling, regular }, id);
      });
    }
    await attempt(`table ${table.table} is closed`, () => staff.calls.closeTable({ table: table.table }));
    guest.close();
    clients.delete(guest);
    taken.delete(table.table);
  }
  const answering = { staff, untilNextStep: () => pass(seconds.untilAnswered) };
  const settling = { staff, manager, chance, untilNextGuest: () => pass(seconds.untilNextPays), signal };
  async function order(guest: Client): Promise<LiveOrder> {
    const menu = await guest.calls.listMenu();
    const offered = menu.filter(({ available, portions_left: left }) => available && (left === null || left > 4));
    const items = Array.from({ length: chance.whole(1, 4) }, () => {
      const { id, name } = chance.pick(offered);
      const remarks = remarksOf(name);
      return {
        item_id: id,
        quantity: chance.whole(1, 3),
        ...(remarks.length > 0 && chance.happens(0.3) && { remarks: chance.pick(remarks) }),
      };
    });
    return guest.calls.placeOrder({ items, ...(chance.happens(0.1) && { allergies: chance.pick(allergies) }) });
  }
  async function seatGuests(): Promise<void> {
    while (!signal.aborted) {
      const free = tables.filter(({ table }) => !taken.has(table));
      const table = taken.size < maxParties && free.length > 0 ? chance.pick(free) : undefined;
      if (table) {
        taken.add(table.table);
        void party(table);
      }
      await pass(seconds.untilNextParty);
    }
  }

  /** Items that somebody is working on; the feed brings each order many times. */
  const inWork = new Set<number>();
  function work(orders: readonly LiveOrder[]): void {
    for (const each of orders)
      for (const item of each.items)
        if (
          (item.status === 'received' || item.status === 'preparing' || item.status === 'ready') &&
          !inWork.has(item.id)
        ) {
          inWork.add(item.id);
          void cookAndServe(each.id, item);
        }
  }
  async function cookAndServe(orderId: number, item: LiveOrder['items'][number]): Promise<void> {
    const move = (status: 'preparing' | 'ready' | 'delivered'): Promise<boolean> =>
      attempt(`${item.name} of order ${orderId} is ${status}`, () =>
        staff.calls.updateOrderItem({ id: orderId, item_id: item.id, status }),
      );
    if (item.status === 'received') {
      await pass(seconds.untilStarted);
      await move('preparing');
    }
    if (item.status !== 'ready') {
      await pass(item.station === 'bar' ? seconds.cooking.bar : seconds.cooking.kitchen);
      await move('ready');
    }
    await pass(seconds.untilServed);
    await move('delivered');
    inWork.delete(item.id);
  }

  const live = staff.liveOrders({ statuses: ['received', 'preparing', 'ready'], onChange: work });
  log(
    `dinner: guests come to ${tables.length} tables, ${pace} times faster than at a real one; cooks and waiters work on every order, and bills are split and paid`,
  );
  log('dinner: watch it on the kitchen\'s board, after "Start shift"');
  signal.addEventListener(
    'abort',
    () => {
      live.close();
      for (const client of clients) client.close();
    },
    { once: true },
  );
  void seatGuests();
}

/** Sessions of simulated people are kept by nobody. */
function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
