import { deepStrictEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The suites of the Socket.IO project. They are written for mocha and chai, in a browser or in Node.js. */
const protocolSuites = {
  'Socket.IO v5': { file: 'socket.io-protocol-v5.js.txt', path: '/socket.io/' },
  'Engine.IO v4': { file: 'engine.io-protocol-v4.js.txt', path: '/engine.io/' },
} as const;
export type ProtocolSuite = keyof typeof protocolSuites;
export type ProtocolCase = { name: string; run: () => Promise<void> };

/**
 * What the suites ask of a server. Their own times are shorter: on a machine that is busy, a ping would come before the answer
 * that a case waits for.
 */
export const askedOfServer = { pingInterval: 2000, pingTimeout: 3000, maxHttpBufferSize: 1_000_000 } as const;

/** How long a session without a pong may live longer than it should, on a busy machine. */
const leewayMs = 500;

/** The cases of a suite, for the server at this address. */
export async function readCases(suite: ProtocolSuite, { url, path }: { url: string; path: string }) {
  const { file, path: ownPath } = protocolSuites[suite];
  const replaced = [
    ['http://localhost:3000', url],
    [ownPath, path],
    ['PING_INTERVAL = 300', `PING_INTERVAL = ${askedOfServer.pingInterval}`],
    ['PING_TIMEOUT = 200', `PING_TIMEOUT = ${askedOfServer.pingTimeout}`],
    ['sleep(PING_INTERVAL + PING_TIMEOUT)', `sleep(PING_INTERVAL + PING_TIMEOUT + ${leewayMs})`],
  ] as const;
  let source = readFileSync(join(import.meta.dirname, file), 'utf8');
  for (const [from, to] of replaced) {
    if (!source.includes(from)) throw new Error(`${file} has no ${from} any more: see what it is called now`);
    source = source.replaceAll(from, to);
  }

  const cases: ProtocolCase[] = [];
  const titles: string[] = [];
  const describe = (title: string, body: () => void): void => {
    titles.push(title);
    body.call({ timeout: () => undefined });
    titles.pop();
  };
  const it = (title: string, run: () => Promise<void>): void => {
    cases.push({ name: [...titles, title].join(' > '), run });
  };
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...given: unknown[]) => unknown;
  // With a `window`, it takes the WebSocket, fetch and chai that are there, instead of importing some.
  const load = new AsyncFunction('window', 'chai', 'describe', 'it', source);
  await load({}, { expect: expectLikeChai }, describe, it);
  return cases;
}

/** The assertions of chai that the suites use. Any other one fails its case. */
const expectLikeChai = (actual: unknown) => ({
  to: {
    eql: (expected: unknown) => deepStrictEqual(actual, expected),
    startsWith: (start: string) => ok(String(actual).startsWith(start), `${String(actual)} starts with ${start}`),
    have: {
      all: {
        keys: (...names: string[]) => deepStrictEqual(Object.keys(actual as object).toSorted(), names.toSorted()),
      },
    },
    be: {
      a: (type: string) => deepStrictEqual(typeof actual, type),
      oneOf: (allowed: unknown[]) => ok(allowed.includes(actual), `${String(actual)} is one of ${allowed.join(', ')}`),
    },
  },
});
