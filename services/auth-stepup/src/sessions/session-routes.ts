import * as contracts from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import type { UserStore } from '../users/user-store.ts';
import { endAllSessions } from './end-all-sessions.ts';
import { endSession } from './end-session.ts';
import { refreshSession } from './refresh-session.ts';
import type { RefreshSessionDeps } from './refresh-session.ts';
import { signIn } from './sign-in.ts';
import type { SignInDeps } from './sign-in.ts';

export type SessionRouteDeps = SignInDeps & RefreshSessionDeps & { users: UserStore; guests: GuestStore };

export function registerSessionRoutes({ handle }: Api, deps: SessionRouteDeps): void {
  handle(contracts.login, async (call) => ({ status: 200, body: await signIn(deps, call.body, originOf(call)) }));
  handle(contracts.refresh, async (call) => {
    const pair = await refreshSession(deps, { refreshToken: call.body.refresh_token, origin: originOf(call) });
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
}
