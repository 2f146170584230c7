import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import type { Consume } from '@comanda/shared/http/step-up';
import { originOf } from '../security-log/security-event.ts';
import { changePassword } from './change-password.ts';
import type { ChangePasswordDeps } from './change-password.ts';
import { changeUser } from './change-user.ts';
import type { ChangeUserDeps } from './change-user.ts';
import { listUsers } from './list-users.ts';
import { registerUser } from './register-user.ts';
import type { RegisterUserDeps } from './register-user.ts';
import { toUserResponse } from './user.ts';
import type { UserStore } from './user-store.ts';

export type UserRouteDeps = RegisterUserDeps &
  ChangePasswordDeps &
  ChangeUserDeps & { users: UserStore; consume: Consume };

export function registerUserRoutes(api: Api, deps: UserRouteDeps): void {
  registerOwnRoutes(api, deps);
  registerManagerRoutes(api, deps);
}

function registerOwnRoutes({ handle }: Api, deps: UserRouteDeps): void {
  handle(contracts.registerUser, async ({ body }) => {
    const user = await registerUser(deps, { ...body, role: 'customer', passwordSetBy: 'user' });
    return { status: 201, body: toUserResponse(user) };
  });
  handle(contracts.me, async ({ caller }) => {
    const user = await deps.users.findById(caller.userId);
    if (!user) throw problem('invalid_token', { detail: 'The user of this token does not exist.' });
    return { status: 200, body: toUserResponse(user) };
  });
  handle(contracts.changePassword, async (call) => {
    await changePassword(deps, call.body, { caller: call.caller, origin: originOf(call) });
    return { status: 204 };
  });
}

function registerManagerRoutes({ handle }: Api, deps: UserRouteDeps): void {
  handle(contracts.createUser, async (call) => {
    const consent = await deps.consume(call);
    const user = await registerUser(deps, { ...call.body, passwordSetBy: 'somebody else' });
    return { status: 201, body: toUserResponse(user), headers: { Location: `/users/${user.id}` }, consent };
  });
  handle(contracts.listUsers, async ({ query: { limit = 50, cursor } }) => {
    const { users, nextCursor } = await listUsers(deps, { limit, cursor });
    const body = users.map(toUserResponse);
    if (nextCursor === null) return { status: 200, body };
    const next = `${contracts.listUsers.path}?limit=${limit}&cursor=${nextCursor}`;
    return { status: 200, body, headers: { Link: `<${next}>; rel="next"` } };
  });
  handle(contracts.getUser, async ({ params }) => {
    const user = await deps.users.findById(params.id);
    if (!user) throw problem('not_found');
    return { status: 200, body: toUserResponse(user) };
  });
  handle(contracts.updateUser, async (call) => {
    const changedBy = { userId: call.params.id, managerId: call.caller.userId, origin: originOf(call) };
    const consent = await deps.consume(call);
    return { status: 200, body: toUserResponse(await changeUser(deps, call.body, changedBy)), consent };
  });
}
