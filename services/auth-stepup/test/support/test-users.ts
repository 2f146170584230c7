import type { Connection } from 'mongoose';
import type { Role } from '@comanda/contracts/endpoint';
import type { createSealer } from '@comanda/shared/crypto/seal';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { newEmail, passwordHash } from '@comanda/testing/credentials';
import { silentLogger } from '@comanda/testing/silent-logger';
import { signerAt } from '../../src/keys/key-ring.ts';
import type { createKeyStore } from '../../src/keys/key-store.ts';
import { createAccessTokens } from '../../src/sessions/access-token.ts';
import { createRefreshTokens } from '../../src/sessions/refresh-token.ts';
import { createSessionStore } from '../../src/sessions/session-store.ts';
import { beginSession } from '../../src/sessions/begin-session.ts';
import { createUserStore, type UserStore } from '../../src/users/user-store.ts';
import type { User } from '../../src/users/user.ts';

type KeyStore = ReturnType<typeof createKeyStore>;
type Options = {
  connection: Connection;
  keys: KeyStore;
  sealer: ReturnType<typeof createSealer>;
  clock: () => number;
};
type NewTestUser = Pick<User, 'name' | 'email' | 'role'> & { passwordHash: string };
export type TestUsers = Pick<UserStore, 'findByEmail'> & {
  insert: (user: NewTestUser) => Promise<User>;
  /** Creates a user with the test password and a session. */
  create: (name: string, role: Role) => Promise<TestUser>;
  /** Starts another session for the same user. */
  newSession: (user: { id: number }) => Promise<TestUser>;
  close: () => Promise<void>;
};

const dayMs = 24 * 3600_000;

/** Creates users and sessions like the service, but without checking and hashing passwords. */
export function createTestUsers({ connection, keys, sealer, clock }: Options): TestUsers {
  let inserting = 0;
  // MongoDB is reported as up only during an insertion, so that no heartbeats are written at other times.
  const transactions = createTransactions({ connection, isUp: () => inserting > 0, logger: silentLogger });
  const users = createUserStore({ connection, transactions });
  const sessions = createSessionStore(connection);
  const refreshTokens = createRefreshTokens(sealer.derive('refresh-tokens'));
  const sessionLengths = { userMs: 30 * dayMs, managerMs: dayMs };

  async function startSession(user: User): Promise<TestUser> {
    const key = await signingKey(keys, clock());
    const accessTokens = createAccessTokens({ keys: key, issuer: 'comanda', audience: 'comanda', clock });
    const pair = await beginSession(
      { sessions, refreshTokens, accessTokens, sessionLengths, clock },
      { user, seat: null },
      { address: '127.0.0.1', userAgent: 'test' },
    );
    return { id: user.id, email: user.email, token: pair.access_token, refreshToken: pair.refresh_token };
  }
  async function insert(user: NewTestUser): Promise<User> {
    inserting++;
    try {
      return await users.insert({ ...user, addedBy: null, createdAt: clock() });
    } finally {
      inserting--;
    }
  }
  return {
    findByEmail: users.findByEmail,
    insert,
    create: async (name, role) => startSession(await insert({ name, email: newEmail(name), passwordHash, role })),
    newSession: async ({ id }) => {
      const user = await users.findById(id);
      if (!user) throw new Error(`no user ${id}`);
      return startSession(user);
    },
    close: async () => {
      await users.close();
      await transactions.close();
    },
  };
}

/** Returns the current signing key in the format for token issuers. @throws Error if there is none */
export async function signingKey(keys: KeyStore, now: number) {
  const key = signerAt(await keys.findAll(), now);
  if (!key?.privateKey) throw new Error('no key signs');
  const { kid, privateKey } = key;
  return { signer: () => ({ kid, privateKey }), verifier: () => undefined };
}
