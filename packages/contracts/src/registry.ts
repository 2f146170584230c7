import { apiDocs } from './api-docs.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { menu } from './menu.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';
import { consumeStepUp, security } from './security.ts';
import { receiptKeys, transfers } from './transfers.ts';

/** Every endpoint that the gateway lets through, of every service: routes, validation, documents and client are made from this list. */
export const endpoints: readonly AnyEndpoint[] = [
  ...users,
  ...menu,
  ...orders,
  ...apiDocs,
  ...transfers,
  ...security,
];

/** What services ask each other; the gateway does not know these. */
export const internalEndpoints: readonly AnyEndpoint[] = [consumeStepUp, receiptKeys];
