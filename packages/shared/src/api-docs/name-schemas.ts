import { titleCase } from '@comanda/contracts/problem-members';
import type { JsonSchema } from './json-schema.ts';

/** Turns `order.status_changed` into `OrderStatusChanged`, and `orderStatus` into `OrderStatus`. */
export const typeNameOf = (name: string): string => titleCase(name.replaceAll('.', '_'));

/**
 * Gives a title to each schema below `owner` for which generators create a type: for example, `BillStatus` for the property
 * `status` of `Bill`. Without titles, AsyncAPI generators use names such as `AnonymousSchema_17`, which change whenever the
 * document changes.
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
