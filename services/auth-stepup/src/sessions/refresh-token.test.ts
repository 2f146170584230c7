import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { createRefreshTokens, newSessionId } from './refresh-token.ts';

const tokens = createRefreshTokens(randomBytes(32));

describe('refresh tokens', () => {
  test('when one is issued, then it is read as that session, and no two are the same', () => {
    const id = newSessionId();
    const [one, two] = [tokens.issue(id), tokens.issue(id)];
    expect(tokens.read(one.token)).toEqual({ sessionId: id, hash: one.hash });
    expect(one.token).not.toBe(two.token);
    expect(one.hash).not.toBe(two.hash);
  });

  test('when any bit is another, or another key made it, then it is none of ours', () => {
    const { token } = tokens.issue(newSessionId());
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(tokens.read(changed.toString('base64url'))).toBeNull();
      }),
    );
    expect(createRefreshTokens(randomBytes(32)).read(token)).toBeNull();
  });

  test('when it is any other text, then it is none of ours', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(tokens.read(text)).toBeNull()));
  });

  test('when it is the same bytes written otherwise, then it is none of ours', () => {
    const { token } = tokens.issue(newSessionId());
    const last = token.at(-1) ?? '';
    const twin = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      .split('')
      .find(
        (char) =>
          char !== last && Buffer.from(token.slice(0, -1) + char, 'base64url').equals(Buffer.from(token, 'base64url')),
      );
    expect(twin).toEqual(expect.any(String));
    expect(tokens.read(token.slice(0, -1) + twin)).toBeNull();
  });
});
