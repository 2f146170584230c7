import { titleCase } from '@comanda/contracts/problem-members';
import type { JsonSchema } from './json-schema.ts';

/** Turns `order.status_changed` into `OrderStatusChanged`, and `orderStatus` into `OrderStatus`. */
export const typeNameOf = (name: string): string => titleCase(name.replaceAll('.', '_'));

/**
 * Gives a title to each schema below `owner` that generators make a type of: `BillStatus` for the property `status` of
 * `Bill`. Without it, AsyncAPI generators name a type `AnonymousSchema_17`, and differently after each change of the
 * document.
 */
export function nameInnerSchemas(schema: JsonSchema, owner: string): void {
  for (const [key, property] of Object.entries(schema.properties ?? {})) nameSchema(property, owner + typeNameOf(key));
  if (schema.items) nameSchema(schema.items, `${owner}Item`);
  for (const [index, each] of (schema.anyOf ?? []).entries()) nameSchema(each, `${owner}${index + 1}`);
}

function nameSchema(schema: JsonSchema, name: string): void {
  if (schema.properties || schema.enum || schema.anyOf) schema['title'] ??= name;
  nameInnerSchemas(schema, name);
}
