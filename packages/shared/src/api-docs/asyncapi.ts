import { events } from '@comanda/contracts/events';
import type { EventType } from '@comanda/contracts/events';
import { cloudEvent, feedState } from '@comanda/contracts/feed';
import { secret } from '@comanda/contracts/schema';
import { createSchemas, describe, exampleOf } from './json-schema.ts';
import type { Schemas } from './json-schema.ts';
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

const introduction = `The live feed: what happens in the house, on screens within milliseconds, and what was missed given again. Socket.IO, WebSocket only, default namespace, at the gateway or at the notifier itself.

\`\`\`js
const socket = io('http://localhost:3000', {
  transports: ['websocket'],
  auth: (send) => send({ token: accessToken, ...(cursor && { after: cursor }) }),
});
socket.on('event', (event, newCursor) => { cursor = newCursor; console.log(event.type, event.data); });
socket.on('feed', (state) => console.log(state.status));
\`\`\`

- Connect with \`auth: { token, after? }\`. \`after\` is the last cursor that came: everything since that the caller may see comes first, then the feed is live, with no hole and no reordering. A refusal is \`connect_error\` with the problem's code in \`data.code\`.
- An event may come twice: \`id\` tells. It carries the whole resource with its \`version\`: keep the highest.
- \`feed\` with \`gap\`: what was missed is no longer to be had. Forget what was folded, read \`GET /orders\`, go on.
- The socket is closed when its token ends, unless \`token\` was emitted with a new one of the same user.
- Connect first, read \`GET /orders\` then. Ignore keys that you do not know.`;

const audiences = {
  order: 'Staff, the customer who placed the order, and the guests of its seating.',
  everyone: 'Everyone.',
  user: 'The user that the data names, nobody else.',
  parties: 'The users that the data names, nobody else.',
} as const;
/** Who hears events of `type`, in a sentence. */
export const audienceOf = (type: EventType): string => audiences[events[type].audience];
export const eventTypes = Object.keys(events) as EventType[];

const ref = (path: string) => ({ $ref: `#/${path}` });
const host = (url: string): string => new URL(url).host;
const protocol = (url: string): string => (new URL(url).protocol === 'https:' ? 'wss' : 'ws');

/** AsyncAPI 3.0 of every event and of the live feed; the URLs are those that browsers use. */
export function asyncApi({ gatewayUrl, notifierUrl }: { gatewayUrl: string; notifierUrl: string }): AsyncApi {
  const schemas = createSchemas();
  const server = (url: string, description: string): Json => ({
    host: host(url),
    protocol: protocol(url),
    pathname: '/socket.io/',
    description,
    security: [ref('components/securitySchemes/accessToken')],
  });
  const messages = Object.fromEntries(eventTypes.map((type) => [type, eventMessage(type, schemas)]));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Comanda live feed', version: apiVersion, description: introduction },
    defaultContentType: 'application/json',
    servers: {
      gateway: server(gatewayUrl, 'The gateway'),
      notifier: server(notifierUrl, 'The notifier itself: where screens connect first'),
    },
    channels: {
      feed: {
        address: '/',
        title: 'The live feed',
        description: "Socket.IO's default namespace.",
        servers: [ref('servers/gateway'), ref('servers/notifier')],
        messages: Object.fromEntries(
          [...eventTypes, 'feed', 'token'].map((name) => [name, ref(`components/messages/${name}`)]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      event: operation('send', 'What happened, in the order of the stream: `event(cloudEvent, cursor)`', eventTypes),
      feed: operation('send', 'How the feed stands, at every change and every 15 s: `feed(state)`', ['feed']),
      token: operation('receive', 'A new access token of the same user, before the old one ends: `token(text)`', [
        'token',
      ]),
    },
    components: {
      messages: { ...messages, feed: feedMessage(schemas), token: tokenMessage(schemas) },
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

const operation = (action: 'send' | 'receive', summary: string, names: readonly string[]): Json => ({
  action,
  channel: ref('channels/feed'),
  summary,
  messages: names.map((name) => ref(`channels/feed/messages/${name}`)),
});

function eventMessage(type: EventType, schemas: Schemas): Json {
  const schema = cloudEvent(type);
  return {
    name: type,
    title: type,
    summary: `When ${events[type].when}.`,
    description: `For: ${audienceOf(type)}`,
    contentType: 'application/cloudevents+json',
    headers: {
      type: 'object',
      description: "Socket.IO's second argument.",
      properties: { cursor: { type: 'string', description: 'Where this event stands in the feed, for `after`.' } },
      required: ['cursor'],
    },
    payload: schemas.of(schema, 'answered'),
    examples: [{ name: type, payload: exampleOf(describe(schema)), headers: { cursor: 'MTA0MjphN2Yz' } }],
  };
}

const feedMessage = (schemas: Schemas): Json => ({
  name: 'feed',
  title: 'How the feed stands',
  summary:
    '`live`; `replaying` what was missed; `stalled` since when: nothing new can come; `gap`: read again what you fold. `time` is the clock of the server.',
  payload: schemas.of(feedState, 'answered'),
  examples: [{ name: 'live', payload: { status: 'live', cursor: 'MTA0MjphN2Yz', time: '2026-11-20T21:00:00.000Z' } }],
});

const tokenMessage = (schemas: Schemas): Json => ({
  name: 'token',
  title: 'A new access token',
  summary: "Keeps the socket open past the old token's end; another user's closes it.",
  payload: schemas.of(secret(4096), 'sent'),
});
