import { membersOf, problemSchema } from '@comanda/contracts/problem-members';
import { problemsOf, type AnyEndpoint } from '@comanda/contracts/endpoint';
import { explanationOf, problems, type ProblemCode } from '@comanda/contracts/problems';
import { events, type EventType } from '@comanda/contracts/events';
import { cloudEvent } from '@comanda/contracts/event-data';
import { audienceOf, eventTypes } from './asyncapi.ts';
import { describe, exampleOf } from './json-schema.ts';

const generatedNotice = '<!-- Generated from the contracts by `npm run docs`. Changes here are overwritten. -->';
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** The page lists a problem's calls by name if there are no more than this. Otherwise, it shows only how many there are. */
const maxListedCalls = 6;

/** Creates `docs/errors.md`: all problem codes with their meaning, their fields and the calls that return them. */
export function errorsPage(endpoints: readonly AnyEndpoint[]): string {
  const callsOf = (code: ProblemCode): string => {
    const calls = endpoints.filter((contract) => problemsOf(contract).includes(code));
    if (calls.length > maxListedCalls) return `${calls.length} calls`;
    return calls.map(({ method, path }) => `\`${method} ${path}\``).join(', ') || 'the gateway';
  };
  const codes = Object.keys(problems) as ProblemCode[];
  const rows = codes.map((code) => {
    const { status } = problems[code];
    const members = Object.keys(membersOf(code) ?? {}).map((member) => `\`${member}\``);
    return row(`\`${code}\``, String(status), explanationOf(code), members.join(', '), callsOf(code));
  });
  return `${generatedNotice}

# Errors

Every failure is \`application/problem+json\` [RFC 9457]. Branch on \`code\`, which is stable. Don't parse \`title\` or \`detail\`. \`type\` is a path of the gateway that returns the explanation below. Every problem has \`type\`, \`title\`, \`status\`, \`code\` and \`request_id\`, and some have \`detail\`. The table lists the additional fields.

${json(exampleOf(describe(problemSchema('illegal_transition'))))}

After a 5xx with \`outcome: "unknown"\`, the write may have happened. Repeat the call with the same \`Idempotency-Key\`. \`Retry-After\` is in seconds.

| Code | Status | Meaning and next step | Additional fields | Returned by |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns only those parts of `value` that differ from `shown`, at every depth, together with the id and the version. */
function differences(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shown))
    return value.map((entry, index) => differences(entry, shown[index]));
  if (!isMembers(value) || !isMembers(shown)) return value;
  const differs = (name: string): boolean => JSON.stringify(value[name]) !== JSON.stringify(shown[name]);
  const names = Object.keys(value).filter((name) => ['id', 'version'].includes(name) || differs(name));
  return Object.fromEntries(names.map((name) => [name, differences(value[name], shown[name])]));
}

/** Creates `docs/events.md`: every event with its audience and an example. Only the first example shows the whole order. */
export function eventsPage(): string {
  const exampleOfEvent = (type: EventType) => exampleOf(describe(cloudEvent(type))) as Members & { data: Members };
  const { order } = exampleOfEvent('order.created').data;
  const dataOf = (type: EventType): string => {
    const { data } = exampleOfEvent(type);
    return json('order' in data ? { ...data, order: differences(data['order'], order) } : data);
  };
  const exampleIn = (type: EventType): string => {
    if (type === 'order.created') return json(exampleOfEvent(type));
    const same = eventTypes.find((other) => dataOf(other) === dataOf(type)) ?? type;
    return same === type ? dataOf(type) : `Its \`data\` has the same fields as \`${same}\`.`;
  };
  const audiences = [...new Set(eventTypes.map(audienceOf))].map((audience) => {
    const types = eventTypes.filter((type) => audienceOf(type) === audience);
    return row(types.map((type) => `\`${type}\``).join(', '), audience);
  });
  const chapters = eventTypes.map(
    (type) => `## \`${type}\`\n\nPublished when ${events[type].when}.\n\n${exampleIn(type)}`,
  );
  return `${generatedNotice}

# Events

Comanda publishes CloudEvents 1.0 in structured JSON. Each event goes to the exchange \`comanda.events\`, with its type as routing key, and into the stream \`comanda.feed\`. Clients receive events over Socket.IO as \`event(cloudEvent, cursor)\`. The gateway's \`/asyncapi.json\` describes how to connect, and has each event's whole example.

- An event may arrive more than once. Ignore an \`id\` that you have already processed.
- Each event of an order, a bill, a call, a dish, the pause or the settings has the whole resource with its \`version\`. Keep the highest version, whatever the order of arrival.
- Ignore unknown fields.

| Events | Who receives them |
| --- | --- |
${audiences.join('\n')}

\`source\` names the service that publishes the event, \`subject\` is the resource's id. The first example is a whole event. The others show only \`data\`, and of its order only the fields that differ from the first example.

${chapters.join('\n\n')}
`;
}
