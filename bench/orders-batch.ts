// Measures how many orders per second the order writer stores for 16 clients. The baselines store the same documents on the same
// server: mongoose's `Model.create` for dishes without a limit, and one transaction per order for dishes with limited portions.
import { perSecond, placementOf, randomLines, startOrderWriter } from './orders/order-writer.ts';
import { createByModel, createByTransaction } from './orders/peers.ts';
import { compare } from './support.ts';

const clients = 16;
const bench = await startOrderWriter();
const byModel = createByModel(bench);
const byTransaction = createByTransaction(bench);
const side = (portions: number | null, call: () => Promise<unknown>) => async (): Promise<number> => {
  await bench.deleteOrders();
  await bench.setPortions(portions);
  return perSecond(call, { clients });
};
const byWriter = () => bench.writer.write(placementOf(randomLines()));

await compare({
  name: 'orders-batch-without-portions',
  what: 'orders stored by 16 callers, dishes without a limit',
  unit: 'orders/s',
  ours: side(null, byWriter),
  peers: { 'Model.create': { run: side(null, () => byModel(randomLines())), atLeast: 2 } },
});
await compare({
  name: 'orders-batch-with-portions',
  what: 'orders stored by 16 callers, dishes with portions',
  unit: 'orders/s',
  ours: side(1_000_000_000, byWriter),
  peers: { 'one transaction an order': { run: side(1_000_000_000, () => byTransaction(randomLines())), atLeast: 4 } },
});
await bench.stop();
