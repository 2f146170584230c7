import mongoose from 'mongoose';
import { statuses } from '@comanda/contracts/order';
import { isTransient } from '@comanda/shared/mongo/transactions';
import { newDish } from '../../services/orders/src/menu/menu-item.ts';
import { toPlacedDocument } from '../../services/orders/src/orders/order-document.ts';
import type { BatchState } from '../../services/orders/src/batch/batch-state.ts';
import { decidePlacement } from '../../services/orders/src/batch/decide-placement.ts';
import type { Line } from '../../services/orders/src/batch/write.ts';
import { placementOf, type Bench } from './order-writer.ts';
import { defaultSettings } from '../../services/orders/src/restaurant/restaurant-settings.ts';

const dishes = new Map(
  Array.from({ length: 200 }, (_, index) => [
    index + 1,
    { ...newDish(index + 1, 'BRL'), name: `Dish ${index + 1}`, priceMinor: 3250 },
  ]),
);
let last = 1_000_000_000;

/**
 * Creates the document that the order writer would store for these lines. The id is counted in memory, without a counter
 * document.
 */
function documentOf(lines: readonly Line[]) {
  const state: BatchState = {
    now: new Date(),
    currency: 'BRL',
    day: 1,
    cashDrawers: new Map(),
    pause: { until: null, reason: null, version: 1 },
    dishes: { byId: dishes, byName: new Map(), removed: new Map() },
    optionGroups: new Map(),
    counters: {
      orderId: last,
      itemId: 10 * last,
      day: '2026-11-20',
      ticket: last++,
      billId: last,
      paymentId: 0,
      billNumber: 0,
      movementId: 0,
    },
    portions: new Map(),
    openItems: new Map(),
    customerLimits: { openOrders: null, openItems: null, portionPercent: 100 },
    holdings: new Map(),
    endedSeatings: new Map(),
    requests: new Map(),
    bills: {
      byId: new Map(),
      appendOnly: new Map(),
      openBySeating: new Map(),
      newestBySeating: new Map(),
      settings: defaultSettings,
    },
    orders: new Map(),
    placed: [],
    divided: [],
    changed: [],
    exceptions: [],
    pix: { known: [], added: [] },
    movements: [],
  };
  const outcome = decidePlacement(state, placementOf(lines));
  const [placed] = state.placed;
  if (!placed) throw new Error('an order of the bench was refused', { cause: outcome });
  return { ...toPlacedDocument(placed.order), history: [...placed.history], outbox: [placed.message] };
}

const itemSchema = new mongoose.Schema(
  {
    itemPedidoID: { type: Number, required: true },
    itemID: { type: Number, required: true },
    quantidade: { type: Number, min: 1, max: 99, required: true },
    observacoes: { type: String, maxlength: 500 },
    name: { type: String, maxlength: 255 },
    unit_price: mongoose.Schema.Types.Decimal128,
    station: String,
    status: { type: String, enum: statuses },
    holds_portions: Boolean,
    delivered_at: Date,
  },
  { _id: false, strict: false },
);
const schema = new mongoose.Schema(
  {
    _id: Number,
    pedidoID: { type: Number, required: true },
    usuarioID: { type: Number, required: true },
    dataHora: { type: Date, required: true },
    status: { type: String, enum: statuses, required: true },
    itens: [itemSchema],
    owner_name: String,
    ticket: Number,
    table: String,
    seating: Number,
    version: Number,
    currency: String,
    updated_at: Date,
    history: [{ type: Object }],
    outbox: [{ type: Object }],
  },
  // Fields that the schema doesn't list are stored too, because the collection's validation may require them.
  { collection: 'pedidos', autoIndex: false, autoCreate: false, versionKey: false, strict: false },
);

/** Creates orders with plain mongoose (`Model.create`), one at a time, without fetching the menu or counting portions. */
export function createByModel({ connection }: Bench): (lines: readonly Line[]) => Promise<unknown> {
  const Order = connection.model('PeerOrder', schema);
  return (lines) => Order.create(documentOf(lines));
}

/**
 * Creates each order in its own transaction, with conditional updates of the portions before the insert. Retries after a
 * conflict.
 */
export function createByTransaction(bench: Bench): (lines: readonly Line[]) => Promise<unknown> {
  const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;
  return async (lines) => {
    const session = await bench.connection.startSession();
    const updates = lines
      .toSorted((a, b) => Number(a.dish) - Number(b.dish))
      .map(({ dish, quantity }) => ({
        updateOne: {
          filter: { itemID: dish, available: true, portions_left: { $gte: quantity } },
          update: { $inc: { portions_left: -quantity } },
        },
      }));
    try {
      for (let attempt = 0; ; attempt++) {
        session.startTransaction(options);
        try {
          const { modifiedCount } = await bench.connection.collection('itensMenu').bulkWrite(updates, { session });
          if (modifiedCount !== updates.length) throw new Error('sold out in a bench');
          await bench.connection.collection('pedidos').insertOne(documentOf(lines) as never, { session });
          await session.commitTransaction();
          return;
        } catch (error) {
          if (session.inTransaction()) await session.abortTransaction();
          if (!isTransient(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(64, 2 ** Math.min(attempt, 6))));
        }
      }
    } finally {
      await session.endSession();
    }
  };
}
