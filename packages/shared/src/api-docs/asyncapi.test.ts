import { describe as suite, expect, test } from '@jest/globals';
import { cloudEvent, type CloudEvent } from '@comanda/contracts/event-data';
import { asyncApi, eventTypes } from './asyncapi.ts';
import { describe, exampleOf } from './json-schema.ts';

const exampleOfType = (type: (typeof eventTypes)[number]): CloudEvent =>
  exampleOf(describe(cloudEvent(type))) as CloudEvent;

suite('in the AsyncAPI document', () => {
  test.each(eventTypes)('the example for %s matches its contract', (type) => {
    const { error } = cloudEvent(type).validate(exampleOfType(type), { convert: false });

    expect(error).toBeUndefined();
  });

  test.each(eventTypes)('the example for %s shows different values before and after the change', (type) => {
    const data = exampleOfType(type).data as { from?: unknown; to?: unknown };

    expect('from' in data && data.from === data.to).toBe(false);
  });

  test('the order in the example for order.status_changed has the new status', () => {
    const { data } = exampleOfType('order.status_changed') as CloudEvent<'order.status_changed'>;

    expect(data.order.status).toBe(data.to);
  });

  test('the order in the example for order.table_changed is at the new table', () => {
    const { data } = exampleOfType('order.table_changed') as CloudEvent<'order.table_changed'>;

    expect(data.order.table).toBe(data.to);
  });

  test.each(['order.created', 'menu.item_changed', 'transfer.posted'] as const)(
    "the resource in the example for %s has the id that the event's subject names",
    (type) => {
      const { subject, data } = exampleOfType(type);
      const [resource] = Object.values(data) as { id?: number }[];

      expect(String(resource?.id)).toBe(subject);
    },
  );
});

test("the document's code sample takes its cursor from the feed's state", () => {
  const { info } = asyncApi({ gatewayUrl: 'http://localhost:3000', notifierUrl: 'http://localhost:3004' });

  expect(info['description']).toMatch(/socket\.on\('feed', .*cursor = state\.cursor \?\? cursor/);
});

test('every schema that generators turn into a type has its own name', () => {
  const { components } = asyncApi({ gatewayUrl: 'http://localhost:3000', notifierUrl: 'http://localhost:3004' });
  const names: string[] = Object.keys(components['schemas'] ?? {});
  const unnamed: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Record<string, unknown>;
    const isType = (schema['type'] === 'object' && schema['properties']) || schema['enum'] || schema['anyOf'];
    if (isType && /\/(properties|items|anyOf|payload)\b/.test(path)) {
      if (typeof schema['title'] === 'string') names.push(schema['title']);
      else unnamed.push(path);
    }
    for (const [key, child] of Object.entries(schema))
      if (!['examples', 'headers', 'securitySchemes'].includes(key)) visit(child, `${path}/${key}`);
  };
  visit(components, '');

  expect(unnamed).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['OrderStatusChangedEvent', 'OrderStatusChangedData', 'BillStatus']));
});
