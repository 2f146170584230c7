import Joi from 'joi';
import { pixModes, type PixMode } from '@comanda/contracts/pix';
import { ConfigError, httpUrl, secretSetting, setting, type ConfigOf } from '@comanda/shared/config/load-config';

const optionalText = (pattern: RegExp) => Joi.string().pattern(pattern).default('');
/** A PEM text. It usually comes from a file: `NAME_FILE`. */
const pem = (env: string, about: string) => secretSetting(env, Joi.string().default(''), about);
/** How the bank's token is asked for: with HTTP Basic, or with the client's id and secret in the form. */
const tokenAuths = ['basic', 'form'] as const;

export const pixSettings = {
  pixMode: setting(
    'PIX_MODE',
    Joi.string<PixMode>()
      .valid(...pixModes)
      .default('off'),
    "How the restaurant takes Pix. `off`: no new payments. `staff`: staff confirm what they see in the bank's app. `bank`: the bank confirms. Needs `CURRENCY=BRL`",
  ),
  pixKey: setting(
    'PIX_KEY',
    optionalText(/^\S{1,77}$/),
    "The restaurant's Pix key. Choose a key that only Comanda uses",
  ),
  pixName: setting(
    'PIX_NAME',
    optionalText(/^[\x20-\x7e]{1,25}$/),
    'The name in Pix codes: at most 25 characters, without accents',
  ),
  pixCity: setting(
    'PIX_CITY',
    optionalText(/^[\x20-\x7e]{1,15}$/),
    'The city in Pix codes: at most 15 characters, without accents',
  ),
  pixBankUrl: setting(
    'PIX_BANK_URL',
    httpUrl.default(''),
    "URL of the bank's Pix API, with its `/v2`. A query in it is sent with each call",
  ),
  pixBankTokenUrl: setting('PIX_BANK_TOKEN_URL', httpUrl.default(''), "URL of the bank's token endpoint"),
  pixBankClientId: setting('PIX_BANK_CLIENT_ID', Joi.string().default(''), 'Client id at the bank'),
  pixBankClientSecret: secretSetting('PIX_BANK_CLIENT_SECRET', Joi.string().default(''), 'Client secret at the bank'),
  pixBankTokenAuth: setting(
    'PIX_BANK_TOKEN_AUTH',
    Joi.string<(typeof tokenAuths)[number]>()
      .valid(...tokenAuths)
      .default('basic'),
    "How the client's id and secret are sent to the bank. `basic`: with HTTP Basic. `form`: in the body",
  ),
  pixBankCert: pem('PIX_BANK_CERT', 'Client certificate for the bank (PEM). Restart the service after you replace it'),
  pixBankCertKey: pem('PIX_BANK_CERT_KEY', 'Private key of `PIX_BANK_CERT` (PEM)'),
  pixBankCa: pem(
    'PIX_BANK_CA',
    "Authorities that the bank's certificate may come from (PEM), in addition to the well-known ones",
  ),
  pixAskEveryS: setting(
    'PIX_ASK_EVERY_S',
    Joi.number().integer().min(1).max(60).default(2),
    'How often the bank is asked for new Pix while a code is open. Otherwise it is asked every minute',
  ),
};
export type PixConfig = ConfigOf<typeof pixSettings>;

/** Everything that calls to the bank need. */
export type BankSettings = {
  url: URL;
  tokenUrl: URL;
  clientId: string;
  clientSecret: string;
  tokenAuth: (typeof tokenAuths)[number];
  cert: string | undefined;
  certKey: string | undefined;
  ca: string | undefined;
};

/**
 * Checks the settings for Pix against each other. Returns the settings for the bank; null if there is none. With `PIX_MODE=off`
 * too, the bank is asked about the codes that are still out.
 * @throws ConfigError
 */
export function readBankSettings(
  config: PixConfig & { currency: string },
  { isProduction }: { isProduction: boolean },
): BankSettings | null {
  const { pixMode, pixBankUrl, pixBankTokenUrl } = config;
  const errors: string[] = [];
  const need = (name: string, value: string): void => {
    if (value === '') errors.push(`${name}: is required with PIX_MODE=${pixMode}`);
  };
  if (pixMode !== 'off') {
    if (config.currency !== 'BRL') errors.push('PIX_MODE: needs CURRENCY=BRL');
    need('PIX_KEY', config.pixKey);
    need('PIX_NAME', config.pixName);
    need('PIX_CITY', config.pixCity);
  }
  if (pixMode === 'bank') {
    need('PIX_BANK_URL', pixBankUrl);
    need('PIX_BANK_TOKEN_URL', pixBankTokenUrl);
    need('PIX_BANK_CLIENT_ID', config.pixBankClientId);
    need('PIX_BANK_CLIENT_SECRET', config.pixBankClientSecret);
  }
  if (Boolean(config.pixBankCert) !== Boolean(config.pixBankCertKey))
    errors.push('PIX_BANK_CERT_FILE and PIX_BANK_CERT_KEY_FILE: set both, or none');
  if (isProduction && pixBankUrl !== '') {
    for (const [name, url] of [
      ['PIX_BANK_URL', pixBankUrl],
      ['PIX_BANK_TOKEN_URL', pixBankTokenUrl],
    ] as const)
      if (!url.startsWith('https:')) errors.push(`${name}: must be https in production`);
    need('PIX_BANK_CERT_FILE', config.pixBankCert);
  }
  if (errors.length > 0) throw new ConfigError(errors);
  if (pixBankUrl === '' || pixBankTokenUrl === '') return null;
  return {
    url: new URL(pixBankUrl),
    tokenUrl: new URL(pixBankTokenUrl),
    clientId: config.pixBankClientId,
    clientSecret: config.pixBankClientSecret,
    tokenAuth: config.pixBankTokenAuth,
    cert: config.pixBankCert || undefined,
    certKey: config.pixBankCertKey || undefined,
    ca: config.pixBankCa || undefined,
  };
}
