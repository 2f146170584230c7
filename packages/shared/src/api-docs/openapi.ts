import type Joi from 'joi';
import { detailsOf, readSource } from '@comanda/contracts/agreed-details';
import type { AnyEndpoint, EndpointResponse, StepUp } from '@comanda/contracts/endpoint';
import { problemHeaders, problemsByStatus, problemSchema, titleCase } from '@comanda/contracts/problem-members';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { codeSamples, exampleRequest } from './code-samples.ts';
import {
  responseHeaders,
  headerRefs,
  requestHeaders,
  requestHeadersOf,
  type EveryHeader,
  type RequestHeader,
} from './headers.ts';
import { introduction, tags } from './introduction.ts';
import { createSchemas, describe, exampleOf, type JsonSchema, type Schemas } from './json-schema.ts';

type Json = Record<string, unknown>;
export type OpenApi = {
  openapi: '3.1.1';
  info: Json;
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Json>;
  [member: string]: unknown;
};

/** The version of the API. Its first number is the one in the path alias `/v1`. */
export const apiVersion = '1.0.0';
const everywhere: readonly EveryHeader[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

type Parts = {
  schemas: Schemas;
  responses: Record<string, Json>;
  refs: Map<ProblemCode, JsonSchema>;
  /** The gateway's address in code samples. */
  url: string;
};

/**
 * Creates the OpenAPI 3.1 document for `endpoints`, using only their contracts. `url` is the gateway's address in code samples.
 */
export function openApi(endpoints: readonly AnyEndpoint[], url = 'http://localhost:3000'): OpenApi {
  const parts: Parts = { schemas: createSchemas(), responses: {}, refs: new Map(), url };
  const paths: OpenApi['paths'] = {};
  for (const contract of endpoints) {
    const path = (paths[contract.path] ??= {});
    path[contract.method.toLowerCase()] = operation(contract, parts);
  }
  const used = new Set(endpoints.flatMap(requestHeadersOf));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Comanda',
      version: apiVersion,
      summary: 'Orders that are never lost, transfers that are never posted twice.',
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'This server' },
      { url: '/v1', description: 'The same API under its versioned alias' },
    ],
    tags: usedTags(endpoints),
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The `access_token` of `POST /auth/login`, `/auth/guest` or `/auth/refresh` [RFC 6750, RFC 9068].',
        },
      },
      parameters: Object.fromEntries(
        Object.entries(requestHeaders).filter(([name]) => used.has(name as RequestHeader)),
      ),
      headers: responseHeaders,
      responses: parts.responses,
      schemas: parts.schemas.components,
      examples: Object.fromEntries([...parts.refs.keys()].toSorted().map((code) => [code, problemExample(code)])),
    },
  };
}

function tagOf(path: string): string {
  const tag = tags.find(({ paths }) => paths.some((start) => path === start || path.startsWith(`${start}/`)));
  if (!tag) throw new Error(`no tag has the path ${path}: add its beginning to one in introduction.ts`);
  return tag.name;
}
/** Returns the URL of an endpoint's section on the `/docs` page. */
export const addressInDocs = ({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): string =>
  `/docs#tag/${tagOf(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')}/${method}${path}`;
const usedTags = (endpoints: readonly AnyEndpoint[]) =>
  tags
    .filter(({ name }) => endpoints.some(({ path }) => tagOf(path) === name))
    .map(({ name, description }) => ({ name, description }));

function operation(contract: AnyEndpoint, parts: Parts): Json {
  const { schemas } = parts;
  const parameters = parametersOf(contract, schemas);
  const { title, more } = splitSummary(contract.summary);
  return {
    operationId: contract.name,
    summary: title,
    description: descriptionOf(contract, more),
    tags: [tagOf(contract.path)],
    security: contract.who === 'anyone' ? [] : [{ accessToken: [] }],
    ...(contract.stepUp && { 'x-step-up-key': contract.stepUp.key }),
    'x-codeSamples': codeSamples(contract, parts.url),
    ...(parameters.length > 0 && { parameters }),
    ...(contract.body && {
      requestBody: { required: !contract.mayOmitBody, content: jsonContent(contract.body, schemas, 'sent') },
    }),
    ...(contract.upload && { requestBody: { required: true, content: fileContent(contract.upload.types) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(contract.responses).map(([status, response]) => [status, answered(response, schemas)]),
      ),
      ...Object.fromEntries(
        problemsByStatus(contract).map(([status, codes]) => {
          const many = `${titleCase(`_${contract.name}`)}${status}Problem`;
          return [status, failed({ codes, many }, parts)];
        }),
      ),
    },
  };
}

/**
 * Splits a summary such as "Get one order; only for staff", because documentation pages show its short first part as the title.
 */
function splitSummary(summary: string): { title: string; more: string | undefined } {
  const [title = '', rest] = summary.split(/[;:] (.*)/);
  return { title, more: rest && `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.` };
}

function descriptionOf(contract: AnyEndpoint, more: string | undefined): string {
  const { who, account, mustChangePassword, stepUp, details } = contract;
  const callers = who === 'anyone' ? 'anyone, without a token' : who.join(', ');
  const sentences = [
    more,
    details,
    `Roles: ${callers}${account ? '; not guests' : ''}.`,
    mustChangePassword && 'May be called while the password must still be changed.',
    stepUp &&
      `Needs a step-up token for \`${stepUp.key}\`${stepUp.demanded ? ', if a setting demands it' : ''}. ${detailsText(contract, stepUp)}`,
  ];
  return sentences.filter(Boolean).join('\n\n');
}

/** Returns a sentence that says which details a step-up token for this call can or must have. */
function detailsText(contract: AnyEndpoint, { details, required }: StepUp): string {
  const { params, body } = exampleRequest(contract);
  const example = detailsOf(details, { ...params, ...body });
  if (!example) throw new Error(`the example of ${contract.name} does not say all that its details name`);
  const open = Object.entries(details.members).flatMap(([name, source]) =>
    readSource(source).kind === 'mayBeOpen' ? [`\`${name}\``] : [],
  );
  return [
    `Its \`authorization_details\`${required ? ', which are required' : ''}, in the example: \`${JSON.stringify([example])}\`.`,
    ...(open.length > 0 ? [`Without ${open.join(' and ')}, any will do.`] : []),
  ].join(' ');
}

function parametersOf(contract: AnyEndpoint, schemas: Schemas): Json[] {
  const parameters = [
    ['path', contract.params],
    ['query', contract.query],
  ] as const;
  const pathAndQuery = parameters.flatMap(([paramIn, shape]) =>
    Object.entries(shape ?? {}).map(([name, schema]) => ({
      name,
      in: paramIn,
      ...(paramIn === 'path' && { required: true }),
      schema: schemas.of(schema, 'sent'),
      ...(paramIn === 'path' && { example: exampleOf(describe(schema), name) }),
    })),
  );
  return [
    ...pathAndQuery,
    ...requestHeadersOf(contract).map((header) => ({ $ref: `#/components/parameters/${header}` })),
  ];
}

const jsonContent = (schema: Joi.AnySchema, schemas: Schemas, direction: 'sent' | 'answered'): Json => ({
  'application/json': { schema: schemas.of(schema, direction), example: exampleOf(describe(schema)) },
});

/**
 * Describes a body that is a file. OpenAPI 3.1 needs no schema for a file, but generated clients and tools know the schema from
 * OpenAPI 3.0.
 */
const fileContent = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

const answered = ({ about, body, page, file, headers = [] }: EndpointResponse, schemas: Schemas): Json => ({
  description: about,
  headers: headerRefs([...everywhere, ...headers]),
  ...((body || page || file) && {
    content: {
      ...(file && fileContent([file])),
      ...(body && jsonContent(body, schemas, 'answered')),
      ...(page && { [page]: { schema: { type: 'string' }, example: '<!doctype html>…' } }),
    },
  }),
});

const alsoHas: Readonly<Record<number, readonly EveryHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const headersOf = (code: ProblemCode): readonly EveryHeader[] => [
  ...(alsoHas[problems[code].status] ?? []),
  ...(problemHeaders[code] ?? []),
];

/**
 * The problems that one call can return with the same status. If there are more than three, the schema for any of them is named
 * `many`. Responses with up to three problems become components, because many calls share them.
 */
type Failure = { codes: readonly ProblemCode[]; many: string };
function failed({ codes, many }: Failure, parts: Parts): Json {
  const response = failure({ codes, many }, parts);
  if (codes.length > 3) return response;
  const name = codes.join('.');
  parts.responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function failure({ codes, many }: Failure, { schemas, refs }: Parts): Json {
  const each = codes.map((code) => {
    const ref = refs.get(code) ?? schemas.of(problemSchema(code), 'answered');
    refs.set(code, ref);
    return ref;
  });
  return {
    description: codes.map((code) => `[\`${code}\`](/problems/${code})`).join(', '),
    headers: headerRefs([...everywhere, ...codes.flatMap(headersOf)]),
    content: {
      'application/problem+json': {
        schema: each.length === 1 ? each[0] : union(codes, each, { name: unionName({ codes, many }), schemas }),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const unionName = ({ codes, many }: Failure): string =>
  codes.length > 3 ? many : `${codes.toSorted().map(titleCase).join('Or')}Problem`;

/**
 * Creates a component for the schema that accepts any of these problems. Without a component, generators would name it, for
 * example, `InlineObject8`.
 */
function union(
  codes: readonly ProblemCode[],
  refs: readonly JsonSchema[],
  { name, schemas }: { name: string; schemas: Schemas },
): JsonSchema {
  schemas.components[name] = {
    oneOf: refs,
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code, at) => [code, refs[at]?.['$ref']])),
    },
  };
  return { $ref: `#/components/schemas/${name}` };
}

const problemExample = (code: ProblemCode): Json => ({
  summary: problems[code].title,
  value: exampleOf(describe(problemSchema(code))),
});
