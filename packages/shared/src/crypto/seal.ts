import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import Joi from 'joi';
import { secretSetting } from '../config/load-config.ts';

/** What comes out of `KEY_SEALING_SECRET`: keys for one purpose each, and boxes that only its holder opens. */
export type Sealer = {
  /** `plain`, encrypted and bound to `label` (AES-256-GCM); base64. */
  seal: (plain: Uint8Array, label: string) => string;
  /** @throws where the box was sealed with another secret or label, or was changed */
  open: (box: string, label: string) => Buffer;
  /** 32 bytes that depend on the secret and `purpose` alone, and tell nothing of either (HKDF-SHA-256). */
  derive: (purpose: string) => Buffer;
};

export const sealingSettings = {
  keySealingSecret: secretSetting(
    'KEY_SEALING_SECRET',
    Joi.string()
      .pattern(/^[A-Za-z0-9+/_-]{43}=?$/)
      .required(),
    'Seals the private keys that are stored: 32 random bytes in base64, e.g. `openssl rand -base64 32`',
  ),
};

const ivBytes = 12;
const tagBytes = 16;

/** `secret`: 32 bytes in base64. */
export function createSealer(secret: string): Sealer {
  const root = Buffer.from(secret, 'base64');
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `comanda:${purpose}`, 32));
  const key = derive('seal');
  return {
    derive,
    seal: (plain, label) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(label));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    open: (box, label) => {
      const bytes = Buffer.from(box, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(label)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    },
  };
}
