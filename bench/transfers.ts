// npm run bench -- transfers [write-path | http | instances]: transfers by 64 clients, all parts or one of them.
// - write-path: without HTTP, between 10,000 accounts and to one account
// - http: through HTTP with step-up tokens
// - instances: two instances against one
// The peers of `write-path` are mongoose's `withTransaction` and medici on the same mongod, without HTTP, consent or
// idempotency; those of `http` are hand-written services around them (bench/peers).
import { randomBytes } from 'node:crypto';
import { startOwnServer } from '@comanda/testing/own-server';
import { newCommand } from '../services/transfers/test/support/books.ts';
import { perSecond } from './orders/order-writer.ts';
import { compare, cpuSeconds, limit, percentile } from './support.ts';
import { accountCount, addsUp, openAccounts, randomPair, type Load } from './transfers/accounts.ts';
import { openWritePath } from './transfers/write-path.ts';
import { startTransferStack, type Target } from './transfers/stack.ts';
import { openMedici, openNaive, type Peer } from './transfers/peers.ts';

const clients = 64;
const seconds = 2.5;
/** More calls than one round and its warm-up send. */
const maxCalls = 12_000;
const warmUpRounds = 4;
const part = process.argv[3];
const isSelected = (name: string): boolean => part === undefined || part === name;

const mongod = await startOwnServer('mongodb');
if (isSelected('write-path')) await measureWritePath();
if (isSelected('http') || isSelected('instances')) await measureStack();
await mongod.discard();

async function measureWritePath(): Promise<void> {
  const [naive, medici] = [await openNaive(mongod.url), await openMedici(mongod.url)];
  const peer =
    ({ transfer }: { transfer: Peer }, load: Load) =>
    (): Promise<number> =>
      perSecond(() => transfer(randomPair(load)), { clients, seconds });
  const secret = `test:${randomBytes(32).toString('base64')}`;
  const writePath = await openWritePath({ uri: mongod.url, database: 'bench_write_path', secret });
  const post = (commands: readonly ReturnType<typeof newCommand>[]) =>
    Promise.all(commands.map((command) => writePath.post(command)));
  const ids = await openAccounts({ accounts: writePath.accounts, post });
  const ours = (load: Load) => async (): Promise<number> => {
    await writePath.deleteJournal();
    const call = () => {
      const { from, to } = randomPair(load);
      const [fromId = 0, toId = 0] = [ids[from], ids[to]];
      const payer = { id: fromId, ownerId: from + 1 };
      return writePath.post(newCommand({ from: payer, to: { id: toId }, amountMinor: 1n }));
    };
    const figure = await perSecond(call, { clients, seconds });
    await addsUp(writePath.connection);
    return figure;
  };
  await compare({
    name: 'ledger-write-path',
    what: `transfers posted by ${clients} callers between ${accountCount} accounts, write path alone`,
    unit: 'transfers/s',
    ours: ours('uniform'),
    peers: {
      'naive withTransaction': { run: peer(naive, 'uniform'), atLeast: 6 },
      medici: { run: peer(medici, 'uniform'), atLeast: 10 },
    },
  });
  await compare({
    name: 'ledger-write-path-hot',
    what: `transfers posted by ${clients} callers to one account, write path alone`,
    unit: 'transfers/s',
    ours: ours('hot'),
    peers: {
      'naive withTransaction': { run: peer(naive, 'hot'), atLeast: 45 },
      medici: { run: peer(medici, 'hot'), atLeast: 20 },
    },
  });
  await Promise.all([writePath.close(), naive.close(), medici.close()]);
}

async function measureStack(): Promise<void> {
  const [redis, rabbitmq] = await Promise.all([startOwnServer('redis'), startOwnServer('rabbitmq')]);
  const stack = await startTransferStack({ mongodbUri: mongod.url, redisUrl: redis.url, rabbitmqUrl: rabbitmq.url });
  const took: number[] = [];
  /** Step-up tokens are issued before the time is taken. Every event is published before the next side runs. */
  const run = (target: Target, load: Load) => async (): Promise<number> => {
    const calls = await stack.prepareCalls(target, load, maxCalls);
    const client = stack.connectTo(target);
    took.length = 0;
    const send = async (): Promise<void> => {
      const call = calls.pop();
      if (!call) throw new Error(`more than ${maxCalls} calls in a round`);
      const begun = performance.now();
      await client.send(call);
      took.push(performance.now() - begun);
    };
    const figure = await perSecond(send, { clients, seconds });
    await client.close();
    await stack.untilPublished();
    await addsUp(stack.connection);
    return figure;
  };
  const single = stack.ours(1);
  // V8 needs several rounds to optimize the code of three processes.
  for (let round = 0; round < warmUpRounds; round++) await run(single, 'uniform')();
  if (isSelected('http')) {
    const [handWritten, medici] = [await stack.startPeer('mongoose'), await stack.startPeer('medici')];
    for (const peer of [handWritten, medici])
      for (let round = 0; round < warmUpRounds; round++) await run(peer, 'uniform')();
    await compare({
      name: 'transfers-http',
      what: `transfers by ${clients} callers between ${accountCount} accounts, through HTTP with consent`,
      unit: 'transfers/s',
      ours: run(single, 'uniform'),
      peers: {
        'hand-written': { run: run(handWritten, 'uniform'), atLeast: 4 },
        'medici behind the same HTTP': { run: run(medici, 'uniform'), atLeast: 5 },
      },
    });
    await compare({
      name: 'transfers-http-hot',
      what: `transfers by ${clients} callers to one account, through HTTP with consent`,
      unit: 'transfers/s',
      ours: run(single, 'hot'),
      peers: {
        'hand-written': { run: run(handWritten, 'hot'), atLeast: 40 },
        'medici behind the same HTTP': { run: run(medici, 'hot'), atLeast: 8 },
        [`the same between ${accountCount} accounts`]: { run: run(single, 'uniform'), atLeast: 0.9 },
      },
    });
    await limit({
      name: 'transfers-cpu',
      what: `processor time of a transfer between ${accountCount} accounts: transfers, auth-stepup and mongod`,
      unit: 'ms',
      ours: async () => {
        const before = cpuSeconds([...stack.pids(), mongod.pid]);
        await run(single, 'uniform')();
        return (1_000 * (cpuSeconds([...stack.pids(), mongod.pid]) - before)) / took.length;
      },
      atMost: 1,
    });
  }
  if (isSelected('instances')) {
    await stack.addInstance();
    const two = stack.ours(2);
    await compare({
      name: 'transfers-two-instances',
      what: `transfers by ${clients} callers between ${accountCount} accounts, two instances`,
      unit: 'transfers/s',
      ours: run(two, 'uniform'),
      peers: { 'one instance': { run: run(single, 'uniform'), atLeast: 0.8 } },
    });
    await limit({
      name: 'transfers-two-instances-p99',
      what: 'p99 of a transfer at two instances, all that they can carry',
      unit: 'ms',
      ours: async () => {
        await run(two, 'uniform')();
        return percentile(took, 0.99);
      },
      atMost: 250,
    });
  }
  await stack.close();
  await Promise.all([redis.discard(), rabbitmq.discard()]);
}
