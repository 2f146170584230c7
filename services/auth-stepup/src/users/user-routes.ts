import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/users';
import type { User as UserResponse } from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { originOf } from '../security-log/security-event.ts';
import { toGuestResponse } from '../tables/guest.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import { addUser } from './add-user.ts';
import type { AddUserDeps } from './add-user.ts';
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
  AddUserDeps &
  ChangeUserDeps & { users: UserStore; guests: Pick<GuestStore, 'findById'> };

export function registerUserRoutes(api: Api, deps: UserRouteDeps): void {
  registerOwnRoutes(api, deps);
  registerManagerRoutes(api, deps);
}

function registerOwnRoutes({ handle }: Api, deps: UserRouteDeps): void {
  handle(contracts.registerUser, async ({ body, address }) => {
    const user = await registerUser(deps, body, { address });
    return { status: 201, body: toUserResponse(user) };
  });
  handle(contracts.me, async ({ caller }) => {
    const body = await findCaller(deps, caller);
    if (!body) throw problem('invalid_token', { detail: 'The user of this token does not exist.' });
    return { status: 200, body };
  });
  handle(contracts.changePassword, async (call) => {
    await changePassword(deps, call.body, { caller: call.caller, origin: originOf(call) });
    return { status: 204 };
  });
}

async function findCaller({ users, guests }: UserRouteDeps, { userId, guest }: Caller): Promise<UserResponse | null> {
  if (guest) {
    const found = await guests.findById(userId);
    return found && toGuestResponse(found);
  }
  const user = await users.findById(userId);
  return user && toUserResponse(user);
}

function registerManagerRoutes({ handle }: Api, deps: UserRouteDeps): void {
  handle(contracts.createUser, async (call) => {
    const { user, consent } = await addUser(deps, call, originOf(call));
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
    const { user, consent } = await changeUser(deps, call, originOf(call));
    return { status: 200, body: toUserResponse(user), consent };
  });
}
