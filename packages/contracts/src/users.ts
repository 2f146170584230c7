import { role } from './actor.ts';
import { isSendable } from './email-address.ts';
import { endpoint, manager, staff } from './endpoint.ts';
import { invitationHours, maxPasswordBytes, minPasswordCharacters } from './rules.ts';
import { tabletPin } from './tablet-pin.ts';
import {
  component,
  documented,
  id,
  line,
  list,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  personName,
  secret,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

/**
 * Creates a schema for an e-mail address. The longest address that mail can be sent to has 254 characters [RFC 5321, 4.5.3.1.3].
 */
export const email = () =>
  line(254)
    .email({ tlds: false })
    .custom((value: string, rule) => (isSendable(value) ? value : rule.message({ custom: notSendable })))
    .example('ana@example.com');
const notSendable = '{{#label}} must have only ASCII characters before the @: mail to others often gets lost';
/** Creates a schema for a current password, as entered. The service verifies it. */
export const password = () => secret(255).min(1).example('mesa-farofa-violao');
/** Creates a schema for a new password. The service also checks its length in bytes and that it is not a common password. */
export const newPassword = () =>
  documented(secret(maxPasswordBytes, minPasswordCharacters).example('a-long-new-secret'), {
    schema: { description: `At most ${maxPasswordBytes} bytes in UTF-8, and not a common password` },
  });

const userStatus = component('UserStatus', oneOf('active', 'disabled'));

export const user = component(
  'User',
  object({
    id: id().example(5),
    name: text(255).example('Ana'),
    email: nullable(text(255).example('ana@example.com')),
    role,
    status: userStatus,
    must_change_password: yesOrNo().example(false),
    /**
     * The time until which an invited user can choose a password; null if they can't. Until they choose one, their status is
     * `disabled`.
     */
    invited_until: optional(nullable(time())),
    created_at: time(),
  }),
);
export type User = Infer<typeof user>;
/** The user whom a manager adds in the examples. */
const newWaiter = {
  id: 6,
  name: 'Rui',
  email: 'rui@example.com',
  role: 'waiter',
  status: 'active',
  must_change_password: true,
  created_at: '2026-11-20T21:00:00.000Z',
};
const invitationTokenExample = '6.aW52aXRhdGlvbi1vZi1SdWktdG8tdGhlLWhvdXNl';
const changedUser = user.example({
  id: 5,
  name: 'Ana',
  email: 'ana@example.com',
  role: 'waiter',
  status: 'active',
  must_change_password: false,
  created_at: '2026-11-20T21:00:00.000Z',
});
const userId = { id: id().example(5) };
export const createUser = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/users',
  name: 'createUser',
  who: manager,
  stepUp: {
    key: 'user.manage',
    details: {
      type: 'user_management',
      members: { email: 'email', role: 'role', sets_password: { trueIfGiven: 'password' } },
    },
  },
  summary: 'Add a user, who must change the given password at the first sign-in',
  body: object({ name: personName(255), email: email(), password: newPassword(), role }).example({
    name: 'Rui',
    email: 'rui@example.com',
    password: 'a-long-new-secret',
    role: 'waiter',
  }),
  responses: { 201: { about: 'The new user', body: user.example(newWaiter), headers: ['Location'] } },
  problems: ['email_taken', 'password_too_weak'],
});
const invitedWaiter = { ...newWaiter, status: 'disabled', invited_until: '2026-11-23T21:00:00.000Z' };
export const inviteUser = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/invitations',
  name: 'inviteUser',
  who: manager,
  stepUp: {
    key: 'user.manage',
    details: { type: 'user_management', members: { email: 'email', role: 'role' } },
  },
  summary: 'Invite a user to the staff, who chooses a password through a link',
  details: `Only this response has the link. It works once, within ${invitationHours} hours, and only while the inviting user is an active manager. You can invite a user again who has not accepted yet: then only the newest link works.`,
  body: object({ name: personName(255), email: email(), role: oneOf(...staff) }).example({
    name: 'Rui',
    email: 'rui@example.com',
    role: 'waiter',
  }),
  exampleNeeds: 'an unused email address',
  responses: {
    201: {
      about: 'The user, who is disabled until the invitation is accepted, and the link',
      body: object({
        user: user.example(invitedWaiter),
        invitation_token: text(255).example(invitationTokenExample),
        url: text(2048).example(`http://localhost:3000/kitchen#/invitation/${invitationTokenExample}`),
      }),
      headers: ['Location'],
    },
  },
  problems: ['email_taken'],
});
export const withdrawInvitation = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/invitations/{id}',
  name: 'withdrawInvitation',
  who: manager,
  summary: 'Withdraw the invitation of a user: its link stops working',
  params: userId,
  exampleNeeds: 'an invitation',
  responses: { 204: { about: 'Withdrawn', body: null } },
  problems: ['not_found'],
});
const invitationToken = () => secret(255).min(1).example(invitationTokenExample);
export const readInvitation = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/invitation',
  name: 'readInvitation',
  who: 'anyone',
  summary: 'Get whom an invitation is for',
  body: object({ invitation_token: invitationToken() }),
  exampleNeeds: 'an invitation',
  responses: {
    200: {
      about: 'The invited user, and until when the link works',
      body: object({
        name: text(255).example('Rui'),
        email: text(255).example('rui@example.com'),
        role,
        ends_at: time().example('2026-11-23T21:00:00.000Z'),
        /** True if the user may also set a tablet PIN when accepting, which only waiters do. */
        may_set_tablet_pin: optional(yesOrNo().example(true)),
      }),
    },
  },
  problems: ['invitation_invalid'],
});
export const acceptInvitation = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/invitation/acceptance',
  name: 'acceptInvitation',
  who: 'anyone',
  summary: 'Accept an invitation with a password of your own',
  details:
    'Then sign in with the e-mail address and this password. The link stops working. A waiter may also set a tablet PIN, with which waiters sign in on shared tablets. If the password or the tablet PIN is rejected, neither is set and the link still works.',
  body: object({ invitation_token: invitationToken(), password: newPassword(), tablet_pin: optional(tabletPin()) }),
  exampleNeeds: 'an invitation',
  responses: {
    201: {
      about: 'The user, who can now sign in',
      body: user.example({ ...newWaiter, must_change_password: false, invited_until: null }),
    },
  },
  problems: ['invitation_invalid', 'password_too_weak', 'tablet_pin_weak', 'unprocessable_content'],
});
export const listUsers = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/users',
  name: 'listUsers',
  who: manager,
  summary: 'List users, newest first',
  query: pagesByNumber,
  responses: { 200: { about: 'One page', body: list(user), headers: ['Link'] } },
  problems: [],
});
export const getUser = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/users/{id}',
  name: 'getUser',
  who: manager,
  summary: 'Get one user',
  params: userId,
  exampleNeeds: 'a user',
  responses: { 200: { about: 'The user', body: user } },
  problems: ['not_found'],
});
export const updateUser = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/users/{id}',
  name: 'updateUser',
  who: manager,
  stepUp: {
    key: 'user.manage',
    details: {
      type: 'user_management',
      members: {
        user_id: 'id',
        role: { ifGiven: 'role' },
        status: { ifGiven: 'status' },
        sets_password: { trueIfGiven: 'password' },
      },
    },
  },
  summary: "Change another user's role, status or password and end their sessions",
  params: userId,
  body: object({
    role: optional(role),
    status: optional(userStatus),
    password: optional(newPassword()),
  })
    .min(1)
    .example({ role: 'waiter' }),
  exampleNeeds: 'a user',
  responses: { 200: { about: 'The user', body: changedUser } },
  problems: ['not_found', 'forbidden', 'password_too_weak'],
});

export const users = [
  createUser,
  inviteUser,
  withdrawInvitation,
  readInvitation,
  acceptInvitation,
  listUsers,
  getUser,
  updateUser,
];
