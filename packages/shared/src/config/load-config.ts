import { readFileSync } from 'node:fs';
import Joi from 'joi';

/** A setting: the name of its environment variable, the schema for its values, and a line of documentation. */
export type Setting<T> = { env: string; schema: Joi.AnySchema<T>; about: string } & (Plain | Secret);
/**
 * A setting that isn't a secret. With `forOneMachine`, the default points to the local machine, so production requires an
 * explicit value.
 */
type Plain = { secret?: never; forOneMachine?: true };
/** A secret setting. `findDemo` returns why production rejects a value, or null if production accepts it. */
type Secret = { secret: { findDemo: (raw: string) => string | null } };
export type Settings = Record<string, Setting<unknown>>;
export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

export const setting = <T>(env: string, schema: Joi.AnySchema<T>, about: string): Setting<T> => ({
  env,
  schema,
  about,
});
/** Secrets that are only for demos contain this text, either as it is or in base64. */
const demoMarks = ['demo-only', Buffer.from('demo-only').toString('base64')];
const findDemoSecret = (raw: string): string | null =>
  demoMarks.some((mark) => raw.includes(mark)) ? 'a demo secret is not allowed in production; set your own' : null;

/**
 * Creates a setting for a secret from the variable `NAME` or from the file at `NAME_FILE`. A secret has no default and is never
 * logged.
 */
export const secretSetting = <T>(env: string, schema: Joi.AnySchema<T>, about: string): Setting<T> => ({
  env,
  schema,
  about,
  secret: { findDemo: findDemoSecret },
});

/** The schema for all settings that are URLs. It is shared because each copy would take 250 KB of memory. */
export const httpUrl = Joi.string().uri({ scheme: ['http', 'https'] });

/** Creates a setting for a URL whose default points to the local machine. Production requires an explicit value. */
export const urlSetting = (
  env: string,
  { schema = httpUrl, ofOneMachine, about }: { schema?: Joi.StringSchema; ofOneMachine: string; about: string },
): Setting<string> => ({ env, schema: schema.default(ofOneMachine), about, forOneMachine: true });

/** Returns the settings that every service has. `port` is the default for `PORT`. */
export const commonSettings = (port: number) => ({
  port: setting('PORT', Joi.number().port().default(port), 'Port to listen on. 0 picks a free port'),
  host: setting('HOST', Joi.string().default('127.0.0.1'), 'Address to listen on'),
  logLevel: setting(
    'LOG_LEVEL',
    Joi.string<'debug' | 'info' | 'warn' | 'error' | 'silent'>()
      .valid('debug', 'info', 'warn', 'error', 'silent')
      .default('info'),
    'Lowest level that is logged',
  ),
  drainDelayMs: setting(
    'DRAIN_DELAY_MS',
    Joi.number().integer().min(0).max(60_000).default(0),
    'How long the port stays open after SIGTERM while `/readyz` returns 503. Choose more time than your load balancer takes to notice',
  ),
});
/** The settings for services that verify access tokens. */
export const tokenSettings = {
  jwksUrl: urlSetting('JWKS_URL', {
    ofOneMachine: 'http://127.0.0.1:3002/.well-known/jwks.json',
    about: 'URL of the public keys that verify access tokens',
  }),
  tokenIssuer: setting('TOKEN_ISSUER', Joi.string().default('comanda'), '`iss` of access tokens'),
  tokenAudience: setting('TOKEN_AUDIENCE', Joi.string().default('comanda'), '`aud` of access tokens'),
};
export const mongodbSettings = (database: string) => ({
  mongodbUri: secretSetting(
    'MONGODB_URI',
    // A pattern replaces `uri()` here, because a replica set's URI contains commas.
    Joi.string()
      .pattern(/^mongodb(\+srv)?:\/\/[^\s/?#]+([/?#]\S*)?$/)
      .messages({
        'string.pattern.base': '{{#label}} must begin with mongodb:// or mongodb+srv://, and name its hosts',
      })
      .required(),
    'URI of the replica set or sharded cluster',
  ),
  mongodbDatabase: setting('MONGODB_DATABASE', Joi.string().default(database), 'Database of this service'),
});
/**
 * Returns an error message if a URL uses RabbitMQ's default account `guest`, otherwise null. A URL without a user counts too,
 * because amqplib then uses that account.
 */
function findGuest(raw: string): string | null {
  const isGuest = (url: string): boolean => {
    const { username, password } = URL.parse(url) ?? {};
    return !username || (decode(username) === 'guest' && decode(password ?? '') === 'guest');
  };
  return raw.split(',').some(isGuest)
    ? 'the account guest:guest is not allowed in production; create a user for this service'
    : null;
}
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // decoding fails if a "%" is not followed by two hexadecimal digits
  }
}
/** Creates a schema for one or more URLs, separated by commas. */
const urls = (options: Joi.UriOptions): Joi.StringSchema =>
  Joi.string().custom((value: string, rule) =>
    value.split(',').every((url) => !Joi.string().uri(options).validate(url).error) ? value : rule.error('any.invalid'),
  );
const rabbitmqUrl = secretSetting(
  'RABBITMQ_URL',
  urls({ scheme: ['amqp', 'amqps'] }).required(),
  'URL of the broker with its vhost. For a cluster, list the URLs of its nodes, separated by commas',
);
export const rabbitmqSettings = {
  rabbitmqUrl: {
    ...rabbitmqUrl,
    secret: { findDemo: (raw: string) => findDemoSecret(raw) ?? findGuest(raw) },
  },
};
export const redisSettings = {
  redisUrl: secretSetting(
    'REDIS_URL',
    Joi.string()
      .pattern(/^(rediss?:\/\/[^\s,]+|redis\+sentinel:\/\/[^\s/]+\/[^\s/]+)$/)
      .required(),
    'URL of the Redis server, or `redis+sentinel://:password@host:port,host:port/name` for the primary that Sentinel reports. Redis must not evict keys (`noeviction`)',
  ),
  redisPrefix: setting('REDIS_PREFIX', Joi.string().allow('').default('comanda:'), 'Prefix of every Redis key'),
};

/** Creates the schema for a list of values, separated by commas. The default is an empty list. */
export const listSetting = (item: Joi.StringSchema): Joi.AnySchema<readonly string[]> =>
  Joi.string()
    .custom((value: string, rule) => {
      const items = value.split(',').map((each) => each.trim());
      return items.some((each) => item.validate(each).error) ? rule.error('any.invalid') : items;
    })
    .default([]) as Joi.AnySchema as Joi.AnySchema<readonly string[]>;
export const trustedProxiesSetting = setting(
  'TRUSTED_PROXIES',
  listSetting(Joi.string().pattern(/^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]{2,39}(\/\d{1,3})?)$/)),
  'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal` or `uniquelocal`',
);
/** The setting for the number of proxies between the clients and the service. */
export const proxyHopsSetting = setting(
  'PROXY_HOPS',
  Joi.number().integer().min(1).max(10).default(1),
  "How many proxies each request passes. The client's address is this many places from the right of `X-Forwarded-For`",
);
/** Matches an origin in the form in which browsers send it in the `Origin` header. */
const origin = /^https?:\/\/[a-z0-9.:[\]-]+$/;
export const allowedOriginsSetting = setting(
  'ALLOWED_ORIGINS',
  listSetting(Joi.string().pattern(origin)),
  'Other origins whose pages may call the API, such as `https://menu.example.com`',
);
export const staffUrlSetting = setting(
  'STAFF_URL',
  httpUrl.pattern(origin).default(''),
  "URL of a separate host for the staff's app, such as `https://staff.example.com`. Without it, staff use `PUBLIC_URL`",
);

/**
 * An error that lists all invalid settings. For each, it shows the valid values and the actual value, but never the value of a
 * secret.
 */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Error messages that replace joi's own, which would repeat the value. The text about the setting explains which values are
 * valid.
 */
const messages = { 'string.pattern.base': 'must match {#regex}', 'any.invalid': 'must be valid' };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `settings` from `env` and freezes the result. An empty value counts as missing. In production, demo secrets are rejected,
 * and every address with a default on the local machine must be set.
 * @throws ConfigError with all errors
 */
export function loadConfig<S extends Settings>(settings: S, env: Environment): ConfigOf<S> {
  const errors: string[] = [];
  const entries = Object.entries(settings).map(([key, { env: name, schema, about, ...kind }]) => {
    const { secret } = kind;
    const isOptional = !schema.validate(undefined).error;
    const raw = secret ? readSecret(name, env, { errors, isOptional }) : env[name];
    const isProduction = env['NODE_ENV'] === 'production';
    const demo = raw && isProduction ? secret?.findDemo(raw) : null;
    if (demo) errors.push(`${name}: ${demo}`);
    if (!raw && isProduction && 'forOneMachine' in kind) errors.push(`${name}: is required in production (${about})`);
    const { value, error } = schema.validate(raw === '' ? undefined : raw, { errors: { label: false }, messages });
    if (error) {
      const what = !raw
        ? error.message
        : secret
          ? 'has the wrong format'
          : `${error.message}, instead got '${withoutUser(raw)}'`;
      errors.push(`${name}: ${what} (${about})`);
    }
    return [key, value] as const;
  });
  if (errors.length > 0) throw new ConfigError(errors);
  return Object.freeze(Object.fromEntries(entries)) as ConfigOf<S>;
}

/** Replaces the user and the password in a URL with `…`. */
const withoutUser = (raw: string): string => raw.replace(/\/\/[^/]*@/, '//…@');

type ReadSecret = { errors: string[]; isOptional: boolean };

/**
 * Reads a secret from its variable or from its file. If the secret is optional, its file may be missing, because the Helm charts
 * always set the path.
 */
function readSecret(name: string, env: Environment, { errors, isOptional }: ReadSecret): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || !isOptional) errors.push(`${name}_FILE: cannot be read (${code})`);
    return undefined;
  }
}
