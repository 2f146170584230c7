import { problem } from '@comanda/contracts/problem';
import { signInOnTablet as signInOnTabletContract } from '@comanda/contracts/tablets';
import * as contracts from '@comanda/contracts/sessions';
import type { User } from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { originOf } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import { toGuestResponse } from '../tables/guest.ts';
import { toUserResponse } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import { sessionIdOf } from '../session-id.ts';
import { changePassword, type ChangePasswordDeps } from './change-password.ts';
import { endAllSessions } from './end-all-sessions.ts';
import { endOwnSession } from './end-own-session.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import { refreshSession, type RefreshSessionDeps } from './refresh-session.ts';
import { signInOnTablet, type SignInOnTabletDeps } from './sign-in-on-tablet.ts';
import { signIn, type SignInDeps } from './sign-in.ts';
import { startGuestSession, type StartGuestSessionDeps } from './start-guest-session.ts';
import { takeSeat } from './take-seat.ts';

export type SessionRouteDeps = SignInDeps &
  SignInOnTabletDeps &
  StartGuestSessionDeps &
  RefreshSessionDeps &
  ChangePasswordDeps & { users: UserStore; guests: GuestStore };

export function registerSessionRoutes({ handle }: Api, deps: SessionRouteDeps): void {
  handle(contracts.login, async (call) => {
    const secure = call.header('x-forwarded-proto') === 'https';
    const from = { origin: originOf(call), cookies: call.header('cookie'), secure };
    const { pair, cookie } = await signIn(deps, call.body, from);
    return { status: 200, body: pair, headers: { 'Set-Cookie': cookie } };
  });
  handle(signInOnTabletContract, async (call) => ({
    status: 200,
    body: await signInOnTablet(deps, call.body, originOf(call)),
  }));
  handle(contracts.startGuestSession, async (call) => ({
    status: 200,
    body: await startGuestSession(deps, call.body, {
      origin: originOf(call),
      traceparent: call.context.traceparent,
    }),
  }));
  handle(contracts.refresh, async (call) => {
    const pair = await refreshSession(deps, { refreshToken: call.body.refresh_token, origin: originOf(call) });
    return { status: 200, body: pair };
  });
  handle(contracts.takeSeat, async (call) => {
    const { refresh_token: refreshToken, table_token: tableToken } = call.body;
    const { traceparent } = call.context;
    const pair = await takeSeat(deps, { refreshToken, tableToken, origin: originOf(call), traceparent });
    return { status: 200, body: pair };
  });
  handle(contracts.logout, async ({ body }) => {
    await endSession(deps, { refreshToken: body.refresh_token });
    return { status: 204 };
  });
  handle(contracts.endSessions, async (call) => {
    await endAllSessions(deps, { caller: call.caller, origin: originOf(call) });
    return { status: 204 };
  });
  handle(contracts.listSessions, async ({ caller }) => ({ status: 200, body: await listSessions(deps, caller) }));
  handle(contracts.endOneSession, async (call) => {
    await endOwnSession(deps, { id: call.params.id, userId: call.caller.userId }, originOf(call));
    return { status: 204 };
  });
  handle(contracts.me, async ({ caller }) => {
    const body = await findCaller(deps, caller);
    if (!body) throw problem('invalid_token', { detail: "The user of this token doesn't exist. Sign in again." });
    return { status: 200, body };
  });
  handle(contracts.changePassword, async (call) => {
    await changePassword(deps, call.body, { caller: call.caller, origin: originOf(call) });
    return { status: 204 };
  });
}

/** Returns the caller's user. A guest is found only while seated, so that a phone notices when its table was closed. */
async function findCaller(
  { users, guests, sessions, tables }: SessionRouteDeps,
  { userId, guest, jti }: Caller,
): Promise<User | null> {
  if (guest) {
    const [found, session] = await Promise.all([guests.findById(userId), sessions.findById(sessionIdOf(jti))]);
    const table = session?.seat && (await tables.findByScan(session.seat));
    if (found && !table) throw problem('invalid_token', { detail: 'The table was closed. Scan its QR code again.' });
    return found && toGuestResponse(found);
  }
  const user = await users.findById(userId);
  return user && toUserResponse(user);
}
