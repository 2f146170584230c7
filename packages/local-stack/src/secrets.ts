import { randomBytes } from 'node:crypto';

/** The secrets of the services, in the format of their settings. */
export type Secrets = { authSealingSecret: string; transfersSealingSecret: string; pinPepper: string };

/** A new secret: `id:base64` of 32 bytes. */
export const newSecret = (): string => `local:${randomBytes(32).toString('base64')}`;
export const newSecrets = (): Secrets => ({
  authSealingSecret: newSecret(),
  transfersSealingSecret: newSecret(),
  pinPepper: newSecret(),
});
