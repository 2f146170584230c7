import { membersOf, problemSchema } from '@comanda/contracts/problem-members';
import { problemsOf } from '@comanda/contracts/endpoint';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problems } from '@comanda/contracts/problems';
import type { ProblemCode } from '@comanda/contracts/problems';
import { events } from '@comanda/contracts/events';
import { cloudEvent } from '@comanda/contracts/feed';
import { audienceOf, eventTypes } from './asyncapi.ts';
import { describe, exampleOf } from './json-schema.ts';

const made = '<!-- Made from the contracts by `npm run docs`; what you write here is overwritten. -->';
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** To list more calls than this would say nothing. */
const mostListed = 6;

/** `docs/errors.md`: every problem code, what it says besides, and which calls answer it. */
export function errorsPage(endpoints: readonly AnyEndpoint[]): string {
  const callsOf = (code: ProblemCode): string => {
    const calls = endpoints.filter((contract) => problemsOf(contract).includes(code));
    if (calls.length > mostListed) return `${calls.length} calls`;
    return calls.map(({ method, path }) => `\`${method} ${path}\``).join(', ') || 'the gateway, before any call';
  };
  const codes = Object.keys(problems) as ProblemCode[];
  const rows = codes.map((code) => {
    const { status, about } = problems[code];
    const members = Object.keys(membersOf(code) ?? {}).map((member) => `\`${member}\``);
    return row(`\`${code}\``, String(status), about, members.join(', '), callsOf(code));
  });
  return `${made}

# Errors

Every failure is \`application/problem+json\` [RFC 9457]. \`code\` is stable: programs decide by it, never by \`title\` or \`detail\`. The address in \`type\` answers, on the gateway, with what stands here. Besides their own members all have \`type\`, \`title\`, \`status\`, \`code\`, \`request_id\` and sometimes \`detail\`.

${json(exampleOf(describe(problemSchema('illegal_transition'))))}

A 5xx with \`outcome: "unknown"\` may have written: repeat it with the same \`Idempotency-Key\`. \`Retry-After\` is in seconds.

| Code | Status | What to do | Says besides | Answered by |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** `docs/events.md`: every event, who hears it, and what it looks like. */
export function eventsPage(): string {
  const chapters = eventTypes.map((type) => {
    const { when } = events[type];
    return `## \`${type}\`

When ${when}. For: ${audienceOf(type).toLowerCase()}

${json(exampleOf(describe(cloudEvent(type))))}`;
  });
  return `${made}

# Events

CloudEvents 1.0 in structured JSON: on the exchange \`comanda.events\` with the type as routing key, in the stream \`comanda.feed\`, and on screens as Socket.IO's \`event(cloudEvent, cursor)\` (\`/asyncapi.json\` on the gateway says how to connect). Each carries the whole resource with its \`version\`: keep the highest you have seen, then order and duplicates cannot hurt. \`id\` is unique; the second time, do nothing. Ignore keys that you do not know.

${chapters.join('\n\n')}
`;
}
