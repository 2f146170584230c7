import { events, type EventType } from '@comanda/contracts/events';
import { cloudEvent } from '@comanda/contracts/event-data';
import { feedState } from '@comanda/contracts/feed';
import { secret } from '@comanda/contracts/schema';
import { createSchemas, describe, exampleOf, type JsonSchema, type Schemas } from './json-schema.ts';
import { nameInnerSchemas, typeNameOf } from './name-schemas.ts';
import { apiVersion } from './openapi.ts';

type Json = Record<string, unknown>;
export type AsyncApi = {
  asyncapi: '3.0.0';
  info: Json;
  servers: Json;
  channels: Json;
  operations: Json;
  components: Record<string, Json>;
  defaultContentType: string;
};

const introduction = `The live feed sends every change in the restaurant within milliseconds, and sends missed events again after a reconnect. Protocol: Socket.IO 3 or newer over WebSocket only, default namespace, at the gateway or at the notifier.

\`\`\`js
const socket = io('http://localhost:3000', {
  transports: ['websocket'],
  auth: (send) => send({ token: accessToken, ...(cursor && { after: cursor }) }),
});
socket.on('event', (event, newCursor) => { cursor = newCursor; console.log(event.type, event.data); });
socket.on('feed', (state) => { cursor = state.cursor ?? cursor; console.log(state.status); });
\`\`\`

- Connect with \`auth: { token, after? }\`. \`after\` is the last cursor that you have received. The server first sends all later events that you may see, then new ones, without gaps and in order. If it rejects the connection, you get \`connect_error\` with the code of the problem in \`data.code\`.
- An event may arrive more than once; ignore an \`id\` that you have already processed. Each event of an order, a bill, a dish, the pause or the settings has the whole resource with its \`version\`: keep the highest version.
- \`feed\` with status \`gap\`: missed events are no longer available. Discard your state, read \`GET /orders\`, and continue with new events.
- The server closes the connection when its token expires. To stay connected, emit \`token\` with a new token of the same user before that: one at a time, and at most ten a minute. Any other event closes the connection, and so does a first packet without a token, or none within 2 seconds.
- Connect first, then read \`GET /orders\`, so that you miss nothing. Ignore unknown keys.`;

const audiences = {
  order: 'Staff, the customer who placed the order, and the guests of its seating.',
  bill: 'Staff, the guests of its seating, and users who have ordered or paid part of it.',
  call: 'Staff and the guests of the seating.',
  table: 'Staff, the guests at the table, and those who sat there before the change.',
  seating: 'Staff and the guests of the seating.',
  staff: 'Waiters and managers.',
  everyone: 'All users.',
  user: 'Only the user whose id is in the data.',
  parties: 'Only the users whose ids are in the data.',
} as const;
/** Returns a sentence that says who receives events of `type`. */
export const audienceOf = (type: EventType): string => audiences[events[type].audience];
export const eventTypes = Object.keys(events) as EventType[];

const ref = (path: string) => ({ $ref: `#/${path}` });
const host = (url: string): string => new URL(url).host;
const protocol = (url: string): string => (new URL(url).protocol === 'https:' ? 'wss' : 'ws');

/** Creates the AsyncAPI 3.0 document for all events and the live feed. The URLs are the ones that browsers use. */
export function asyncApi({ gatewayUrl, notifierUrl }: { gatewayUrl: string; notifierUrl: string }): AsyncApi {
  const schemas = createSchemas();
  const server = (url: string, description: string): Json => ({
    host: host(url),
    protocol: protocol(url),
    pathname: '/socket.io/',
    description,
    security: [ref('components/securitySchemes/accessToken')],
  });
  const messages = {
    ...Object.fromEntries(eventTypes.map((type) => [type, eventMessage(type, schemas)])),
    feed: feedMessage(schemas),
    token: tokenMessage(schemas),
  };
  for (const [name, schema] of Object.entries(schemas.components)) nameInnerSchemas(schema, name);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Comanda live feed',
      version: apiVersion,
      description: introduction,
      license: { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'live feed' }],
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: server(gatewayUrl, 'The gateway'),
      notifier: server(notifierUrl, 'The notifier; screens prefer it to the gateway'),
    },
    channels: {
      feed: {
        address: '/',
        title: 'Live feed',
        description: "Socket.IO's default namespace.",
        servers: [ref('servers/gateway'), ref('servers/notifier')],
        messages: Object.fromEntries(
          [...eventTypes, 'feed', 'token'].map((name) => [name, ref(`components/messages/${name}`)]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      event: operation({
        action: 'send',
        summary: 'Every event that the user may see',
        description: 'Events arrive in the order of the stream: `event(cloudEvent, cursor)`.',
        names: eventTypes,
      }),
      feed: operation({
        action: 'send',
        summary: 'The state of the feed',
        description: 'Sent at every change and every 15 seconds: `feed(state)`.',
        names: ['feed'],
      }),
      token: operation({
        action: 'receive',
        summary: 'A new access token',
        description: 'Send a token of the same user before the old one expires: `token(text)`.',
        names: ['token'],
      }),
    },
    components: {
      messages,
      schemas: schemas.components,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token, in `auth.token` of the Socket.IO handshake; never in the query string.',
        },
      },
    },
  };
}

type Operation = { action: 'send' | 'receive'; summary: string; description: string; names: readonly string[] };
const operation = ({ names, ...about }: Operation): Json => ({
  ...about,
  channel: ref('channels/feed'),
  messages: names.map((name) => ref(`channels/feed/messages/${name}`)),
});

function eventMessage(type: EventType, schemas: Schemas): Json {
  const schema = cloudEvent(type);
  return {
    name: type,
    title: type,
    summary: `Published when ${events[type].when}.`,
    description: `Sent to: ${audienceOf(type)}`,
    contentType: 'application/cloudevents+json',
    headers: {
      type: 'object',
      description: 'The second argument of the Socket.IO event.',
      properties: {
        cursor: { type: 'string', description: 'The position of this event in the feed, to be sent as `after`.' },
      },
      required: ['cursor'],
    },
    payload: eventPayload(type, schemas),
    examples: [{ name: type, payload: exampleOf(describe(schema)), headers: { cursor: 'MTA0MjphN2Yz' } }],
  };
}

/** Creates components for the event and its data, such as `OrderCreatedEvent` and `OrderCreatedData`. */
function eventPayload(type: EventType, schemas: Schemas): Json {
  const name = typeNameOf(type);
  const event = schemas.of(cloudEvent(type), 'answered');
  const { data } = event.properties ?? {};
  const parts = data && !data['$ref'] ? { data: addComponent(schemas, `${name}Data`, data) } : {};
  return addComponent(schemas, `${name}Event`, { ...event, properties: { ...event.properties, ...parts } });
}

function addComponent({ components }: Schemas, name: string, schema: JsonSchema): JsonSchema {
  if (components[name]) throw new Error(`two different schemas are named ${name}`);
  components[name] = schema;
  return ref(`components/schemas/${name}`);
}

const feedMessage = (schemas: Schemas): Json => ({
  name: 'feed',
  title: 'State of the feed',
  summary:
    '`live`: new events are sent at once. `replaying`: missed events are sent, or, with `oldest_waiting_ms`, older events are still to be published. `stalled`: no new events can arrive since `since`. `gap`: missed events are lost; read the resources again. `time` is the clock of the server. Another `database_epoch` than before is a gap too: the database was restored. `checksums` are of what the server had some seconds ago: who has the same need not read the lists to compare.',
  payload: schemas.of(feedState, 'answered'),
  examples: [{ name: 'live', payload: { status: 'live', cursor: 'MTA0MjphN2Yz', time: '2026-11-20T21:00:00.000Z' } }],
});

const tokenMessage = (schemas: Schemas): Json => ({
  name: 'token',
  title: 'A new access token',
  summary: 'Keeps the connection open after the old token expires. A token of another user closes it.',
  payload: addComponent(schemas, 'AccessToken', schemas.of(secret(4096), 'sent')),
});
