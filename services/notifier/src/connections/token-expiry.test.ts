import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import type { FeedSocket } from './socket-types.ts';
import { closeOnTokenExpiry } from './token-expiry.ts';

test('when a client sends a token while another one is checked, then the socket is closed, and the second is not checked', () => {
  const events = new EventEmitter();
  const checked: string[] = [];
  let isClosed = false;
  const socket = Object.assign(events, {
    data: { caller: { userId: 1, expiresAt: Date.now() / 1000 + 900 } },
    disconnect: () => (isClosed = true),
  }) as unknown as FeedSocket;
  const tokens = {
    verify: (token: string) => {
      checked.push(token);
      return new Promise<never>(() => undefined);
    },
    findCached: () => null,
    close: () => undefined,
  };
  const { stop } = closeOnTokenExpiry(socket, { tokens, logger, clock: Date.now });

  events.emit('token', 'first');
  const wasClosed = isClosed;
  events.emit('token', 'second');
  stop();

  expect({ wasClosed, isClosed, checked }).toEqual({ wasClosed: false, isClosed: true, checked: ['first'] });
});
