import * as contracts from '@comanda/contracts/users';
import { problem } from '@comanda/contracts/problems';
import type { Api } from '@comanda/shared/http/api';
import type { ConsentStore } from '../consent/consent-store.ts';
import { originOf } from '../security-log/security-log.ts';
import { endSession, refreshSession } from '../sessions/sessions.ts';
import { changePassword } from './change-password.ts';
import { changeUser } from './change-user.ts';
import { listUsers } from './list-users.ts';
import { registerUser } from './register.ts';
import { signIn } from './sign-in.ts';
import type { SignIn } from './sign-in.ts';
import { presentUser } from './user.ts';

export type PeopleDesk = SignIn & { consent: ConsentStore; clock: () => number };

/** What people do for themselves. */
export function selfRoutes({ handle }: Api, desk: PeopleDesk): void {
  const { users, sessions, note } = desk;
  handle(contracts.registerUser, async ({ body }) => {
    const user = await registerUser(desk, { ...body, role: 'customer', passwordSetBy: 'oneself' });
    return { status: 201, body: presentUser(user) };
  });
  handle(contracts.login, async (call) => ({ status: 200, body: await signIn(desk, call.body, originOf(call)) }));
  handle(contracts.refresh, async (call) => ({
    status: 200,
    body: await refreshSession(sessions, call.body.refresh_token, originOf(call)),
  }));
  handle(contracts.logout, async ({ body }) => {
    await endSession(sessions, body.refresh_token);
    return { status: 204 };
  });
  handle(contracts.me, async ({ caller }) => {
    const user = await users.byId(caller.userId);
    if (!user) throw problem('invalid_token', { detail: 'There is no such user.' });
    return { status: 200, body: presentUser(user) };
  });
  handle(contracts.changePassword, async (call) => {
    const { caller } = call;
    await changePassword({ ...desk, sessions: sessions.store }, call.body, { caller, origin: originOf(call) });
    return { status: 204 };
  });
  handle(contracts.endSessions, async (call) => {
    await users.changeAndEndSessions(call.caller.userId, {});
    await note(call.caller.userId, 'sessions_ended', originOf(call));
    return { status: 204 };
  });
}

/** What managers do to others. */
export function staffRoutes({ handle }: Api, desk: PeopleDesk): void {
  const { users } = desk;
  handle(contracts.createUser, async ({ body }) => {
    const user = await registerUser(desk, { ...body, passwordSetBy: 'another' });
    return { status: 201, body: presentUser(user), headers: { Location: `/users/${user.id}` } };
  });
  handle(contracts.listUsers, ({ query }) => listUsers(users, query));
  handle(contracts.getUser, async ({ params }) => {
    const user = await users.byId(params.id);
    if (!user) throw problem('not_found');
    return { status: 200, body: presentUser(user) };
  });
  handle(contracts.updateUser, async (call) => {
    const who = { userId: call.params.id, managerId: call.caller.userId, origin: originOf(call) };
    return { status: 200, body: presentUser(await changeUser(desk, call.body, who)) };
  });
}
