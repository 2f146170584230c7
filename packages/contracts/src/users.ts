import { isSendable } from './email-address.ts';
import Joi from 'joi';
import { endpoint, manager, roles, staff } from './endpoint.ts';
import {
  accessTokenMinutes,
  guestAccessTokenMinutes,
  invitationHours,
  maxPasswordBytes,
  minPasswordCharacters,
  refreshRetrySeconds,
} from './rules.ts';
import {
  characters,
  documented,
  id,
  line,
  list,
  component,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  personName,
  secret,
  tableName,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

export const role = component('Role', oneOf(...roles));
/**
 * Creates a schema for an e-mail address. The longest address that mail can be sent to has 254 characters [RFC 5321, 4.5.3.1.3].
 */
const email = () =>
  line(254)
    .email({ tlds: false })
    .custom((value: string, rule) => (isSendable(value) ? value : rule.message({ custom: notSendable })))
    .example('ana@example.com');
const notSendable = '{{#label}} must have only ASCII characters before the @: mail to others often gets lost';
/** Creates a schema for a password as entered. The service compares it. */
const password = () => secret(255).min(1).example('mesa-farofa-violao');
/** Creates a schema for a new password. The service also checks its length in bytes and that it is not a common password. */
const newPassword = () =>
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
     * The time until which an invited user can choose a password; null if they can't. They are `disabled` until they choose one.
     */
    invited_until: optional(nullable(time())),
    created_at: time(),
  }),
);
export type User = Infer<typeof user>;
/** The user that a manager adds in the examples. */
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

export const tokenPair = component(
  'TokenPair',
  object({
    access_token: text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI1In0.c2lnbmF0dXJl'),
    token_type: oneOf('Bearer'),
    expires_in: id().example(accessTokenMinutes * 60),
    refresh_token: text(255).example('c2Vzc2lvbi1vZi1BbmE'),
  }),
);
export type TokenPair = Infer<typeof tokenPair>;
const tokenPairExample = {
  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI1In0.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: accessTokenMinutes * 60,
  refresh_token: 'c2Vzc2lvbi1vZi1BbmE',
};
const guestTokens = tokenPair.example({
  ...tokenPairExample,
  expires_in: guestAccessTokenMinutes * 60,
  refresh_token: 'Z3Vlc3QtYXQtdGFibGUtMTI',
});
const nextTokens = tokenPair.example({ ...tokenPairExample, refresh_token: 'bmV4dC1zZXNzaW9uLW9mLUFuYQ' });

/** `to_clean`: the guests have left, and the table has not been cleaned yet. New guests can still be seated. */
export const tableStatuses = ['free', 'seated', 'to_clean'] as const;
const tableState = {
  table: tableName(),
  status: oneOf(...tableStatuses).example('seated'),
  seating: nullable(id().example(88)),
  /** The time when the guests were seated, even if they moved to this table later. */
  seated_at: nullable(time()),
  version: id().example(4),
};
/** A table in events: without the token and the URL in its code. */
export const tableInEvent = component('TableInEvent', object(tableState));
export const table = component(
  'Table',
  object({
    ...tableState,
    table_token: text(255).example('dGFibGUtMTI'),
    url: text(2048).example('http://localhost:3000/?table=dGFibGUtMTI'),
    rotated_at: time(),
  }),
);
export type Table = Infer<typeof table>;

export const registerUser = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/register',
  name: 'register',
  who: 'anyone',
  summary: 'Register as a customer',
  body: object({ name: personName(255).example('Ana'), email: email(), password: newPassword() }),
  responses: { 201: { about: 'The new user', body: user } },
  problems: ['email_taken', 'password_too_weak', 'sign_ups_stopped'],
});
export const login = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/login',
  name: 'login',
  who: 'anyone',
  summary: 'Sign in',
  details: `Send the access token as \`Authorization: Bearer …\`; it is valid for ${accessTokenMinutes} minutes. Exchange the refresh token for the next pair of tokens. An unknown e-mail and a wrong password get the same response after the same time.`,
  body: object({ email: characters(255, 1).example('customer@comanda.test'), password: password() }),
  responses: { 200: { about: 'A pair of tokens', body: tokenPair, headers: ['Set-Cookie'] } },
  problems: ['invalid_credentials', 'password_blocked'],
});
export const startGuestSession = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/guest',
  name: 'beGuest',
  who: 'anyone',
  summary: 'Start a guest session at the table whose QR code was scanned',
  details: `A guest may order for this table and see its orders until staff close the table. With the setting \`SEATING_OPENED_BY=staff\`, staff must open the table first. The access token is valid for ${guestAccessTokenMinutes} minutes.`,
  body: object({
    table_token: secret(255).min(1).example('dGFibGUtMTI'),
    name: optional(personName(255).example('Ana')),
  }),
  responses: {
    200: {
      about: 'A pair of tokens for a new guest; the access token has the claims `table` and `seating`',
      body: guestTokens,
    },
  },
  problems: ['table_token_invalid', 'seating_not_open'],
});
export const refresh = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/refresh',
  name: 'refresh',
  who: 'anyone',
  summary: 'Exchange a refresh token for a new pair of tokens',
  limit: 'session',
  details: `A refresh token works once. If the response was lost, send the same token again within ${refreshRetrySeconds} seconds; this works until the new token has been used. Any other second use ends the session.`,
  body: object({ refresh_token: secret(255).min(1).example('c2Vzc2lvbi1vZi1BbmE') }),
  responses: { 200: { about: 'A new pair of tokens; the old refresh token is no longer valid', body: nextTokens } },
  problems: ['invalid_refresh_token'],
});
export const takeSeat = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/seat',
  name: 'takeSeat',
  who: 'anyone',
  limit: 'session',
  summary: 'Sit down at the table whose QR code was scanned, with your own account',
  details: `For customers who are signed in. The code is checked first: if it is rejected, the refresh token stays unspent. The access token has the claims \`table\` and \`seating\` and is valid for ${guestAccessTokenMinutes} minutes. A refresh keeps the claims while the seating lasts; when it ends, the session continues without them.`,
  body: object({
    refresh_token: secret(255).min(1).example('c2Vzc2lvbi1vZi1BbmE'),
    table_token: secret(255).min(1).example('dGFibGUtMTI'),
  }),
  responses: {
    200: {
      about: 'A new pair of tokens; the old refresh token is no longer valid',
      body: tokenPair.example({ ...tokenPairExample, expires_in: guestAccessTokenMinutes * 60 }),
    },
  },
  problems: ['table_token_invalid', 'invalid_refresh_token', 'seating_not_open', 'forbidden'],
});
export const logout = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/logout',
  name: 'logout',
  who: 'anyone',
  summary: 'Sign out: end the session of a refresh token',
  body: object({ refresh_token: secret(255).min(1).example('c2Vzc2lvbi1vZi1BbmE') }),
  responses: { 204: { about: 'The session has ended; an unknown token gets the same response', body: null } },
  problems: [],
});
export const me = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/auth/me',
  name: 'me',
  who: roles,
  mustChangePassword: 'allowed',
  summary: 'Get the current user',
  responses: { 200: { about: 'The user', body: user } },
  problems: [],
});
export const changePassword = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/auth/password',
  name: 'changePassword',
  who: roles,
  limit: 'step_up',
  account: 'required',
  mustChangePassword: 'allowed',
  passwordSignIn: 'required',
  summary: 'Change your password and end your other sessions',
  // The example isn't the demo's password, because "Test request" on the documentation page would change it.
  body: object({ current: password().example('my-password-until-now'), password: newPassword() }),
  responses: { 204: { about: 'Changed', body: null } },
  problems: ['password_invalid', 'password_blocked', 'password_too_weak'],
});
export const endSessions = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/auth/sessions',
  name: 'endSessions',
  who: roles,
  passwordSignIn: 'required',
  summary: 'Sign out everywhere: end all your sessions and refresh tokens',
  responses: { 204: { about: 'All sessions have ended', body: null } },
  problems: [],
});
const sessionId = () =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_-]{22}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the id of a session' })
    .example('c2Vzc2lvbi1vZi1BbmEtMQ');
export const signInSession = component(
  'Session',
  object({
    id: sessionId(),
    is_current: yesOrNo(),
    user_agent: text(255).example('Mozilla/5.0'),
    address: text(64).example('203.0.113.7'),
    created_at: time(),
    last_used_at: time(),
    ends_at: time().example('2026-12-20T21:00:00.000Z'),
  }),
);
export type SignInSession = Infer<typeof signInSession>;
export const listSessions = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/auth/sessions',
  name: 'listSessions',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: 'List your sessions: where you are signed in, the one that was used last first',
  details:
    'Device and network are those of the last use: the sign-in, or an exchange of the refresh token. At most 100 are listed.',
  responses: { 200: { about: 'The sessions that have not ended', body: list(signInSession) } },
  problems: [],
});
export const endOneSession = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  name: 'endOneSession',
  who: roles,
  account: 'required',
  passwordSignIn: 'required',
  summary: 'End one of your sessions',
  details:
    'Its refresh token stops working. Its access token is rejected by calls that sign something or use a PIN or a password. Until it expires, it can still read and place orders.',
  params: { id: sessionId() },
  responses: { 204: { about: 'Ended', body: null } },
  problems: ['not_found'],
});
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
  responses: {
    200: {
      about: 'The invited user, and until when the link works',
      body: object({
        name: text(255).example('Rui'),
        email: text(255).example('rui@example.com'),
        role,
        ends_at: time().example('2026-11-23T21:00:00.000Z'),
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
  details: 'Then sign in with the e-mail address and this password. The link stops working.',
  body: object({ invitation_token: invitationToken(), password: newPassword() }),
  responses: {
    201: {
      about: 'The user, who can now sign in',
      body: user.example({ ...newWaiter, must_change_password: false, invited_until: null }),
    },
  },
  problems: ['invitation_invalid', 'password_too_weak'],
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
  responses: { 200: { about: 'The user', body: changedUser } },
  problems: ['not_found', 'forbidden', 'password_too_weak'],
});
export const listTables = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/tables',
  name: 'listTables',
  who: staff,
  summary: 'List the tables with the content of their QR codes and their current seating',
  responses: { 200: { about: 'All tables', body: list(table) } },
  problems: [],
});
export const putTable = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/tables/{table}',
  name: 'putTable',
  who: manager,
  summary: 'Add a table, or replace the code of an existing one',
  params: { table: tableName() },
  responses: {
    200: { about: 'The table existed; its old code is no longer valid', body: table },
    201: { about: 'The new table', body: table, headers: ['Location'] },
  },
  problems: ['table_exists'],
});
export const deleteTable = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/tables/{table}',
  name: 'deleteTable',
  who: manager,
  summary: 'Remove a table and its code, and close its seating',
  params: { table: tableName() },
  responses: { 204: { about: 'Removed', body: null } },
  problems: ['not_found'],
});
export const openTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/open',
  name: 'openTable',
  who: staff,
  summary: 'Open a table: start its seating, which guests join by scanning the code',
  details:
    'A table that has a seating keeps it. With the setting `SEATING_OPENED_BY=staff`, guests can join only a seating opened by this call; otherwise the first scan opens one.',
  params: { table: tableName() },
  responses: { 200: { about: 'The table with its seating', body: table } },
  problems: ['not_found'],
});
export const closeTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/close',
  name: 'closeTable',
  who: staff,
  summary: 'Close a table: end its seating and sign its guests out',
  details:
    'Once you get 204, the seating accepts no orders from any user, and its guests get the event `seating.closed`. If the orders service cannot be reached, the response is 503 and the table stays open.',
  params: { table: tableName() },
  responses: { 204: { about: 'Closed; a table without a seating gets the same response', body: null } },
  problems: ['not_found'],
});
export const jwks = component(
  'Jwks',
  Joi.object<{ keys: object[] }>({ keys: Joi.array().items(Joi.object().unknown()).required() })
    .required()
    .example({ keys: [{ kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '1', use: 'sig', alg: 'ES256' }] }),
);
export const getJwks = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/.well-known/jwks.json',
  name: 'jwks',
  who: 'anyone',
  summary: 'Get the public keys that verify tokens and receipts [RFC 7517]',
  responses: { 200: { about: 'The keys; they may be cached for 300 seconds', body: jwks, headers: ['Cache-Control'] } },
  problems: [],
});

export const users = [
  registerUser,
  login,
  startGuestSession,
  refresh,
  takeSeat,
  logout,
  me,
  changePassword,
  endSessions,
  listSessions,
  endOneSession,
  createUser,
  inviteUser,
  withdrawInvitation,
  readInvitation,
  acceptInvitation,
  listUsers,
  getUser,
  updateUser,
  listTables,
  putTable,
  deleteTable,
  openTable,
  closeTable,
  getJwks,
];
