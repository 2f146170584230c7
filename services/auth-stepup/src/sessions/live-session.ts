import { problem } from '@comanda/contracts/problem';
import { changePin, consumeStepUp, stepUp } from '@comanda/contracts/security';
import type { Api } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { GuestStore } from '../tables/guest-store.ts';
import type { TabletStore } from '../tablets/tablet-store.ts';
import { userNotActive, type SessionHolder, type User } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import { sessionIdOf } from './access-token.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { isTabletLive } from './tablet-session.ts';

export type LiveSessionDeps = {
  sessions: Pick<SessionStore, 'findById'>;
  users: Pick<UserStore, 'findById'>;
  guests: Pick<GuestStore, 'findById'>;
  tablets: Pick<TabletStore, 'isRegistered'>;
};

type TokenHolder = Pick<Caller, 'userId' | 'jti' | 'guest'>;

const sessionEnded = () => problem('invalid_token', { detail: 'The session of this token has ended. Sign in again.' });

/**
 * The user of an access token, if user and session are what the token says now: a token alone outlives both by 15 minutes.
 * @throws 401 `invalid_token` if the session has ended or the user is disabled
 */
export async function getLiveUser(deps: LiveSessionDeps, { userId, jti }: TokenHolder): Promise<User> {
  const { sessions, users } = deps;
  const [session, user] = await Promise.all([sessions.findById(sessionIdOf(jti)), users.findById(userId)]);
  if (user?.status !== 'active') throw userNotActive();
  if (!session || !isLive(session, user) || !(await isTabletLive(deps, session, user))) throw sessionEnded();
  return user;
}

/** @throws 401 `invalid_token` as `getLiveUser`, for guests as well */
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

/** These compare the session themselves: with the read of the PIN, or before a token is spent. */
const selfChecking = new Set([stepUp, changePin, consumeStepUp].map(({ name }) => name));

/** An API whose endpoints that write for a caller refuse the access tokens of ended sessions. */
export const requireLiveSessions = ({ app, handle }: Api, deps: LiveSessionDeps): Api => ({
  app,
  handle: (contract, handler) => {
    const { method, who } = contract;
    if (method === 'GET' || who === 'anyone' || selfChecking.has(contract.name)) return handle(contract, handler);
    const guarded = async (call: { caller: Caller }): Promise<never> => {
      await assertLiveSession(deps, call.caller);
      return handler(call as never) as never;
    };
    handle(contract, guarded as never);
  },
});
