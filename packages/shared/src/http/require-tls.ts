import { problem } from '@comanda/contracts/problem';
import Joi from 'joi';
import { setting } from '../config/load-config.ts';
import { settingTexts } from '../config/setting-texts.ts';
import type { Client } from './client-address.ts';

/** The setting for a service whose port clients can reach. */
export const requireTlsSettings = {
  nodeEnv: setting('NODE_ENV', Joi.string().default('development'), settingTexts.nodeEnv),
};

/**
 * Returns a function that, in production, rejects clients whose connection is not encrypted, because any request may contain a
 * password or a token.
 * @throws 403 `tls_required`
 */
export function createTlsRequirement({ nodeEnv }: { nodeEnv: string }): (client: Pick<Client, 'secure'>) => void {
  const isRequired = nodeEnv === 'production';
  return ({ secure }) => {
    if (isRequired && !secure) throw problem('tls_required');
  };
}
