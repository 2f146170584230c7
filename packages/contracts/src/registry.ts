import { accounts } from './accounts.ts';
import { apiDocs } from './api-docs.ts';
import { audit } from './audit.ts';
import { billPayments } from './bill-payments.ts';
import { bills } from './bills.ts';
import { calls } from './calls.ts';
import { cashDrawers } from './cash-drawers.ts';
import { covers } from './covers.ts';
import { days } from './day.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { exceptions } from './exceptions.ts';
import { keys } from './keys.ts';
import { menu } from './menu.ts';
import { menuChanges } from './menu-changes.ts';
import { pictures } from './menu-pictures.ts';
import { optionGroups } from './option-groups.ts';
import { orderingEndpoints } from './ordering.ts';
import { orderItems } from './order-items.ts';
import { orders } from './orders.ts';
import { pinEndpoints } from './pin.ts';
import { pixEndpoints } from './pix.ts';
import { reports } from './reports.ts';
import { restaurantChanges } from './restaurant-changes.ts';
import { restaurantEndpoints } from './restaurant.ts';
import { screens } from './screens.ts';
import { sessions } from './sessions.ts';
import { setup } from './setup.ts';
import { stations } from './stations.ts';
import { stepUpEndpoints } from './step-up.ts';
import { stopEndpoints } from './stops.ts';
import { tables } from './tables.ts';
import { tablets } from './tablets.ts';
import { transfers } from './transfers.ts';
import { users } from './users.ts';

/** All public endpoints in all services. The gateway forwards these calls and no others. */
export const endpoints: readonly AnyEndpoint[] = [
  ...sessions,
  ...users,
  ...setup,
  ...tables,
  ...keys,
  ...tablets,
  ...stopEndpoints,
  ...menu,
  ...optionGroups,
  ...orderingEndpoints,
  ...menuChanges,
  ...pictures,
  ...restaurantEndpoints,
  ...restaurantChanges,
  ...orders,
  ...orderItems,
  ...bills,
  ...billPayments,
  ...covers,
  ...exceptions,
  ...cashDrawers,
  ...days,
  ...reports,
  ...calls,
  ...stations,
  ...screens,
  ...apiDocs,
  ...accounts,
  ...transfers,
  ...pixEndpoints,
  ...pinEndpoints,
  ...stepUpEndpoints,
  ...audit,
];
