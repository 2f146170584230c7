import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretsById } from '@comanda/shared/config/secrets-by-id';

/** Recognizes browsers that have signed in with an account before, by a cookie. Their guesses are counted separately. */
export type Devices = {
  /** The `Set-Cookie` for a browser that has just signed in with `email`. `secure`: it used HTTPS. */
  remember: (email: string, options: { secure: boolean }) => string;
  /** The device's id if the `Cookie` header proves an earlier sign-in with `email`; else null. */
  recognize: (email: string, cookies: string | undefined) => string | null;
};

/** The gateway forwards only cookies with this prefix. */
const namePrefix = 'comanda-device-';
const rememberedDays = 180;
const idBytes = 16;
const macBytes = 32;
const form = /^[A-Za-z0-9_-]{64}$/;

/** The cookie's name, one for each account, because several people sign in on one device. It does not reveal the address. */
const nameOf = (email: string): string =>
  namePrefix + createHash('sha256').update(email).digest('base64url').slice(0, 16);

/**
 * Device cookies [OWASP: Slow Down Online Guessing Attacks with Device Cookies]. The value is a random id and a MAC over it and
 * the e-mail address, so it helps with no other account. Nothing is stored. `keys`: 32 secret bytes each; the first one signs new
 * cookies.
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
