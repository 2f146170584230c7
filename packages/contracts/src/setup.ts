import { endpoint } from './endpoint.ts';
import { setupCodeHours } from './rules.ts';
import { object, personName, secret, yesOrNo } from './schema.ts';
import { tokenPair } from './sessions.ts';
import { email, newPassword } from './users.ts';

export const getSetup = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/setup',
  name: 'getSetup',
  who: 'anyone',
  summary: 'Get whether the restaurant still needs its first manager',
  responses: {
    200: {
      about: '`needs_first_manager` is true until a manager exists',
      body: object({ needs_first_manager: yesOrNo().example(false) }),
    },
  },
  problems: [],
});
export const createFirstManager = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/setup/manager',
  name: 'createFirstManager',
  who: 'anyone',
  summary: 'Create the first manager of a new restaurant, and sign in',
  details: `\`npm start\` prints the setup code in its terminal. On other installations, an operator creates one with \`npm run create-setup-code\`. A code works for ${setupCodeHours} hours, until a newer code replaces it or a manager exists. Upper and lower case, spaces and hyphens make no difference. If the response was lost, sign in: a repeated call gets \`setup_complete\`.`,
  body: object({ code: secret(64, 1), name: personName(255), email: email(), password: newPassword() }).example({
    code: '7K3M-9QXF-2B4N-8RTV-5WYA-C1DE-6GHJ',
    name: 'Marta',
    email: 'marta@example.com',
    password: 'a-long-new-secret',
  }),
  exampleNeeds: 'a restaurant without a manager',
  responses: {
    201: { about: 'A pair of tokens for the manager', body: tokenPair, headers: ['Set-Cookie'] },
  },
  problems: ['setup_code_invalid', 'setup_complete', 'email_taken', 'password_too_weak'],
});

export const setup = [getSetup, createFirstManager];
