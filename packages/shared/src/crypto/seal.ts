import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import Joi from 'joi';
import { secretSetting } from '../config/load-config.ts';

/** Encryption with keys that are derived from `KEY_SEALING_SECRET`. */
export type Sealer = {
  /** Encrypts `plain` and binds it to `label` (AES-256-GCM). Returns base64. */
  seal: (plain: Uint8Array, label: string) => string;
  /** Decrypts. @throws if `box` was sealed with another secret or label, or was changed */
  open: (box: string, label: string) => Buffer;
  /** A key of 32 bytes for one purpose (HKDF-SHA-256). */
  derive: (purpose: string) => Buffer;
};

export const sealingSettings = {
  keySealingSecret: secretSetting(
    'KEY_SEALING_SECRET',
    Joi.string()
      .pattern(/^[A-Za-z0-9+/_-]{43}=?$/)
      .required(),
    'Encrypts the stored private keys: 32 random bytes in base64, for example from `openssl rand -base64 32`',
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
