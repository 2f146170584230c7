import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { findFirstManager } from './first-manager.ts';

type Asked = { status: number; body: object };
/** Asks a gateway that gives this answer about the setup. */
async function ask({ status, body }: Asked): Promise<{ found: unknown; lines: string[] }> {
  const gateway = createServer((_req, res) => void res.writeHead(status).end(JSON.stringify(body))).listen(
    0,
    '127.0.0.1',
  );
  await once(gateway, 'listening');
  const lines: string[] = [];
  const gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const log = (line: string): void => void lines.push(line);
  const found = await findFirstManager({ gatewayUrl, env: {}, isTerminal: false, log });
  gateway.close();
  return { found, lines };
}

test.each([
  ['exists', true],
  ['needed', false],
])('the first manager is %s as the gateway says', async (expected, hasManager) => {
  const body = { needs_first_manager: !hasManager };

  expect(await ask({ status: 200, body })).toEqual({ found: expected, lines: [] });
});

test('the first manager counts as needed if the gateway does not say, and the reason is logged', async () => {
  const { found, lines } = await ask({ status: 503, body: { code: 'service_unavailable' } });

  expect(found).toBe('needed');
  expect(lines).toEqual(['no setup code was created: GET /setup returned 503']);
});
