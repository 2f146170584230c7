import { apiDocs } from './api-docs.ts';
import { bills, claimAccountPayment, getAccountPayment, settleAccountPayment } from './bills.ts';
import { calls } from './calls.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { exceptions } from './exceptions.ts';
import { menu } from './menu.ts';
import { pictures } from './menu-pictures.ts';
import { endSeating, orders } from './orders.ts';
import { restaurantEndpoints } from './restaurant.ts';
import { screens } from './screens.ts';
import { stations } from './stations.ts';
import { stopEndpoints } from './stops.ts';
import { tables } from './tables.ts';
import { tablets } from './tablets.ts';
import { users } from './users.ts';
import { consumeStepUp, consumeStepUpList, security } from './security.ts';
import { receiptKeys, transfers } from './transfers.ts';

/** All public endpoints in all services. The gateway forwards these calls and no others. */
export const endpoints: readonly AnyEndpoint[] = [
  ...users,
  ...tables,
  ...tablets,
  ...stopEndpoints,
  ...menu,
  ...pictures,
  ...restaurantEndpoints,
  ...orders,
  ...bills,
  ...exceptions,
  ...calls,
  ...stations,
  ...screens,
  ...apiDocs,
  ...transfers,
  ...security,
];

/** Calls between services. The gateway does not forward them. */
export const internalEndpoints: readonly AnyEndpoint[] = [
  consumeStepUp,
  consumeStepUpList,
  receiptKeys,
  endSeating,
  getAccountPayment,
  claimAccountPayment,
  settleAccountPayment,
];
