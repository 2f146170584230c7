import type { Db } from 'mongodb';
import type { Stores } from './stores.ts';
import type { BillDocument, JournalDocument, OrderDocument, PaymentDocument } from './documents.ts';
import { at, between, describeOutbox, type Part } from './page.ts';
import type { People } from './people.ts';

/** All that the databases of the services know of an order; null if there is none. */
export async function explainOrder({ orders, transfers, people }: Stores, id: number): Promise<Part[] | null> {
  const found = await findOrder(orders, id);
  if (!found) return null;
  const { order, collection } = found;
  const bill = await orders.collection<BillDocument>('bills').findOne({ _id: order.bill_id ?? 0 });
  return [
    { title: `Order ${id}`, lines: await describeOrder(order, people) },
    { title: 'Items', lines: order.itens.map((item) => describeItem(item, order, people)) },
    { title: 'History', lines: describeHistory(order, people) },
    { title: 'Events of the order', lines: describeOutbox(order.outbox) },
    ...(bill ? await describeBill(bill, { transfers, people }) : []),
    { title: 'Where it is', lines: [`${orders.databaseName}.${collection}, version ${order.version}`] },
  ];
}

async function findOrder(db: Db, id: number): Promise<{ order: OrderDocument; collection: string } | null> {
  const listed = await db.listCollections({ name: /^pedidos(_\d{4}_\d{2})?$/ }, { nameOnly: true }).toArray();
  for (const { name: collection } of listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const order = await db.collection<OrderDocument>(collection).findOne({ _id: id });
    if (order) return { order, collection };
  }
  return null;
}

const isClosed = ({ status }: OrderDocument): boolean => status === 'delivered' || status === 'cancelled';

async function describeOrder(order: OrderDocument, people: People): Promise<string[]> {
  const { table, original_table: original, seating, allergies, dataHora: placedAt } = order;
  const place = table === null ? 'no table' : `table ${table}`;
  const moved = original !== table ? `, placed at ${original === null ? 'no table' : `table ${original}`}` : '';
  return [
    `${order.status}, ticket ${order.ticket}, ${place}${seating === null ? '' : `, seating ${seating}`}${moved}`,
    `placed ${at(placedAt)} ${order.placed_by_staff ? 'by staff for' : 'by'} ${await people.describe(order.usuarioID)}${order.idempotency_key === undefined ? '' : ', with an idempotency key'}`,
    order.seen_at
      ? `shown at all its stations ${at(order.seen_at)}, ${between(placedAt, order.seen_at)} after it was placed`
      : `${isClosed(order) ? 'NEVER' : 'NOT YET'} shown at all its stations`,
    ...(allergies === null
      ? []
      : [
          `allergies: ${people.quote(allergies)}, ${order.allergies_read_at ? `read at all its stations ${at(order.allergies_read_at)}` : 'NOT YET read at all its stations'}`,
        ]),
  ];
}

function describeItem(item: OrderDocument['itens'][number], order: OrderDocument, people: People): string {
  const {
    itemPedidoID: id,
    quantidade: quantity,
    name,
    unit_price: price,
    station,
    status,
    observacoes: remarks,
  } = item;
  return [
    `${id}: ${quantity} x ${name} at ${price.toString()} ${order.currency}`,
    `station ${station} ${describeStation(item, order)}`,
    item.delivered_at ? `delivered ${at(item.delivered_at)}` : status,
    ...(remarks === '' ? [] : [`remark: ${people.quote(remarks)}`]),
  ].join(', ');
}

/** What the station of an item has shown, and read of the allergies. */
function describeStation(item: OrderDocument['itens'][number], order: OrderDocument): string {
  const { seen_at: seenAt, seen_on: screen } = item.seen_at ? item : order;
  const readAt = item.allergies_read_at ?? order.allergies_read_at;
  const shown = seenAt ? `showed it ${at(seenAt)}${screen === undefined ? '' : ` on ${screen}`}` : 'has NOT shown it';
  if (order.allergies === null) return shown;
  return `${shown} and ${readAt ? `read the allergies ${at(readAt)}` : 'has NOT read the allergies'}`;
}

const describeHistory = ({ history }: OrderDocument, people: People): string[] =>
  history.map(({ at: when, version, what, from, to, item_id: item, reason, actor }) =>
    [
      `${at(when)} v${version}`,
      item === undefined ? what : `${what} of item ${item}`,
      from === null ? to : `${from} -> ${to}`,
      `by ${people.describeActor(actor)}${reason === undefined ? '' : `, because: ${people.quote(reason)}`}`,
    ].join('  '),
  );

async function describeBill(bill: BillDocument, { transfers, people }: Pick<Stores, 'transfers' | 'people'>) {
  const { _id: id, status, number, payments, merged_into: mergedInto, closed_at: closedAt } = bill;
  const lines = [
    `${status}${number === null ? '' : `, number ${number}`}${closedAt ? `, closed ${at(closedAt)}` : ''}${mergedInto === null ? '' : `, merged into bill ${mergedInto}`}`,
    ...payments.map((payment) => describePayment(payment, bill, people)),
  ];
  const ids = payments.map((payment) => payment.id);
  const rows = await transfers
    .collection<JournalDocument>('transfers')
    .find({ kind: { $in: ['bill_payment', 'bill_refund'] }, payment_id: { $in: ids } }, { useBigInt64: true })
    .sort({ created_at: 1 })
    .toArray();
  const unfinished = await transfers
    .collection('bill_payment_attempts')
    .find({ payment_id: { $in: ids } })
    .toArray();
  return [
    { title: `Bill ${id}`, lines },
    { title: 'Events of the bill', lines: describeOutbox(bill.outbox) },
    {
      title: 'Transfers of its payments (npm run explain -- transfer ID)',
      lines: [
        ...rows.map(
          ({ _id: transferId, kind, payment_id: paymentId, created_at: postedAt }) =>
            `${kind} of payment ${paymentId}: transfer ${transferId}, posted ${at(postedAt)}`,
        ),
        ...unfinished.map(
          (attempt) => `payment ${String(attempt['payment_id'])} is UNFINISHED: orders does not know its end yet`,
        ),
      ],
    },
  ] satisfies Part[];
}

function describePayment(payment: PaymentDocument, { currency }: BillDocument, people: People): string {
  const { id, method, status, amount, tip, recorded_by: by, settled_at: settledAt, refunded_at: refundedAt } = payment;
  return [
    `payment ${id}: ${status}, ${method}, ${amount.toString()} ${currency} and a tip of ${tip.toString()}`,
    `recorded ${at(payment.created_at)} by ${people.describeActor(by)}`,
    ...(settledAt ? [`ended ${at(settledAt)}`] : []),
    ...(payment.transfer_id === undefined ? [] : [`transfer ${payment.transfer_id}`]),
    ...(refundedAt ? [`given back ${at(refundedAt)} by transfer ${payment.refund_transfer_id ?? 'unknown'}`] : []),
  ].join(', ');
}
