import { titleCase } from '@comanda/contracts/problem-members';
import type { JsonSchema } from './json-schema.ts';

/** `order.status_changed` and `orderStatus` as `OrderStatusChanged` and `OrderStatus`. */
export const typeNameOf = (name: string): string => titleCase(name.replaceAll('.', '_'));

/**
 * Gives each schema below `owner` for which a generator makes a type a title: `BillStatus` for the property `status` of `Bill`. With
 * AsyncAPI, generators call a type without a name `AnonymousSchema_17`, another one after each change of the document.
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
