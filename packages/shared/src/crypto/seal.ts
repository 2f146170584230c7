import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readSecretsById, secretsByIdSetting, type SecretsById } from '../config/secrets-by-id.ts';

/** Encrypts and decrypts with keys derived from `KEY_SEALING_SECRET`. */
export type Sealer = {
  /**
   * Encrypts `plain` with the first secret and binds it to `label` (AES-256-GCM). Returns the secret's id and the encrypted data
   * in base64.
   */
  seal: (plain: Uint8Array, label: string) => string;
  /**
   * Decrypts what `seal` returned.
   * @throws if `box` was changed, or was sealed with another label or an unknown secret
   */
  open: (box: string, label: string) => Buffer;
  /** Returns true if `box` was sealed with the first secret. */
  isCurrent: (box: string) => boolean;
  /**
   * Derives a 32-byte key for a purpose from each secret (HKDF-SHA-256). Each key has its secret's id, and the key from the first
   * secret comes first.
   */
  derive: (purpose: string) => SecretsById;
};

const secretBytes = 32;

export const sealingSettings = {
  keySealingSecret: secretsByIdSetting('KEY_SEALING_SECRET', {
    isLongEnough: (bytes) => bytes === secretBytes,
    about:
      'Secrets that encrypt the stored private keys: `id:base64` of 32 random bytes (`openssl rand -base64 32`), separated by commas. The first one encrypts, and all of them decrypt. In auth-stepup, the first one is also used for new sessions and QR codes',
  }),
};

const ivBytes = 12;
const tagBytes = 16;

/**
 * Creates a sealer. `secrets` contains one or more `id:base64` entries of 32 bytes each, separated by commas. The first secret
 * encrypts new data, and every secret can decrypt.
 */
export function createSealer(secrets: string): Sealer {
  const roots = readSecretsById(secrets);
  const derive = (purpose: string): SecretsById =>
    new Map(
      [...roots].map(([id, root]) => [
        id,
        Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `comanda:${purpose}`, secretBytes)),
      ]),
    );
  const keys = derive('seal');
  const [currentId = ''] = keys.keys();
  const keyOf = (id: string): Buffer => {
    const key = keys.get(id);
    if (!key) throw new Error('it was sealed with a secret whose id is not in KEY_SEALING_SECRET');
    return key;
  };
  const idOf = (box: string): string => box.split(':', 1)[0] ?? '';
  return {
    derive,
    seal: (plain, label) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(currentId), iv).setAAD(Buffer.from(label));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return `${currentId}:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')}`;
    },
    open: (box, label) => {
      const id = idOf(box);
      const bytes = Buffer.from(box.slice(id.length + 1), 'base64');
      const key = keyOf(id);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(label)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    },
    isCurrent: (box) => idOf(box) === currentId,
  };
}
