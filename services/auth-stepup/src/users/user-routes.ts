import { problem } from '@comanda/contracts/problem';
import { registerUser as registerUserContract } from '@comanda/contracts/sessions';
import * as contracts from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { originOf } from '../security-log/security-event.ts';
import { acceptInvitation, type AcceptInvitationDeps } from './accept-invitation.ts';
import { addUser, type AddUserDeps } from './add-user.ts';
import { changeUser, type ChangeUserDeps } from './change-user.ts';
import { findInvited } from './find-invited.ts';
import { inviteUser, type InviteUserDeps } from './invite-user.ts';
import { listUsers } from './list-users.ts';
import { registerUser, type RegisterUserDeps } from './register-user.ts';
import { maySetTabletPin, toUserResponse } from './user.ts';
import type { UserStore } from './user-store.ts';
import { withdrawInvitation, type WithdrawInvitationDeps } from './withdraw-invitation.ts';

export type UserRouteDeps = RegisterUserDeps &
  AddUserDeps &
  ChangeUserDeps &
  InviteUserDeps &
  AcceptInvitationDeps &
  WithdrawInvitationDeps & { users: UserStore; staffUrl: string };

export function registerUserRoutes({ handle }: Api, deps: UserRouteDeps): void {
  handle(registerUserContract, async ({ body, address }) => {
    const user = await registerUser(deps, body, { address });
    return { status: 201, body: toUserResponse(user) };
  });
  handle(contracts.createUser, async (call) => {
    const { user, consent } = await addUser(deps, call, originOf(call));
    return { status: 201, body: toUserResponse(user), headers: { Location: `/users/${user.id}` }, consent };
  });
  registerInvitationRoutes({ handle }, deps);
  handle(contracts.listUsers, async ({ query: { limit = 50, cursor } }) => {
    const { users, nextCursor } = await listUsers(deps, { limit, cursor });
    const body = users.map(toUserResponse);
    return { status: 200, body, headers: nextLink(contracts.listUsers.path, { limit }, nextCursor) };
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

function registerInvitationRoutes({ handle }: Pick<Api, 'handle'>, deps: UserRouteDeps): void {
  handle(contracts.inviteUser, async (call) => {
    const { user, token, consent } = await inviteUser(deps, call, originOf(call));
    // The token is in the fragment, which browsers do not send, so it does not appear in any log.
    const url = `${deps.staffUrl.replace(/\/+$/, '')}/kitchen#/invitation/${token}`;
    const body = { user: toUserResponse(user), invitation_token: token, url };
    return { status: 201, body, headers: { Location: `/users/${user.id}` }, consent };
  });
  handle(contracts.withdrawInvitation, async (call) => {
    await withdrawInvitation(deps, call, originOf(call));
    return { status: 204 };
  });
  handle(contracts.readInvitation, async (call) => {
    const invited = await findInvited(deps, call.body.invitation_token, call);
    const { name, email, role, invitation } = invited;
    const ends_at = new Date(invitation.endsAt).toISOString();
    return { status: 200, body: { name, email, role, ends_at, may_set_tablet_pin: maySetTabletPin(invited) } };
  });
  handle(contracts.acceptInvitation, async (call) => ({
    status: 201,
    body: toUserResponse(await acceptInvitation(deps, call.body, originOf(call))),
  }));
}
