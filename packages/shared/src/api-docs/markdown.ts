import { membersOf, problemSchema } from '@comanda/contracts/problem-members';
import { problemsOf, type AnyEndpoint } from '@comanda/contracts/endpoint';
import { explanationOf, problems, type ProblemCode } from '@comanda/contracts/problems';
import { events } from '@comanda/contracts/events';
import { cloudEvent } from '@comanda/contracts/feed';
import { audienceOf, eventTypes } from './asyncapi.ts';
import { describe, exampleOf } from './json-schema.ts';

const generatedNotice = '<!-- Generated from the contracts by `npm run docs`. Changes here are overwritten. -->';
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** If more calls than this answer a problem, only their number is shown. */
const maxListedCalls = 6;

/** `docs/errors.md`: every problem code with its meaning, its members and the calls that answer it. */
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

/** `docs/events.md`: every event with its audience and an example. */
export function eventsPage(): string {
  const chapters = eventTypes.map((type) => {
    const { when } = events[type];
    return `## \`${type}\`

Published when ${when}. Sent to: ${audienceOf(type).toLowerCase()}

${json(exampleOf(describe(cloudEvent(type))))}`;
  });
  return `${generatedNotice}

# Events

Events are CloudEvents 1.0 in structured JSON. They are published to the exchange \`comanda.events\` with the event type as routing key, and stored in the stream \`comanda.feed\`. Clients receive them over Socket.IO as \`event(cloudEvent, cursor)\`; \`/asyncapi.json\` of the gateway describes how to connect. Each event of an order, a dish or the pause has the whole resource with its \`version\`: keep the highest version, and order and duplicates do not matter. An event may arrive more than once: ignore an \`id\` that you have already processed. Ignore unknown keys.

${chapters.join('\n\n')}
`;
}
