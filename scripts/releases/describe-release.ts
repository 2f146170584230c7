import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyEndpoint, problemsOf, type ServiceName } from '@comanda/contracts/endpoint';
import { eventData } from '@comanda/contracts/event-data';
import { events, type EventType } from '@comanda/contracts/events';
import { feedState } from '@comanda/contracts/feed';
import { membersOf } from '@comanda/contracts/problem-members';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { endpoints } from '@comanda/contracts/registry';
import { internalEndpoints } from '@comanda/contracts/internal';
import { object, type Shape } from '@comanda/contracts/schema';
import { root } from '@comanda/local-stack/root';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { createSchemas, type JsonSchema, type Schemas } from '@comanda/shared/api-docs/json-schema';
import { rulesOf } from '@comanda/shared/mongo/collections';
import { services, type Call, type Collection, type Event, type Release } from './release.ts';

/** Describes a service's next release, based on its sources, as plain JSON like the files in `releases`. */
export async function describeRelease(service: ServiceName): Promise<Release> {
  const schemas = createSchemas();
  const own = [...endpoints, ...internalEndpoints].filter((contract) => contract.service === service);
  const codes = [...new Set(own.flatMap(problemsOf))].toSorted();
  const described = {
    service,
    version: await versionOf(service),
    calls: Object.fromEntries(own.map((contract) => [nameOf(contract), describeCall(contract, schemas)])),
    problems: Object.fromEntries(codes.map((code) => [code, describeProblem(code, schemas)])),
    events: describeEvents(service, schemas),
    stored: await describeCollections(service),
    settings: await describeSettings(service),
    provides: provided(service),
    needs: needed(service),
  };
  const release = { ...described, schemas: mapValues(schemas.components, withoutTexts) };
  return JSON.parse(JSON.stringify(release)) as Release;
}

async function versionOf(service: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'services', service, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;
const mapValues = <T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

function describeCall(contract: AnyEndpoint, schemas: Schemas): Call {
  const { who, callers, account, stepUp, idempotencyKey, params, query, body, mayOmitBody, upload, responses } = contract;
  const byStatus = Object.entries(responses);
  const sent = (shape: Shape = {}): JsonSchema => plain(object(shape), 'sent', schemas);
  return {
    who: callers ?? (who === 'anyone' ? ['anyone'] : who),
    demands: [
      ...(account ? ['an account'] : []),
      ...(stepUp ? [`a step-up token for ${stepUp.key}${stepUp.demanded ? ', by a setting' : ''}`] : []),
      ...(stepUp?.required ? ['authorization_details'] : []),
      ...(upload ? [`a file of at most ${upload.maxMegabytes} MB`] : []),
    ],
    headers: [
      ...(idempotencyKey ? ['Idempotency-Key'] : []),
      ...(upload ? upload.types.map((type) => `Content-Type: ${type}`) : []),
      ...byStatus.flatMap(([status, { headers = [] }]) => headers.map((header) => `${status} ${header}`)),
      ...byStatus.flatMap(([status, { file }]) => (file ? [`${status} Content-Type: ${file}`] : [])),
    ],
    params: sent(params),
    query: sent(query),
    body: body ? plain(body, 'sent', schemas) : null,
    ...(mayOmitBody && { mayOmitBody }),
    answers: Object.fromEntries(
      byStatus.map(([status, response]) => [status, response.body ? plain(response.body, 'answered', schemas) : null]),
    ),
    problems: problemsOf(contract),
  };
}

function describeProblem(code: ProblemCode, schemas: Schemas) {
  return { status: problems[code].status, members: plain(object(membersOf(code) ?? {}), 'answered', schemas) };
}

function describeEvents(service: ServiceName, schemas: Schemas): Record<string, Event> {
  const own = (Object.keys(events) as EventType[]).filter((type) => events[type].source === `/${service}`);
  const feed = { audience: 'client', source: '/notifier', data: plain(feedState, 'answered', schemas) };
  return {
    ...Object.fromEntries(
      own.map((type) => {
        const { audience, source } = events[type];
        return [type, { audience, source, data: plain(eventData[type], 'answered', schemas) }];
      }),
    ),
    ...(service === 'notifier' && { feed }),
  };
}

type AnySchema = Parameters<Schemas['of']>[0];
type CollectionSchema = Parameters<typeof rulesOf>[0];

async function describeCollections(service: string): Promise<Record<string, Collection>> {
  const file = join(root, 'services', service, 'src/collections.ts');
  if (!existsSync(file)) return {};
  const [collections = []] = Object.values((await import(file)) as Record<string, CollectionSchema[]>);
  return Object.fromEntries(
    collections.map((schema) => [
      schema.get('collection'),
      { documents: rulesOf(schema).validator.$jsonSchema, indexes: describeIndexes(schema) },
    ]),
  );
}

function describeIndexes(schema: CollectionSchema): Collection['indexes'] {
  const indexes = schema.indexes().map(([key, { name, background: _ofMongoose, ...options }]) => {
    // MongoDB gives this name to an index that is created without a name.
    const usual = Object.entries(key).flat().join('_');
    return [name ?? usual, { key, ...options }] as const;
  });
  return Object.fromEntries(indexes);
}

async function describeSettings(service: string): Promise<Release['settings']> {
  const isRequired = (schema: AnySchema): boolean => schema.validate(undefined).error !== undefined;
  return Object.fromEntries(
    Object.values(await settingsOfService(service)).map(({ env, schema }) => [
      env,
      isRequired(schema) ? ('required' as const) : ('optional' as const),
    ]),
  );
}

const forwarding = (contract: AnyEndpoint): string => `forwards ${nameOf(contract)}`;
const answering = (contract: AnyEndpoint): string => `answers ${nameOf(contract)}`;
const issuing = ({ stepUp }: AnyEndpoint): string[] => (stepUp ? [`issues tokens for ${stepUp.key}`] : []);
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

function provided(service: ServiceName): string[] {
  const answered = internalEndpoints.filter((contract) => contract.service === service).map(answering);
  if (service === 'gateway') return unique(endpoints.map(forwarding));
  return unique(service === 'auth-stepup' ? [...answered, ...endpoints.flatMap(issuing)] : answered);
}

function needed(service: ServiceName): Release['needs'] {
  const own = endpoints.filter((contract) => contract.service === service);
  const needs = services.map((other) => {
    if (other === service) return [other, []] as const;
    const called = internalEndpoints.filter((each) => each.service === other && each.callers?.includes(service));
    const more = { gateway: own.map(forwarding), 'auth-stepup': own.flatMap(issuing) };
    return [other, unique([...called.map(answering), ...(more[other as 'gateway'] ?? [])])] as const;
  });
  return Object.fromEntries(needs.filter(([, each]) => each.length > 0));
}

/** Returns the JSON Schema of `schema`, without examples and texts, because changing those breaks nothing. */
const plain = (schema: AnySchema, direction: 'sent' | 'answered', schemas: Schemas): JsonSchema =>
  withoutTexts(schemas.of(schema, direction));

function withoutTexts({ examples: _examples, description: _text, ...schema }: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema as JsonSchema & { oneOf?: JsonSchema[] };
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, withoutTexts) }),
    ...(items && { items: withoutTexts(items) }),
    ...(anyOf && { anyOf: anyOf.map(withoutTexts) }),
    ...(oneOf && { oneOf: oneOf.map(withoutTexts) }),
  };
}
