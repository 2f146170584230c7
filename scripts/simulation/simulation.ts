import { CallFailure, createClient, type Client } from '@comanda/client';
import type { DemoSignIns } from '@comanda/local-stack/demo-sign-ins';
import { closeEvening, keepCash, openTill } from './cashier.ts';
import { createChance } from './chance.ts';
import type { Evening } from './evening.ts';
import { openKitchen, setLimits } from './kitchen.ts';
import { seatParty } from './party.ts';
import { payWithoutBill, type SimulatedBank } from './pay-by-pix.ts';
import { registerRegular, type OpenClient, type Regular } from './regulars.ts';

export type SimulationOptions = {
  gatewayUrl: string;
  signIns: Pick<DemoSignIns, 'waiter' | 'manager' | 'managerPin'>;
  /** How many times faster the evening runs than at a real table. */
  pace: number;
  /** The demo's bank, or null if it has none. */
  bank: SimulatedBank | null;
  log: (line: string) => void;
  /** Aborts when the evening ends. */
  signal: AbortSignal;
  /** The seed for the evening's random choices. The same seed gives the same choices. */
  seed?: number;
  /** How many guests come in the first evening, until its day is closed. */
  guests?: number;
};

/** The time until the next party arrives, in seconds at a real table. */
const untilNextParty = [5, 40] as const;
/** How many people come together. */
const peopleInParty = [2, 4] as const;
const guestsOfFirstEvening = 200;
/** The number of tables that stay free for the person watching. */
const freeTables = 1;
/** The names of customers who pay from an account. */
const regularNames = ['Clara', 'Diego'];

/** Adds an optional 10% service charge and tip suggestions, unless the restaurant has its own. */
async function setUp({ calls }: Client): Promise<void> {
  const { service_charge: service, tip_suggestions: tips } = await calls.getRestaurant();
  if (service.rate !== '0.00' || tips.length > 0) return;
  await calls.putRestaurant({ service_charge: { rate: '10.00', optional: true }, tip_suggestions: ['5.00', '10.00'] });
}

/**
 * Runs simulated guests, cooks and waiters in the demo restaurant until `signal` aborts. They use the API like an app. Guests
 * order with options, change their mind, move a dish to friends' bill, call a waiter, split their bill, pay it in cash, by card, by
 * Pix and from accounts, and leave. A manager closes the first evening, so that there is a day to look back at. The second evening
 * has no end: the person watching can close it. Expected failures (sold out, paused) are logged, and the evening continues.
 */
export async function startSimulation(options: SimulationOptions): Promise<void> {
  const { signIns, pace, bank, log, signal, seed = Date.now(), guests = guestsOfFirstEvening } = options;
  const { openClient, closeClient } = openClients(options);
  const staff = openClient();
  await staff.signIn(signIns.waiter);
  const manager = openClient(() => Promise.resolve({ transaction_password: signIns.managerPin }));
  await manager.signIn(signIns.manager);
  const evening: Evening = { staff, manager, chance: createChance(seed), ...createRoutine(options), signal };
  const { chance, pass, attempt } = evening;

  const tables = await staff.calls.listTables();
  await attempt('the service charge is set', () => setUp(manager));
  await attempt('it is set when tickets are late', () => setLimits(manager, pace));
  const regulars: Regular[] = [];
  await attempt('guests with accounts register', async () => {
    for (const name of regularNames) regulars.push(await registerRegular(openClient, name));
  });

  const kitchen = openKitchen(evening);
  const live = staff.liveOrders({ statuses: ['received', 'preparing', 'ready'], onChange: kitchen.work });
  signal.addEventListener('abort', live.close, { once: true });
  log(
    `simulation: guests come to ${tables.length} tables, ${pace} times faster than at a real one; cooks and waiters work on every order, and bills are split and paid`,
  );
  log('simulation: watch it on the kitchen\'s board, after "Start shift"');

  /** The tables where simulated parties sit. */
  const taken = new Set<string>();
  /** Seats parties until so many guests have come, and waits until they have left. */
  async function seatGuests(many: number): Promise<void> {
    const parties: Promise<void>[] = [];
    for (let come = 0; come < many && !signal.aborted; await pass(untilNextParty)) {
      const free = tables.filter(({ table }) => !taken.has(table));
      const table = free.length > freeTables ? chance.pick(free) : undefined;
      if (!table) continue;
      const people = chance.whole(...peopleInParty);
      come += people;
      taken.add(table.table);
      const party = seatParty({ ...evening, kitchen, openClient, closeClient, regulars, bank }, { table, people });
      const left = party.finally(() => taken.delete(table.table));
      if (many < Infinity) parties.push(left);
      else void left;
    }
    await Promise.all(parties);
  }
  async function runFirstEvening(): Promise<void> {
    await attempt('the till is opened', () => openTill(evening));
    const end = new AbortController();
    const cashKept = keepCash(evening, end.signal);
    await seatGuests(guests);
    end.abort();
    await cashKept;
    await attempt('the day is closed', async () => {
      const { number, bills, sales } = await closeEvening(evening);
      log(
        `simulation: day ${number} is closed after ${bills.count} bills, ${sales.total} in all; the next one is yours to close`,
      );
    });
  }
  async function run(): Promise<void> {
    await runFirstEvening();
    void keepCash(evening, signal);
    await seatGuests(Infinity);
  }
  void run();
  if (bank) void attempt('two Pix without a bill are paid', () => payWithoutBill(evening, bank));
}

function openClients({ gatewayUrl, signal }: Pick<SimulationOptions, 'gatewayUrl' | 'signal'>) {
  const clients = new Set<Client>();
  const openClient: OpenClient = (onConsent) => {
    const client = createClient({ url: gatewayUrl, ...(onConsent && { onConsent }) });
    clients.add(client);
    return client;
  };
  const closeClient = (client: Client): void => {
    clients.delete(client);
    client.close();
  };
  signal.addEventListener('abort', () => [...clients].forEach(closeClient), { once: true });
  return { openClient, closeClient };
}

function createRoutine({ pace, log, signal, seed = 0 }: SimulationOptions): Pick<Evening, 'pass' | 'attempt'> {
  const chance = createChance(seed);
  return {
    pass: ([from, to]) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, (chance.between(from, to) * 1_000) / pace);
        signal.addEventListener('abort', done);
      }),
    attempt: async (what, call) => {
      if (signal.aborted) return false;
      try {
        await call();
        return true;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (!signal.aborted && error.code !== 'illegal_transition') log(`simulation: ${what}: ${error.code}`);
        return false;
      }
    },
  };
}
