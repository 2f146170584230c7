import Joi from 'joi';
import { roles, endpoint, manager, staff } from './endpoint.ts';
import {
  documented,
  id,
  line,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  secret,
  tableName,
  text,
  time,
  yesOrNo,
} from './schema.ts';
import type { Infer } from './schema.ts';

export const role = named('Role', oneOf('customer', 'waiter', 'manager'));
/** The longest address that mail can be sent to has 254 characters [RFC 5321, 4.5.3.1.3]. */
const email = () => Joi.string().email({ tlds: false }).max(254).example('ana@example.com');
/** Any string that could be a password; its length in bytes and its commonness are checked by the story. */
const password = () => secret(255).min(1).example('comanda-demo');
/** At least 8 characters; the story sees to it that they are at most 72 bytes in UTF-8, which bcrypt reads. */
const newPassword = () =>
  documented(secret(72, 8).example('a-long-new-secret'), {
    schema: { description: 'At most 72 bytes in UTF-8, and not one of the commonest' },
  });

export const user = named(
  'User',
  object({
    id: id(),
    name: text(255).example('Ana'),
    email: nullable(text(255).example('ana@example.com')),
    role,
    status: oneOf('active', 'disabled'),
    must_change_password: yesOrNo(),
    created_at: time(),
  }),
);
export type User = Infer<typeof user>;

export const tokenPair = named(
  'TokenPair',
  object({
    access_token: text(4096).example('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI1In0.c2lnbmF0dXJl'),
    token_type: oneOf('Bearer'),
    expires_in: id().example(900),
    refresh_token: text(255).example('c2Vzc2lvbi1vZi1BbmE'),
  }),
);
export type TokenPair = Infer<typeof tokenPair>;

export const table = named(
  'Table',
  object({
    table: tableName(),
    table_token: text(255).example('dGFibGUtMTI'),
    url: text(2048).example('http://localhost:3000/?table=dGFibGUtMTI'),
    seating: nullable(id()),
  }),
);
export type Table = Infer<typeof table>;

export const registerUser = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/register',
  name: 'register',
  who: 'anyone',
  summary: 'Become a customer with a sign-in of your own',
  body: object({ name: line(255).example('Ana'), email: email(), password: newPassword() }),
  answers: { 201: { about: 'The new user', body: user } },
  problems: ['email_taken', 'password_too_weak'],
});
export const login = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/login',
  name: 'login',
  who: 'anyone',
  summary: 'Sign in',
  details:
    'The access token lives for 15 minutes and goes into `Authorization: Bearer …`; the refresh token gets the next pair. An unknown e-mail is answered like a wrong password, and as slowly.',
  body: object({ email: Joi.string().min(1).max(255).example('customer@comanda.test'), password: password() }),
  answers: { 200: { about: 'A pair of tokens', body: tokenPair } },
  problems: ['invalid_credentials'],
});
export const startGuestSession = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/guest',
  name: 'beGuest',
  who: 'anyone',
  summary: 'Be a guest at the table whose QR code was scanned',
  details:
    'A guest may order for this table and follow what is ordered there, until the table is closed. The access token lives for 5 minutes.',
  body: object({ table_token: secret(255).min(1).example('dGFibGUtMTI'), name: optional(line(255).example('Ana')) }),
  answers: {
    200: { about: 'A pair of tokens for a new user, with the claims `table` and `seating`', body: tokenPair },
  },
  problems: ['table_token_invalid'],
});
export const refresh = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/refresh',
  name: 'refresh',
  who: 'anyone',
  summary: 'Exchange a refresh token for a new pair',
  details:
    'Each is good for one use. Was the answer lost, the same token may be sent again within 60 s, as long as its successor was not used; any other second use ends the session, for whoever holds it.',
  body: object({ refresh_token: secret(255).min(1).example('c2Vzc2lvbi1vZi1BbmE') }),
  answers: { 200: { about: 'A new pair; the old refresh token is used', body: tokenPair } },
  problems: ['invalid_refresh_token'],
});
export const logout = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/auth/logout',
  name: 'logout',
  who: 'anyone',
  summary: 'End the session that a refresh token belongs to',
  body: object({ refresh_token: secret(255).min(1).example('c2Vzc2lvbi1vZi1BbmE') }),
  answers: { 204: { about: 'Ended, whether the token was known or not', body: null } },
  problems: [],
});
export const me = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/auth/me',
  name: 'me',
  who: roles,
  mustChangePassword: 'allowed',
  summary: 'Who am I',
  answers: { 200: { about: 'The caller', body: user } },
  problems: [],
});
export const changePassword = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/auth/password',
  name: 'changePassword',
  who: roles,
  account: 'required',
  mustChangePassword: 'allowed',
  summary: 'Change your own password; every other session ends',
  body: object({ current: password(), password: newPassword() }),
  answers: { 204: { about: 'Changed', body: null } },
  problems: ['password_invalid', 'password_too_weak'],
});
export const endSessions = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/auth/sessions',
  name: 'endSessions',
  who: roles,
  summary: 'End every session of yours; every refresh token dies',
  answers: { 204: { about: 'Ended', body: null } },
  problems: [],
});
export const createUser = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/users',
  name: 'createUser',
  who: manager,
  summary: 'Add a user with a first password that must be changed',
  body: object({ name: line(255).example('Ana'), email: email(), password: newPassword(), role }),
  answers: { 201: { about: 'The new user', body: user, headers: ['Location'] } },
  problems: ['email_taken', 'password_too_weak'],
});
export const listUsers = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/users',
  name: 'listUsers',
  who: manager,
  summary: 'List users, newest first',
  query: pagesByNumber,
  answers: { 200: { about: 'One page', body: list(user), headers: ['Link'] } },
  problems: [],
});
export const getUser = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/users/{id}',
  name: 'getUser',
  who: manager,
  summary: 'Read one user',
  params: { id: id() },
  answers: { 200: { about: 'The user', body: user } },
  problems: ['not_found'],
});
export const updateUser = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/users/{id}',
  name: 'updateUser',
  who: manager,
  summary: "Change another user's role, status or password; their sessions end",
  params: { id: id() },
  body: object({
    role: optional(role),
    status: optional(oneOf('active', 'disabled')),
    password: optional(newPassword()),
  }).min(1),
  answers: { 200: { about: 'The user', body: user } },
  problems: ['not_found', 'forbidden', 'password_too_weak'],
});
export const listTables = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/tables',
  name: 'listTables',
  who: staff,
  summary: 'List the tables, with what their QR codes hold and who sits there',
  answers: { 200: { about: 'All tables', body: list(table) } },
  problems: [],
});
export const putTable = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/tables/{table}',
  name: 'putTable',
  who: manager,
  summary: 'Add a table, or rotate the token of one',
  params: { table: tableName() },
  answers: {
    200: { about: 'There before; its old token died', body: table },
    201: { about: 'New', body: table, headers: ['Location'] },
  },
  problems: [],
});
export const deleteTable = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/tables/{table}',
  name: 'deleteTable',
  who: manager,
  summary: 'Remove a table; its token dies and its seating ends',
  params: { table: tableName() },
  answers: { 204: { about: 'Removed', body: null } },
  problems: ['not_found'],
});
export const closeTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/close',
  name: 'closeTable',
  who: staff,
  summary: 'End the seating at a table; its guests are signed out',
  params: { table: tableName() },
  answers: { 204: { about: 'Ended, or nobody sat there', body: null } },
  problems: ['not_found'],
});
export const jwks = named(
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
  summary: 'The public keys [RFC 7517]',
  answers: { 200: { about: 'The keys, to be kept 300 s', body: jwks, headers: ['Cache-Control'] } },
  problems: [],
});

export const users = [
  registerUser,
  login,
  startGuestSession,
  refresh,
  logout,
  me,
  changePassword,
  endSessions,
  createUser,
  listUsers,
  getUser,
  updateUser,
  listTables,
  putTable,
  deleteTable,
  closeTable,
  getJwks,
];
