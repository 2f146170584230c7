import { randomBytes } from 'node:crypto';

/** The password of all users that tests create. */
export const password = 'a-password-for-tests';
/** The password's bcrypt hash at the lowest cost. */
export const passwordHash = '$2b$04$0b6t.gtcPh.lqh4bnJ/20uKlxPcOmRwisk1J9uRDKhrHRpXu.I2uu';
/** The credentials of the first manager in every stack. */
export const managerCredentials = { email: 'manager@example.test', password };

export const newEmail = (name: string): string =>
  `${name.toLowerCase()}-${randomBytes(6).toString('hex')}@example.test`;
