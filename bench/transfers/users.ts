import { randomUUID } from 'node:crypto';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Connection } from 'mongoose';
import { createAccessTokens } from '../../services/auth-stepup/src/sessions/access-token.ts';
import type { Session } from '../../services/auth-stepup/src/sessions/session.ts';
import { createSessionStore } from '../../services/auth-stepup/src/sessions/session-store.ts';
import { createUserStore } from '../../services/auth-stepup/src/users/user-store.ts';
import { accountCount, inPortions } from './accounts.ts';

type Options = {
  /** A connection to auth-stepup's database, which auth-stepup has prepared. */
  connection: Connection;
  keys: Parameters<typeof createAccessTokens>[0]['keys'];
  logger: Logger;
};

const dayMs = 24 * 3600_000;
/** How often to renew tokens, in milliseconds. Tokens last 15 minutes, and the benchmark may take longer. */
const renewAfterMs = 10 * 60_000;

/** Signs in customers 1 to 10,000. Returns a function that returns a customer's access token. */
export async function signInUsers({ connection, keys, logger }: Options): Promise<(userId: number) => string> {
  const transactions = createTransactions({ connection, isUp: () => true, logger });
  const users = createUserStore({ connection, transactions });
  const sessions = createSessionStore(connection);
  const tokens = createAccessTokens({ keys, issuer: 'comanda', audience: 'comanda', clock: Date.now });
  const numbers = Array.from({ length: accountCount }, (_, index) => index + 1);
  const signedIn = await inPortions(numbers, 500, async (number) => {
    const user = await users.insert({
      name: 'Ana',
      email: `ana${number}@example.com`,
      passwordHash: 'none',
      role: 'customer',
      createdAt: Date.now(),
      addedBy: null,
    });
    if (user.id !== number) throw new Error(`user ${number} has the id ${user.id}`);
    const now = Date.now();
    const session: Session = {
      id: randomUUID(),
      userId: user.id,
      epoch: user.sessionEpoch,
      authTime: now,
      guest: false,
      seat: null,
      tablet: null,
      current: randomUUID(),
      previous: null,
      expiresAt: now + dayMs,
      endsAt: now + dayMs,
      lastUse: { at: now, address: '127.0.0.1', userAgent: '' },
      revokedAt: null,
    };
    await sessions.insert(session);
    return { user, session };
  });
  await Promise.all([users.close(), transactions.close()]);
  const issued = new Map<number, { token: string; at: number }>();
  return (userId) => {
    const found = issued.get(userId);
    if (found && Date.now() - found.at < renewAfterMs) return found.token;
    const { user, session } = signedIn[userId - 1] as (typeof signedIn)[number];
    const { token } = tokens.issue(user, session);
    issued.set(userId, { token, at: Date.now() });
    return token;
  };
}
