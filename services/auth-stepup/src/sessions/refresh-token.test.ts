import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { createRefreshTokens, newSessionId } from './refresh-token.ts';

const tokens = createRefreshTokens(new Map([['a', randomBytes(32)]]));

describe('refresh tokens', () => {
  test("for one session differ, but all contain the session's id", () => {
    const id = newSessionId();

    const [first, second] = [tokens.issue(id), tokens.issue(id)];

    expect(tokens.read(first.token)).toEqual({ sessionId: id, hash: first.hash });
    expect(tokens.read(second.token)).toEqual({ sessionId: id, hash: second.hash });
    expect(first.token).not.toBe(second.token);
    expect(first.hash).not.toBe(second.hash);
  });

  test('are rejected if any bit was changed', () => {
    const { token } = tokens.issue(newSessionId());
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(tokens.read(changed.toString('base64url'))).toBeNull();
      }),
    );
  });

  test('are rejected if they are signed with another key', () => {
    const { token } = createRefreshTokens(new Map([['a', randomBytes(32)]])).issue(newSessionId());

    expect(tokens.read(token)).toBeNull();
  });

  test('signed with a replaced key are accepted until that key is removed', () => {
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const old = createRefreshTokens(new Map([['2025', before]]));
    const both = createRefreshTokens(
      new Map([
        ['2026', after],
        ['2025', before],
      ]),
    );
    const current = createRefreshTokens(new Map([['2026', after]]));
    const [oldToken, newToken] = [old.issue(newSessionId()).token, both.issue(newSessionId()).token];

    expect([both.read(oldToken), both.read(newToken), current.read(newToken)]).not.toContain(null);
    expect([current.read(oldToken), old.read(newToken)]).toEqual([null, null]);
  });

  test("can't be any other text", () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(tokens.read(text)).toBeNull()));
  });

  test("can't be another encoding of the same bytes", () => {
    const { token } = tokens.issue(newSessionId());
    const last = token.at(-1) ?? '';
    const otherChar = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      .split('')
      .find(
        (char) =>
          char !== last && Buffer.from(token.slice(0, -1) + char, 'base64url').equals(Buffer.from(token, 'base64url')),
      );

    expect(otherChar).toEqual(expect.any(String));
    expect(tokens.read(token.slice(0, -1) + otherChar)).toBeNull();
  });
});
