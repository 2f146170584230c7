import type { AnyEndpoint } from './endpoint.ts';
import { menu } from './menu.ts';
import { orders } from './orders.ts';
import { people } from './people.ts';
import { transfers } from './transfers.ts';

/** Every endpoint of every service: routes, validation, documents and client are made from this list. */
export const endpoints: readonly AnyEndpoint[] = [...people, ...menu, ...orders, ...transfers];
