// 64 clients order the same dish: the order writer against one transaction per order. Sold and remaining portions must add
// up afterwards.
import { perSecond, placementOf, randomLines, startOrderWriter } from './orders/order-writer.ts';
import { createByTransaction } from './orders/peers.ts';
import { compare } from './support.ts';

const clients = 64;
const stock = 1_000_000_000;
const bench = await startOrderWriter();
const byTransaction = createByTransaction(bench);

async function addsUp(): Promise<void> {
  const sold = await bench.orders.collection
    .aggregate([{ $unwind: '$itens' }, { $group: { _id: '$itens.itemID', sold: { $sum: '$itens.quantidade' } } }])
    .toArray();
  const left = new Map(
    (await bench.menu.collection.find().toArray()).map((dish) => [dish['itemID'], dish['portions_left']]),
  );
  const wrong = sold.filter(({ _id, sold: count }) => count + left.get(_id) !== stock);
  if (wrong.length > 0) throw new Error(`${wrong.length} dishes do not add up`);
}
const side = (call: () => Promise<unknown>) => async (): Promise<number> => {
  await bench.deleteOrders();
  await bench.setPortions(stock);
  const figure = await perSecond(call, { clients });
  await addsUp();
  return figure;
};

await compare({
  name: 'portions-one-dish',
  what: 'orders stored by 64 callers, the same dish in each',
  unit: 'orders/s',
  ours: side(() => bench.writer.place(placementOf(randomLines('hot')))),
  peers: { 'one transaction an order': { run: side(() => byTransaction(randomLines('hot'))), atLeast: 40 } },
});
await bench.stop();
