// Transfers by 64 callers: the write path alone and the whole way through HTTP with consent, between 10,000 accounts and
// all to one, against mongoose's `withTransaction` and medici on the same mongod; then two instances against one.
// npm run bench -- transfers [write-path | http | instances]: one part alone.
import { randomBytes } from 'node:crypto';
import { startOwnServer } from '@comanda/testing/own-server';
import { newCommand } from '../services/transfers/test/support/books.ts';
import { perSecond } from './orders/order-writer.ts';
import { compare, limit, percentile } from './support.ts';
import { accountCount, addsUp, openAccounts, randomPair } from './transfers/accounts.ts';
import type { Load } from './transfers/accounts.ts';
import { openDesk } from './transfers/write-path.ts';
import { startMoneyHouse } from './transfers/stack.ts';
import { openMedici, openNaive } from './transfers/peers.ts';
import type { Peer } from './transfers/peers.ts';

const hands = 64;
const seconds = 2.5;
/** More than any machine sends in one round, its warm-up included. */
const mostCalls = 12_000;
const warmUpRounds = 4;
const part = process.argv[3];
const isAsked = (name: string): boolean => part === undefined || part === name;

const mongod = await startOwnServer('mongodb');
const naive = await openNaive(mongod.url);
const medici = await openMedici(mongod.url);
const peer =
  ({ transfer }: { transfer: Peer }, load: Load) =>
  (): Promise<number> =>
    perSecond(() => transfer(randomPair(load)), { hands, seconds });

if (isAsked('write-path')) await measureWritePath();
if (isAsked('http') || isAsked('instances')) await measureHouse();
await naive.close();
await medici.close();
await mongod.discard();

async function measureWritePath(): Promise<void> {
  const secret = randomBytes(32).toString('base64');
  const desk = await openDesk({ uri: mongod.url, database: 'bench_desk', secret });
  const post = (wishes: readonly ReturnType<typeof newCommand>[]) => Promise.all(wishes.map((each) => desk.post(each)));
  const ids = await openAccounts({ accounts: desk.accounts, post });
  const ours = (load: Load) => async (): Promise<number> => {
    await desk.forget();
    const call = () => {
      const { from, to } = randomPair(load);
      const [fromId = 0, toId = 0] = [ids[from], ids[to]];
      return desk.post(newCommand({ fromId, toId, amountMinor: 1n, userId: from + 1 }));
    };
    const figure = await perSecond(call, { hands, seconds });
    await addsUp(desk.connection);
    return figure;
  };
  await compare({
    name: 'ledger-write-path',
    what: `transfers posted by ${hands} callers between ${accountCount} accounts, write path alone`,
    unit: 'transfers/s',
    ours: ours('uniform'),
    peers: {
      'naive withTransaction': { run: peer(naive, 'uniform'), atLeast: 6 },
      medici: { run: peer(medici, 'uniform'), atLeast: 7 },
    },
  });
  await compare({
    name: 'ledger-write-path-hot',
    what: `transfers posted by ${hands} callers to one account, write path alone`,
    unit: 'transfers/s',
    ours: ours('hot'),
    peers: {
      'naive withTransaction': { run: peer(naive, 'hot'), atLeast: 40 },
      medici: { run: peer(medici, 'hot'), atLeast: 8 },
    },
  });
  await desk.close();
}

async function measureHouse(): Promise<void> {
  const [redis, rabbitmq] = await Promise.all([startOwnServer('redis'), startOwnServer('rabbitmq')]);
  const house = await startMoneyHouse({ mongodbUri: mongod.url, redisUrl: redis.url, rabbitmqUrl: rabbitmq.url });
  const took: number[] = [];
  /** Every call has its consent before the clock runs, as its user would have; every event is out before the next side. */
  const ours = (load: Load, instances: number) => async (): Promise<number> => {
    const calls = await house.prepare(load, mostCalls);
    const door = house.door(instances);
    took.length = 0;
    const send = async (): Promise<void> => {
      const call = calls.pop();
      if (!call) throw new Error(`more than ${mostCalls} calls in a round`);
      const begun = performance.now();
      await door.send(call);
      took.push(performance.now() - begun);
    };
    const figure = await perSecond(send, { hands, seconds });
    await door.close();
    await house.allTold();
    await addsUp(house.connection);
    return figure;
  };
  // Code is slow until it has been optimised, and in three processes that takes its time.
  for (let round = 0; round < warmUpRounds; round++) await ours('uniform', 1)();
  if (isAsked('http')) {
    await compare({
      name: 'transfers-http',
      what: `transfers by ${hands} callers between ${accountCount} accounts, through HTTP with consent`,
      unit: 'transfers/s',
      ours: ours('uniform', 1),
      peers: {
        'naive withTransaction': { run: peer(naive, 'uniform'), atLeast: 4 },
        medici: { run: peer(medici, 'uniform'), atLeast: 4 },
      },
    });
    await compare({
      name: 'transfers-http-hot',
      what: `transfers by ${hands} callers to one account, through HTTP with consent`,
      unit: 'transfers/s',
      ours: ours('hot', 1),
      peers: {
        'naive withTransaction': { run: peer(naive, 'hot'), atLeast: 40 },
        medici: { run: peer(medici, 'hot'), atLeast: 6 },
        [`the same between ${accountCount} accounts`]: { run: ours('uniform', 1), atLeast: 0.8 },
      },
    });
  }
  if (isAsked('instances')) {
    await house.addInstance();
    await compare({
      name: 'transfers-two-instances',
      what: `transfers by ${hands} callers between ${accountCount} accounts, two instances`,
      unit: 'transfers/s',
      ours: ours('uniform', 2),
      peers: { 'one instance': { run: ours('uniform', 1), atLeast: 0.5 } },
    });
    await limit({
      name: 'transfers-two-instances-p99',
      what: 'p99 of a transfer at two instances, all that they can carry',
      unit: 'ms',
      ours: async () => {
        await ours('uniform', 2)();
        return percentile(took, 0.99);
      },
      atMost: 250,
    });
  }
  await house.stop();
  await Promise.all([redis.discard(), rabbitmq.discard()]);
}
