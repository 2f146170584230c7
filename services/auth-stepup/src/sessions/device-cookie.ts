import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretsById } from '@comanda/shared/config/secrets-by-id';

/** Uses a cookie to recognize browsers that have signed in with an account before. Their guesses are counted separately. */
export type Devices = {
  /**
   * Returns the `Set-Cookie` header for a browser that has just signed in with `email`. `secure`: true if the browser used HTTPS.
   */
  remember: (email: string, options: { secure: boolean }) => string;
  /** Returns the device's id if the `Cookie` header proves an earlier sign-in with `email`; otherwise null. */
  recognize: (email: string, cookies: string | undefined) => string | null;
};

/** The prefix of device cookies. The gateway forwards no other cookies. */
const namePrefix = 'comanda-device-';
const rememberedDays = 180;
const idBytes = 16;
const macBytes = 32;
const form = /^[A-Za-z0-9_-]{64}$/;

/**
 * Returns the cookie's name. Each account has its own cookie, because several people may sign in on one device. The name does not
 * reveal the e-mail address.
 */
const nameOf = (email: string): string =>
  namePrefix + createHash('sha256').update(email).digest('base64url').slice(0, 16);

/**
 * Creates and checks device cookies [OWASP: Slow Down Online Guessing Attacks with Device Cookies]. A cookie's value is a random
 * id and a MAC over the id and the e-mail address, so the cookie is useless for any other account. Nothing is stored. `keys` are
 * 32 secret bytes each; the first key signs new cookies.
 */
export function createDevices(keys: SecretsById): Devices {
  const all = [...keys.values()];
  const [current = Buffer.alloc(0)] = all;
  const macOf = (id: Buffer, email: string, key: Buffer): Buffer =>
    createHmac('sha256', key).update(id).update(email).digest();

  return {
    remember: (email, { secure }) => {
      const id = randomBytes(idBytes);
      const value = Buffer.concat([id, macOf(id, email, current)]).toString('base64url');
      const attributes = `Path=/auth/login; Max-Age=${rememberedDays * 86_400}; HttpOnly; SameSite=Strict`;
      return `${nameOf(email)}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
    },
    recognize: (email, cookies = '') => {
      const start = `${nameOf(email)}=`;
      for (const cookie of cookies.split(/;\s*/)) {
        const value = cookie.startsWith(start) ? cookie.slice(start.length) : '';
        if (!form.test(value)) continue;
        const bytes = Buffer.from(value, 'base64url');
        const [id, mac] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
        if (mac.length === macBytes && all.some((key) => timingSafeEqual(mac, macOf(id, email, key))))
          return id.toString('base64url');
      }
      return null;
    },
  };
}
