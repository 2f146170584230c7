import type { countWaiting } from '@comanda/shared/messaging/outbox-store';
import type { AnySchema } from '@comanda/shared/mongo/collections';
import type { MongoLink } from '@comanda/shared/mongo/connection';
import { instanceSchema } from '@comanda/shared/mongo/instances';
import { preparationSchema } from '@comanda/shared/mongo/prepare-database';
import { callSchema } from './calls/call-store.ts';
import { cashDrawerSchema } from './cash-drawers/cash-drawer-store.ts';
import { countSchema } from './cash-drawers/count-store.ts';
import { movementSchema } from './cash-drawers/movement-store.ts';
import { daySchema } from './day/day-store.ts';
import { exceptionSchema } from './exceptions/exception-store.ts';
import { dishSchema } from './menu/menu-store.ts';
import { billSchema } from './bills/bill-document.ts';
import { orderSchema } from './orders/order-document.ts';
import { pictureSchema } from './pictures/picture-store.ts';
import { pixDecisionSchema } from './pix/pix-decision-store.ts';
import { menuChangeSchema } from './menu/menu-change-store.ts';
import { optionGroupSchema } from './menu/option-group-store.ts';
import { statisticsSchema } from './reports/statistics-store.ts';
import { restaurantChangeSchema } from './restaurant/restaurant-change-store.ts';
import { restaurantSchema } from './restaurant/restaurant-document.ts';
import { screenSchema } from './screens/screen-store.ts';
import { endedSeatingSchema } from './seatings/ended-seating-store.ts';
import { stationSchema } from './stations/station-store.ts';

/** All of the service's collections except the archive. `prepare.ts` creates them. */
export const ordersCollections = [
  orderSchema,
  dishSchema,
  optionGroupSchema,
  menuChangeSchema,
  restaurantSchema,
  restaurantChangeSchema,
  billSchema,
  exceptionSchema,
  pixDecisionSchema,
  cashDrawerSchema,
  movementSchema,
  countSchema,
  daySchema,
  statisticsSchema,
  callSchema,
  stationSchema,
  pictureSchema,
  screenSchema,
  endedSeatingSchema,
  instanceSchema,
  preparationSchema,
];

type OutboxCollection = Parameters<typeof countWaiting>[0];

/** Returns the collections whose documents have an outbox, by name. */
export function outboxCollections(connection: MongoLink['connection']) {
  const of = (schema: AnySchema): OutboxCollection => connection.collection(schema.get('collection') ?? '');
  return {
    orders: of(orderSchema),
    menu: of(dishSchema),
    optionGroups: of(optionGroupSchema),
    restaurant: of(restaurantSchema),
    bills: of(billSchema),
    calls: of(callSchema),
    seatings: of(endedSeatingSchema),
    days: of(daySchema),
  };
}
