import type { Db, Document } from 'mongodb';

/** How many bills a closed day has, each with one order and one payment. */
const billsOfDay = 100;
/** How many days' orders are not in the archive yet. */
const recentDays = 60;
const dayMs = 86_400_000;
const insertAtOnce = 2000;

/** One paid and closed bill of a closed day, with everything that was stored for it. All others are copies. */
type Sample = { bill: Document; order: Document; movement: Document; day: Document; statistics: Document };
/** The last numbers that are taken: of days, of bills with their orders and payments, and of entries. */
type Last = { day: number; bill: number; entry: number };
export type StoredDays = Awaited<ReturnType<typeof copyDays>>;

/** Reads what a day with a single bill has stored, and copies it. */
export async function copyDays(db: Db) {
  const one = async (collection: string, filter: object): Promise<Document> => {
    const found = await db.collection(collection).findOne(filter as never);
    if (!found) throw new Error(`${collection} has nothing to copy`);
    return found;
  };
  const sample: Sample = {
    bill: await one('bills', { status: 'closed' }),
    order: await one('pedidos', {}),
    movement: await one('movements', { kind: 'payment' }),
    day: await one('days', { _id: 1 }),
    statistics: await one('day_statistics', { _id: 1, figures: { $exists: true } }),
  };
  const counters = db.collection<Document & { _id: string }>('restaurant');
  const last: Last = { day: 1, bill: 1000, entry: 1000 };

  async function insert(collection: string, documents: readonly Document[]): Promise<void> {
    for (let from = 0; from < documents.length; from += insertAtOnce)
      await db
        .collection(collection)
        .insertMany(documents.slice(from, from + insertAtOnce), { bypassDocumentValidation: true, ordered: false });
  }
  /** Adds paid and closed bills to a day, at times from `start` on. */
  async function addBills(
    count: number,
    { day, start, isArchived }: { day: number; start: number; isArchived: boolean },
  ) {
    const rows = Array.from({ length: count }, (_, index) => {
      const [id, entry] = [last.bill + 1 + index, last.entry + 1 + index];
      const at = new Date(start + index * 60_000);
      return copyOf(sample, { id, entry, day, at });
    });
    last.bill += count;
    last.entry += count;
    const month = new Date(start).toISOString().slice(0, 7).replace('-', '_');
    await insert(
      'bills',
      rows.map(({ bill }) => ({ ...bill, ...(isArchived && { orders_archived: true }) })),
    );
    await insert(
      isArchived ? `pedidos_${month}` : 'pedidos',
      rows.map(({ order }) => order),
    );
    await insert(
      'movements',
      rows.map(({ movement }) => movement),
    );
  }
  /** Makes the running day the one after the last stored day, and takes all numbers that were used. */
  const setCounters = (orderIdBefore: number) =>
    counters.updateOne(
      { _id: 'orders' },
      {
        $set: {
          day_number: last.day + 1,
          day_order_id: orderIdBefore,
          day_bill_number: orderIdBefore,
          last_order_id: last.bill,
          last_item_id: last.bill,
          last_bill_id: last.bill,
          last_bill_number: last.bill,
          last_payment_id: last.bill,
          last_movement_id: last.entry,
          'day_marks.payment_id': last.bill,
          'day_marks.bill_number': last.bill,
        },
      },
    );
  return {
    /** Stores closed days until yesterday, of which the older ones are archived. */
    addClosedDays: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        const [day, start] = [last.day + 1, Date.now() - (count - index) * dayMs];
        const orders = { after: last.bill, upTo: last.bill + billsOfDay };
        await addBills(billsOfDay, { day, start, isArchived: index < count - recentDays });
        const report = {
          ...sample.day['report'],
          number: day,
          business_date: new Date(start).toISOString().slice(0, 10),
        };
        const { request_key: _key, request_fingerprint: _print, ...document } = sample.day;
        await insert('days', [{ ...document, _id: day as never, report, outbox: [] }]);
        await insert('day_statistics', [{ ...sample.statistics, _id: day as never, orders }]);
        last.day = day;
      }
      await setCounters(last.bill);
    },
    /** Adds paid and closed bills to the running day. */
    addToRunningDay: async (count: number): Promise<void> => {
      const before = last.bill;
      const stored = await counters.findOne({ _id: 'orders' });
      last.day = Number(stored?.['day_number']) - 1;
      last.entry = Math.max(last.entry, Number(stored?.['last_movement_id']));
      last.bill = Math.max(before, Number(stored?.['last_order_id']), Number(stored?.['last_bill_id']));
      const orderIdBefore = Number(stored?.['day_order_id']);
      await addBills(count, { day: last.day + 1, start: Date.now() - count * 60_000, isArchived: false });
      await setCounters(orderIdBefore);
    },
  };
}

function copyOf({ bill, order, movement }: Sample, of: { id: number; entry: number; day: number; at: Date }) {
  const { id, entry, day, at } = of;
  const { request_key: _key, request_fingerprint: _print, ...payment } = bill['payments'][0];
  const { idempotency_key: _orderKey, request_fingerprint: _orderPrint, ...placed } = order;
  const later = new Date(at.getTime() + 600_000);
  const closing = { ...bill['closing'], closed_at: later };
  const payments = [{ ...payment, id, settled_at: later }];
  const times = { created_at: at, closed_at: later, updated_at: later };
  return {
    bill: { ...bill, _id: id as never, number: id, seating: null, day, payments, closing, ...times, outbox: [] },
    order: {
      ...placed,
      _id: id as never,
      pedidoID: id,
      bill_id: id,
      dataHora: at,
      updated_at: later,
      itens: placed['itens'].map((item: Document) => ({ ...item, itemPedidoID: id })),
      history: placed['history'].map((each: Document) => ({
        ...each,
        at: later,
        ...(each['item_id'] && { item_id: id }),
      })),
      outbox: [],
    },
    movement: { ...movement, _id: entry as never, day, at: later, bill_id: id, payment_id: id },
  };
}
