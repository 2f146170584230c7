// Measures the processor time of an order with four options a line, from the gateway to the kitchen's feed: all services, MongoDB,
// Redis and RabbitMQ together. The baseline is the same order for dishes without options.
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { caller, created } from '@comanda/testing/call';
import { startOwnServer } from '@comanda/testing/own-server';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { startProductionStack } from '@comanda/testing/stack';
import { Pool } from 'undici';
import { buildServices, unlimited } from './stack.ts';
import { compare, cpuSeconds } from './support.ts';

const clients = 16;
const seconds = 4;
const dishCount = 80;
const groupCount = 40;
const optionsPerGroup = 6;

buildServices();
const [mongodb, redis, rabbitmq] = await Promise.all([
  startOwnServer('mongodb'),
  startOwnServer('redis'),
  startOwnServer('rabbitmq'),
]);
const stack = await startProductionStack(
  {
    mongodbUri: mongodb.url,
    database: 'options',
    redisUrl: redis.url,
    redisPrefix: 'options:',
    rabbitmqUrl: rabbitmq.url,
  },
  { ...unlimited, LOG_LEVEL: 'warn' },
);
const pids = [
  ...serviceNames.map((name) => (stack.services[name] as ServiceProcess).pid()),
  mongodb.pid,
  redis.pid,
  rabbitmq.pid,
];
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });

type Dish = { item_id: number; options?: { id: number }[] };
const addDish = async (name: string, fields: object = {}): Promise<Dish> => ({
  item_id: created(await manager('POST', '/menu', { body: { name, price: '32.50', ...fields } })).id,
});
const plain: Dish[] = [];
for (let at = 0; at < dishCount; at++) plain.push(await addDish(`Dish ${at}`));

type Group = { id: number; options: { id: number }[] };
const groups: Group[] = [];
for (let at = 0; at < groupCount; at++) {
  const options = Array.from({ length: optionsPerGroup }, (_each, index) => ({
    name: `Option ${index}`,
    name_translations: { en: `Choice ${index}` },
    price: '4.00',
  }));
  const body = { name: `Group ${at}`, name_translations: { en: `Question ${at}` }, min: 1, max: 4, options };
  groups.push(created(await manager('POST', '/option-groups', { body })));
}
const withOptions: Dish[] = [];
for (let at = 0; at < dishCount; at++) {
  const own = [0, 7].flatMap((shift) => groups[(at + shift) % groupCount] ?? []);
  const dish = await addDish(`Dish ${at} with options`, { option_group_ids: own.map(({ id }) => id) });
  withOptions.push({ ...dish, options: own.flatMap(({ options }) => options.slice(0, 2).map(({ id }) => ({ id }))) });
}

const pool = new Pool(stack.gatewayUrl, { connections: clients });
async function placeOrder(dishes: readonly Dish[]): Promise<void> {
  const first = Math.floor(Math.random() * dishCount);
  const lines = [0, 1, 2].map((at) => ({
    ...dishes[(first + 11 * at) % dishCount],
    quantity: 2,
    remarks: 'sem pimenta',
  }));
  const { statusCode, body } = await pool.request({
    path: '/orders',
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.managerToken}` },
    body: JSON.stringify({ items: lines, table: '12' }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`rejected: ${statusCode} ${text}`);
}

/** Returns the processor time per order, in microseconds. */
const side = (dishes: readonly Dish[]) => async (): Promise<number> => {
  const run = async (forSeconds: number): Promise<number> => {
    const end = performance.now() + forSeconds * 1000;
    const before = cpuSeconds(pids);
    let done = 0;
    const client = async (): Promise<void> => {
      for (; performance.now() < end; done++) await placeOrder(dishes);
    };
    await Promise.all(Array.from({ length: clients }, client));
    return (1e6 * (cpuSeconds(pids) - before)) / done;
  };
  await run(1);
  return run(seconds);
};

try {
  await side(withOptions)(); // a warm-up
  await compare({
    name: 'order-options',
    what: 'processor time of an order with three lines of four options each, all processes',
    unit: 'µs',
    ours: side(withOptions),
    peers: { 'without options': { run: side(plain), atMost: 1.2 } },
    rounds: 7,
  });
} finally {
  await pool.close();
  await stack.close();
  for (const server of [mongodb, redis, rabbitmq]) await server.discard();
}
