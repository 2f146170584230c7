import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeSchemas } from './kubernetes-schemas.ts';

const document = {
  definitions: {
    'io.k8s.Service': {
      description: 'a service',
      type: 'object',
      required: ['spec'],
      properties: { kind: { type: 'string' }, spec: { $ref: '#/definitions/io.k8s.Spec' } },
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Service' }],
    },
    'io.k8s.Spec': {
      type: 'object',
      properties: {
        port: { type: 'string', format: 'int-or-string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        inside: { $ref: '#/definitions/io.k8s.Spec' },
      },
    },
    'io.k8s.Pod': { 'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }] },
  },
};
const route = `
spec:
  group: gateway.networking.k8s.io
  names: { kind: HTTPRoute }
  versions:
    - { name: v1, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: {} } } } } }
`;

describe("Kubernetes' schemas", () => {
  let folder = '';
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, 'schemas', name), 'utf8'));
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'schemas-'));
    const files = {
      'api/openapi-spec/swagger.json': JSON.stringify(document),
      'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml': route,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeSchemas({ kubernetes: folder, gatewayApi: folder, to: join(folder, 'schemas') });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('exist for exactly the kinds in the charts', () => {
    expect(readdirSync(join(folder, 'schemas')).toSorted()).toEqual(['httproute-gateway-v1.json', 'service-v1.json']);
  });

  test("allow only a type's own fields", () => {
    expect(read('service-v1.json')).toMatchObject({
      required: ['spec'],
      additionalProperties: false,
      properties: {
        apiVersion: { const: 'v1' },
        kind: { const: 'Service' },
        spec: {
          additionalProperties: false,
          properties: {
            port: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
            labels: { additionalProperties: { type: 'string' } },
            inside: {},
          },
        },
      },
    });
    expect(read('httproute-gateway-v1.json')).toMatchObject({
      properties: { apiVersion: { const: 'gateway.networking.k8s.io/v1' }, spec: { additionalProperties: false } },
    });
  });
});
