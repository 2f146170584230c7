// npm run bench -- transfers [http | instances]: measures transfers by 64 clients over HTTP with step-up tokens. Without an
// argument, it runs both parts.
// - http: transfers between 10,000 accounts, and to a single account. The baselines are hand-written services (bench/peers) on
//   the same mongod: one with mongoose's `withTransaction`, and one with medici.
// - instances: two instances of transfers, compared with one: first right after the second one has started, then after each
//   instance has verified every account and access token.
import { startOwnServer } from '@comanda/testing/own-server';
import { perSecond } from './orders/order-writer.ts';
import { compare, cpuSeconds, limit, percentile } from './support.ts';
import { accountCount, addsUp, allPairs, inPortions, randomPairs, type Load } from './transfers/accounts.ts';
import { startTransferStack, type Target } from './transfers/stack.ts';

const clients = 64;
const seconds = 2.5;
/** More calls than a round and its warm-up need. */
const maxCalls = 12_000;
const peerWarmUpRounds = 4;
/** How many tokens are prepared at a time. A larger number might not be used up before the tokens expire, after two minutes. */
const warmUpPortion = 2000;
const part = process.argv[3];
const isSelected = (name: string): boolean => part === undefined || part === name;

const [mongod, redis, rabbitmq] = await Promise.all([
  startOwnServer('mongodb'),
  startOwnServer('redis'),
  startOwnServer('rabbitmq'),
]);
const stack = await startTransferStack({ mongodbUri: mongod.url, redisUrl: redis.url, rabbitmqUrl: rabbitmq.url });
const took: number[] = [];
/**
 * Returns a function that measures transfers per second. It issues step-up tokens before the measurement, and waits afterwards
 * until all events are published.
 */
const run = (target: Target, load: Load) => async (): Promise<number> => {
  const calls = await stack.prepareCalls(target, randomPairs(load, maxCalls));
  const client = stack.connectTo(target);
  took.length = 0;
  const send = async (): Promise<void> => {
    const call = calls.pop();
    if (!call) throw new Error(`more than ${maxCalls} calls in a round`);
    const started = performance.now();
    await client.send(call);
    took.push(performance.now() - started);
  };
  const figure = await perSecond(send, { clients, seconds });
  await client.close();
  await stack.untilPublished();
  await addsUp(stack.connection);
  return figure;
};
/**
 * Sends one transfer from each account through an instance. An instance verifies each access token and each account's statement
 * the first time, which adds about 170 µs to a transfer. V8 also needs about as many transfers to optimize the code.
 */
async function warmUp(instance: Target): Promise<void> {
  const client = stack.connectTo(instance);
  const pairs = allPairs();
  for (let first = 0; first < pairs.length; first += warmUpPortion) {
    const calls = await stack.prepareCalls(instance, pairs.slice(first, first + warmUpPortion));
    await inPortions(calls, clients, client.send);
  }
  await client.close();
  await stack.untilPublished();
}
const single = stack.ours(1);
await warmUp(single);
if (isSelected('http')) {
  const [handWritten, medici] = [await stack.startPeer('mongoose'), await stack.startPeer('medici')];
  for (const peer of [handWritten, medici])
    for (let round = 0; round < peerWarmUpRounds; round++) await run(peer, 'uniform')();
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
    name: 'transfers-two-instances-cold',
    what: `transfers by ${clients} callers between ${accountCount} accounts, two instances, the second just started`,
    unit: 'transfers/s',
    ours: async () => {
      await stack.restartLast();
      return run(two, 'uniform')();
    },
    peers: { 'one instance': { run: run(single, 'uniform'), atLeast: 0.5 } },
    rounds: 3,
  });
  await warmUp(stack.last());
  await compare({
    name: 'transfers-two-instances',
    what: `transfers by ${clients} callers between ${accountCount} accounts, two instances`,
    unit: 'transfers/s',
    ours: run(two, 'uniform'),
    peers: { 'one instance': { run: run(single, 'uniform'), atLeast: 0.9 } },
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
await Promise.all([mongod, redis, rabbitmq].map((server) => server.discard()));
