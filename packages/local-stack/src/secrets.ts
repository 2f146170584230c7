import { randomBytes } from 'node:crypto';
import type { ServiceName } from '@comanda/contracts/endpoint';

/** The services' secrets, in the format of their settings. */
export type Secrets = {
  authSealingSecret: string;
  transfersSealingSecret: string;
  pinPepper: string;
  /** The secrets with which the services prove their identity to each other. */
  services: Record<ServiceName, string>;
};

const randomBase64 = (): string => randomBytes(32).toString('base64');
/** Creates a random secret of 32 bytes, in the format `id:base64`. */
export const newSecret = (): string => `local:${randomBase64()}`;
export const newSecrets = (): Secrets => ({
  authSealingSecret: newSecret(),
  transfersSealingSecret: newSecret(),
  pinPepper: newSecret(),
  services: {
    gateway: randomBase64(),
    orders: randomBase64(),
    'auth-stepup': randomBase64(),
    transfers: randomBase64(),
    notifier: randomBase64(),
  },
});
