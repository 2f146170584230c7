import Joi from 'joi';
import { endpoint, roles } from './endpoint.ts';
import { accessTokenMinutes, guestAccessTokenMinutes, refreshRetrySeconds } from './rules.ts';
import {
  characters,
  component,
  id,
  list,
  object,
  oneOf,
  optional,
  personName,
  secret,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { email, newPassword, password, user } from './users.ts';

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
  exampleNeeds: 'a table code',
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
  exampleNeeds: 'a refresh token',
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
  exampleNeeds: 'a refresh token and a table code',
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
  exampleNeeds: 'a refresh token',
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
  // The example isn't the demo's password. Otherwise, "Test request" on the documentation page would change that password.
  body: object({ current: password().example('my-password-until-now'), password: newPassword() }),
  exampleNeeds: 'the password in the example',
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
  exampleNeeds: 'a session',
  responses: { 204: { about: 'Ended', body: null } },
  problems: ['not_found'],
});

export const sessions = [
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
];
