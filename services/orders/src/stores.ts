import type { MongoLink } from '@comanda/shared/mongo/connection';
import { createBillStore } from './bills/bill-store.ts';
import { createCallStore } from './calls/call-store.ts';
import { createCashDrawerStore } from './cash-drawers/cash-drawer-store.ts';
import { createCountStore } from './cash-drawers/count-store.ts';
import { createMovementStore } from './cash-drawers/movement-store.ts';
import { createDayBillStore } from './day/day-bill-store.ts';
import { createDayStore } from './day/day-store.ts';
import { createExceptionStore } from './exceptions/exception-store.ts';
import { createMenuChangeStore } from './menu/menu-change-store.ts';
import { createMenuStore } from './menu/menu-store.ts';
import { createOptionGroupStore } from './menu/option-group-store.ts';
import { createOrderArchiveStore } from './orders/order-archive-store.ts';
import { createOrderStore } from './orders/order-store.ts';
import { createPictureStore } from './pictures/picture-store.ts';
import { createPixDecisionStore } from './pix/pix-decision-store.ts';
import { createClosedBillStore } from './reports/closed-bill-store.ts';
import { createOrderedStore } from './reports/ordered-store.ts';
import { createStatisticsStore } from './reports/statistics-store.ts';
import { createCounterStore } from './restaurant/counter-store.ts';
import { createDatabaseEpochStore } from './restaurant/database-epoch-store.ts';
import { createIdStore } from './restaurant/id-store.ts';
import { createOrderingPauseStore } from './restaurant/ordering-pause-store.ts';
import { createRestaurantChangeStore } from './restaurant/restaurant-change-store.ts';
import { createSettingsStore } from './restaurant/settings-store.ts';
import { createScreenStore } from './screens/screen-store.ts';
import { createEndedSeatingStore } from './seatings/ended-seating-store.ts';
import { createStationStore } from './stations/station-store.ts';

/** Creates the service's stores. They contain no state besides the connection. */
export const createStores = (connection: MongoLink['connection']) => ({
  orders: createOrderStore(connection),
  archive: createOrderArchiveStore(connection),
  menu: createMenuStore(connection),
  optionGroups: createOptionGroupStore(connection),
  changes: createMenuChangeStore(connection),
  pictures: createPictureStore(connection),
  bills: createBillStore(connection),
  exceptions: createExceptionStore(connection),
  cashDrawers: createCashDrawerStore(connection),
  movements: createMovementStore(connection),
  counts: createCountStore(connection),
  dayBills: createDayBillStore(connection),
  days: createDayStore(connection),
  statistics: createStatisticsStore(connection),
  closedBills: createClosedBillStore(connection),
  ordered: createOrderedStore(connection),
  calls: createCallStore(connection),
  seatings: createEndedSeatingStore(connection),
  stations: createStationStore(connection),
  screens: createScreenStore(connection),
  pixDecisions: createPixDecisionStore(connection),
  counters: createCounterStore(connection),
  ids: createIdStore(connection),
  settings: createSettingsStore(connection),
  restaurantChanges: createRestaurantChangeStore(connection),
  pause: createOrderingPauseStore(connection),
  databaseEpoch: createDatabaseEpochStore(connection),
});
