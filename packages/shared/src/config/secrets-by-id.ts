import Joi from 'joi';
import { secretSetting, type Setting } from './load-config.ts';

/** Secrets keyed by id. The first secret is used to sign or encrypt new data, and the others only to read older data. */
export type SecretsById = ReadonlyMap<string, Buffer>;

const idForm = /^[A-Za-z0-9_-]{1,32}$/;
const base64Form = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Parses `id:base64` entries, separated by commas. */
export const readSecretsById = (text: string): SecretsById =>
  new Map(
    text.split(',').map((entry) => {
      const [id = '', secret = ''] = entry.split(':');
      return [id, Buffer.from(secret, 'base64')] as const;
    }),
  );

function isValid(text: string, isLongEnough: (bytes: number) => boolean): boolean {
  const entries = text.split(',').map((entry) => entry.split(':'));
  const ids = new Set(entries.map(([id]) => id));
  return (
    ids.size === entries.length &&
    entries.every(
      ([id = '', secret = '', ...rest]) =>
        rest.length === 0 &&
        idForm.test(id) &&
        base64Form.test(secret) &&
        isLongEnough(Buffer.from(secret, 'base64').length),
    )
  );
}

/**
 * Creates a setting for secrets that can be replaced without downtime: `id:base64` entries with different ids, separated by
 * commas. To replace a secret, first append the new secret on all instances, then move it to the front.
 */
export const secretsByIdSetting = (
  env: string,
  { isLongEnough, about }: { isLongEnough: (bytes: number) => boolean; about: string },
): Setting<string> =>
  secretSetting(
    env,
    Joi.string()
      .custom((value: string, rule) => (isValid(value, isLongEnough) ? value : rule.error('any.invalid')))
      .required(),
    about,
  );
