import { describe as suite, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { problemsOf } from '@comanda/contracts/endpoint';
import { problemSchema } from '@comanda/contracts/problem-members';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { endpoints } from '@comanda/contracts/registry';
import { describe, exampleOf } from './json-schema.ts';
import { openApi } from './openapi.ts';

const document = openApi(endpoints);
type Operation = {
  operationId: string;
  parameters?: { name?: string; in?: string; $ref?: string }[];
  security: unknown[];
  requestBody?: unknown;
  responses: Record<string, { $ref?: string; headers?: Record<string, unknown> }>;
};
const operationOf = (path: string, method: string): Operation =>
  document.paths[path]?.[method.toLowerCase()] as unknown as Operation;

type ExampleOrder = {
  items: { unit_price: string; quantity: number; status: string }[];
  total: string;
  status: string;
};
const examplesOf = (contracts: typeof endpoints): unknown[] =>
  contracts.flatMap(({ responses }) =>
    Object.values(responses).flatMap((answer) => (answer?.body ? [exampleOf(describe(answer.body))] : [])),
  );
/** Finds all orders in `value`. */
function findOrders(value: unknown): ExampleOrder[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap((each) => findOrders(each));
  return 'total' in value && 'items' in value ? [value as ExampleOrder, ...nested] : nested;
}

suite('the OpenAPI document', () => {
  test('passes all recommended Redocly rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
    const warnings = found.map(({ severity, ruleId, location: [at] }) => `${severity} ${ruleId} ${at?.pointer}`);
    // This warning is harmless: the gateway's router prefers the literal path to the path with a parameter.
    expect(warnings).toEqual(['warn no-ambiguous-paths #/paths/~1accounts~1internal-transfers~1{id}']);
  });

  test.each(endpoints)('contains the parameters, body and responses of $name', (contract) => {
    const operation = operationOf(contract.path, contract.method);

    expect(operation.operationId).toBe(contract.name);

    const statuses = [
      ...Object.keys(contract.responses),
      ...problemsOf(contract).map((code) => String(problems[code].status)),
    ];

    expect(new Set(Object.keys(operation.responses))).toEqual(new Set(statuses));
    expect(operation.security).toHaveLength(contract.who === 'anyone' ? 0 : 1);
    expect(operation.requestBody !== undefined).toBe(contract.body !== undefined || contract.upload !== undefined);

    const names = (operation.parameters ?? []).flatMap(({ name }) => name ?? []);

    expect(names).toEqual([...Object.keys(contract.params ?? {}), ...Object.keys(contract.query ?? {})]);

    const refs = new Set((operation.parameters ?? []).map(({ $ref }) => $ref));

    expect(refs.has('#/components/parameters/IdempotencyKey')).toBe(contract.idempotencyKey === 'accepted');
    expect(refs.has('#/components/parameters/StepUpToken')).toBe(contract.stepUp !== undefined);

    for (const [status, { headers = [] } = {}] of Object.entries(contract.responses))
      expect(Object.keys(operation.responses[status]?.headers ?? {})).toEqual(
        expect.arrayContaining(['X-Request-Id', 'RateLimit', ...headers]),
      );
  });

  test('has only examples that match their contracts', () => {
    const schemas = endpoints.flatMap(({ name, body, responses }) => [
      ...(body ? [[`${name}, sent`, body] as const] : []),
      ...Object.values(responses).flatMap((answer) =>
        answer?.body ? [[`${name}, answered`, answer.body] as const] : [],
      ),
    ]);
    const codes = Object.keys(problems) as ProblemCode[];
    const all = [...schemas, ...codes.map((code) => [code, problemSchema(code)] as const)];
    const wrong = all.flatMap(([name, schema]) => {
      const { error } = schema.validate(exampleOf(describe(schema)), { convert: false });
      return error ? [`${name}: ${error.message}`] : [];
    });

    expect(wrong).toEqual([]);
  });

  test('names each union of problems that share a status', () => {
    const isUnion = ([name]: [string, unknown]): boolean => name.endsWith('Problem');
    const unions = Object.entries(document.components['schemas'] ?? {}).filter(isUnion);
    const answers = [
      ...Object.values(document.paths).flatMap((path) => Object.values(path).map(({ responses }) => responses)),
      ...Object.values(document.components['responses'] ?? {}),
    ];

    expect(answers.filter((answer) => JSON.stringify(answer).includes('oneOf'))).toEqual([]);
    expect(unions.map(([name]) => name)).toEqual(
      expect.arrayContaining(['MalformedJsonOrMalformedRequestOrValidationFailedProblem', 'PlaceOrder409Problem']),
    );
    expect(unions.filter(([name]) => name.length > 80)).toEqual([]);
  });

  test('uses an example password other than the demo password', () => {
    const changePassword = endpoints.find(({ name }) => name === 'changePassword');
    const demo = endpoints.find(({ name }) => name === 'login');
    const passwordOf = (body: unknown): unknown[] => Object.values(body as Record<string, unknown>);

    expect(passwordOf(exampleOf(describe(demo!.body!)))).toContain('mesa-farofa-violao');
    expect(passwordOf(exampleOf(describe(changePassword!.body!)))).not.toContain('mesa-farofa-violao');
  });

  test('has example orders whose total and status match their items', () => {
    const orders = examplesOf(endpoints).flatMap((example) => findOrders(example));

    expect(orders.length).toBeGreaterThan(5);
    for (const { items, total, status } of orders) {
      const open = items.filter((item) => item.status !== 'cancelled');
      const cents = open.reduce(
        (sum, { unit_price: price, quantity }) => sum + Math.round(Number(price) * 100) * quantity,
        0,
      );
      expect(Math.round(Number(total) * 100)).toBe(cents);
      expect(open.map((item) => item.status)).toContain(status);
    }
  });

  test('includes rules that span several fields', () => {
    const schemas = document.components['schemas'];

    expect(schemas?.['OrderLine']).toEqual({
      oneOf: [{ $ref: '#/components/schemas/OrderLineByItemId' }, { $ref: '#/components/schemas/OrderLineByName' }],
    });
    expect(schemas?.['OrderLineByName']).toMatchObject({
      required: ['name', 'quantity'],
      properties: { name: {}, quantity: {}, remarks: {} },
      additionalProperties: false,
    });
  });

  test.each([
    ['PUT', '/orders/{id}', true],
    ['POST', '/bills/{id}/merge', true],
    ['POST', '/bills/{id}/payments', true],
    ['POST', '/bills/{id}/payments/{payment_id}/cancel', true],
    ['POST', '/bills/{id}/payments/{payment_id}/refund', true],
    ['PUT', '/restaurant', false],
  ])('lists If-Match for %s %s if the call checks it: %s', (method, path, heeds) => {
    const { parameters, responses } = operationOf(path, method);

    expect(parameters?.some(({ $ref }) => $ref?.endsWith('/IfMatch')) ?? false).toBe(heeds);
    expect(Object.keys(responses)).toContain('412');
  });

  test('has an example of a PIN exchange with details for its endpoint key', () => {
    const { body } = endpoints.find(({ name }) => name === 'stepUp') ?? {};

    expect(exampleOf(describe(body!))).toMatchObject({
      endpoint_key: 'internal_transfer.create',
      authorization_details: [{ type: 'internal_transfer' }],
    });
  });

  test('gives each number a format', () => {
    const without: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, format } = value as { type?: unknown; format?: unknown };
      if (/integer|number/.test(String(type)) && !/^int(32|64)$/.test(String(format))) without.push(path);
      for (const [key, child] of Object.entries(value)) if (!/^examples?$/.test(key)) visit(child, `${path}/${key}`);
    };
    visit(document, '');

    expect(without).toEqual([]);
  });

  test('describes the headers for idempotency keys and step-up tokens', () => {
    const { headers, parameters } = document.components;

    expect(Object.keys(headers ?? {})).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Retry-After', 'ETag', 'Link', 'Idempotent-Replayed']),
    );
    expect(Object.values(parameters ?? {})).toMatchObject([
      { name: 'Idempotency-Key', in: 'header' },
      { name: 'X-Step-Up-Token', in: 'header' },
      { name: 'If-Match', in: 'header' },
      { name: 'If-None-Match', in: 'header' },
    ]);
  });
});
