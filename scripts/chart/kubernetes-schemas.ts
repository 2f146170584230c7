import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; type?: unknown; required?: string[] };
type Kind = { group: string; version: string; kind: string };
type Definitions = Record<string, Schema & { 'x-kubernetes-group-version-kind'?: Kind[] }>;
type Crd = {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
};

/** The kinds of objects in the charts. Any other kind is rejected until it is added here. */
const kinds = new Set([
  'Deployment',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
  'ServiceAccount',
]);

/**
 * Writes a JSON schema for each kind in the charts. The sources are the OpenAPI document in Kubernetes' module and the HTTPRoute
 * definition in the Gateway API's module. The schemas are strict and reject fields that Kubernetes doesn't have.
 */
export function writeSchemas({ kubernetes, gatewayApi, to }: Record<'kubernetes' | 'gatewayApi' | 'to', string>): void {
  mkdirSync(to, { recursive: true });
  const { definitions } = JSON.parse(readFileSync(join(kubernetes, 'api/openapi-spec/swagger.json'), 'utf8')) as {
    definitions: Definitions;
  };
  for (const [name, definition] of Object.entries(definitions)) {
    const [kind, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
    if (kind && others.length === 0 && kinds.has(kind.kind)) write(to, kind, strict(definition, definitions, [name]));
  }
  const file = join(gatewayApi, 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml');
  const { spec } = parse(readFileSync(file, 'utf8')) as Crd;
  for (const { name: version, schema } of spec.versions)
    write(to, { group: spec.group, version, kind: spec.names.kind }, strict(schema.openAPIV3Schema, {}, []));
}

/** Writes a schema under the name that kubeconform derives from `{{.ResourceKind}}{{.KindSuffix}}`. */
function write(to: string, { group, version, kind }: Kind, schema: Schema): void {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const closed = {
    ...schema,
    properties: { ...schema.properties, apiVersion: { const: apiVersion }, kind: { const: kind } },
  };
  const suffix = [group.split('.')[0], version].filter(Boolean).join('-');
  writeFileSync(join(to, `${kind}-${suffix}.json`.toLowerCase()), JSON.stringify(closed));
}

/** Resolves a schema's references and forbids unknown fields. Where a type contains itself, the inner value may be anything. */
function strict(schema: Schema, definitions: Definitions, inside: readonly string[]): Schema {
  const { $ref: reference } = schema;
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    const target = definitions[name];
    return !target || inside.includes(name) ? {} : strict(target, definitions, [...inside, name]);
  }
  if (schema['format'] === 'int-or-string' || schema['x-kubernetes-int-or-string'])
    return { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  const next = (value: unknown): unknown => {
    if (Array.isArray(value)) return value;
    return typeof value === 'object' && value !== null ? strict(value as Schema, definitions, inside) : value;
  };
  const copy: Schema = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'description' && key !== 'format' && !key.startsWith('x-kubernetes-'))
      .map(([key, value]) => [key, key === 'default' || key === 'properties' ? value : next(value)]),
  );
  if (!schema.properties) return copy;
  const properties = Object.entries(schema.properties).map(([key, value]): [string, Schema] => [
    key,
    strict(value, definitions, inside),
  ]);
  const isOpen = 'additionalProperties' in schema || schema['x-kubernetes-preserve-unknown-fields'];
  return { ...copy, properties: Object.fromEntries(properties), ...(!isOpen && { additionalProperties: false }) };
}
