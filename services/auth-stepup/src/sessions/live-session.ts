import { Problem, problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { GuestStore } from '../tables/guest-store.ts';
import type { TabletStore } from '../tablets/tablet-store.ts';
import { userNotActive, type SessionHolder, type User } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import { sessionIdOf } from '../session-id.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { isTabletLive } from './tablet-session.ts';

export type LiveSessionDeps = {
  sessions: Pick<SessionStore, 'findById' | 'findByIds'>;
  users: Pick<UserStore, 'findById' | 'findByIds'>;
  guests: Pick<GuestStore, 'findById'>;
  tablets: Pick<TabletStore, 'isRegistered'>;
};

type TokenHolder = Pick<Caller, 'userId' | 'jti' | 'guest'>;

const sessionEnded = () => problem('invalid_token', { detail: 'The session of this token has ended. Sign in again.' });

/**
 * Returns the user that an access token belongs to, if neither the user nor the session has changed since the token was issued.
 * Without this check, a token could remain usable for up to 15 minutes after the session ends or the user is disabled.
 * @throws 401 `invalid_token` if the session has ended or the user is disabled
 */
export async function getLiveUser(deps: LiveSessionDeps, { userId, jti }: TokenHolder): Promise<User> {
  const { sessions, users } = deps;
  const [session, user] = await Promise.all([sessions.findById(sessionIdOf(jti)), users.findById(userId)]);
  return assertLive(deps, { session, user });
}

/**
 * Works like `getLiveUser` for a list, but reads the sessions and the users only once. Returns a user or a problem for each
 * caller, in the same order. A caller whose token was already rejected stays rejected.
 */
export async function getLiveUsers(
  deps: LiveSessionDeps,
  callers: readonly (TokenHolder | Problem)[],
): Promise<(User | Problem)[]> {
  const accepted = callers.flatMap((caller) => (caller instanceof Problem ? [] : [caller]));
  const [sessions, users] = await Promise.all([
    deps.sessions.findByIds(accepted.map(({ jti }) => sessionIdOf(jti))),
    deps.users.findByIds(accepted.map(({ userId }) => userId)),
  ]);
  return Promise.all(
    callers.map(async (caller) => {
      if (caller instanceof Problem) return caller;
      const found = { session: sessions.get(sessionIdOf(caller.jti)), user: users.get(caller.userId) };
      return assertLive(deps, found).catch(orProblem);
    }),
  );
}

type Found = { session: Session | null | undefined; user: User | null | undefined };

async function assertLive(deps: Pick<LiveSessionDeps, 'tablets'>, { session, user }: Found): Promise<User> {
  if (user?.status !== 'active') throw userNotActive();
  if (!session || !isLive(session, user) || !(await isTabletLive(deps, session, user))) throw sessionEnded();
  return user;
}

/**
 * Returns `error` if it is a problem, so that only one entry of a list fails. Throws any other error, so that the whole list
 * fails.
 */
export function orProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/**
 * Checks that the caller's session is open, for guests too.
 * @throws 401 `invalid_token`, like `getLiveUser`
 */
export async function assertLiveSession(deps: LiveSessionDeps, caller: TokenHolder): Promise<void> {
  if (!caller.guest) return void (await getLiveUser(deps, caller));
  const [session, guest] = await Promise.all([
    deps.sessions.findById(sessionIdOf(caller.jti)),
    deps.guests.findById(caller.userId),
  ]);
  if (!guest || !isLive(session, guest)) throw sessionEnded();
}

const isLive = (session: Session | null, { id, sessionEpoch }: SessionHolder): boolean =>
  session?.userId === id && session.revokedAt === null && session.epoch === sessionEpoch;
