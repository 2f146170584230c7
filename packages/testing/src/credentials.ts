import { randomBytes } from 'node:crypto';

/** The password of every user that tests create. */
export const password = 'a-password-for-tests';
/** Its bcrypt hash at cost 12, computed once: hashing takes a third of a second. */
export const passwordHash = '$2b$12$iphXNcgB9SHLnjyvDvr8YeHDrNSmRb6cZMMSIQaq6fqNybkvE3vTe';
/** The first manager of every stack. */
export const managerCredentials = { email: 'manager@example.test', password };

export const newEmail = (name: string): string =>
  `${name.toLowerCase()}-${randomBytes(6).toString('hex')}@example.test`;
