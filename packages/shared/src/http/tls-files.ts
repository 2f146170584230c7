import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureVersion } from 'node:tls';
import Joi from 'joi';
import { ConfigError, setting } from '../config/load-config.ts';
import type { Logger } from '../runtime/logger.ts';

const file = (): Joi.StringSchema => Joi.string().allow('').default('');
/** The settings for a service whose port clients can reach. */
export const tlsSettings = {
  tlsCertFile: setting(
    'TLS_CERT_FILE',
    file(),
    'Certificate (PEM, with its chain) for HTTPS and WSS on the port, TLS 1.2 or newer. It is loaded again when it changes. Without it, the port serves plain HTTP',
  ),
  tlsKeyFile: setting('TLS_KEY_FILE', file(), 'Private key of `TLS_CERT_FILE` (PEM)'),
};
type TlsConfig = { tlsCertFile: string; tlsKeyFile: string };

/** A certificate with its private key, for `node:https` and `setSecureContext`. */
export type TlsPair = { cert: string; key: string; minVersion: SecureVersion };
/** A certificate that is reloaded when its files change. */
export type TlsFiles = {
  current: TlsPair;
  /** Calls `onChange` with each new valid pair, until the returned function is called. */
  watch: (onChange: (pair: TlsPair) => void) => () => void;
};

/**
 * How often the files are checked for changes, in milliseconds. Watching the files would miss changes in a Kubernetes volume,
 * where a link to another folder replaces the old link.
 */
const compareEveryMs = 10_000;

/**
 * Reads the certificate and the key from the files in the settings; null if none are set. Later, a changed pair replaces the old
 * one. If certificate and key do not match, for example because only one file has been written so far, this is logged and the old
 * pair stays in use.
 * @throws ConfigError if only one of the files is set, or the pair cannot be used
 */
export function openTlsFiles(config: TlsConfig, logger: Logger, everyMs = compareEveryMs): TlsFiles | null {
  const { tlsCertFile, tlsKeyFile } = config;
  if (!tlsCertFile && !tlsKeyFile) return null;
  if (!tlsCertFile || !tlsKeyFile) throw new ConfigError(['TLS_CERT_FILE and TLS_KEY_FILE: set both, or none']);
  const read = (): TlsPair => ({
    cert: readFileSync(tlsCertFile, 'utf8'),
    key: readFileSync(tlsKeyFile, 'utf8'),
    minVersion: 'TLSv1.2',
  });
  let current: TlsPair;
  try {
    current = checked(read());
  } catch (error) {
    throw new ConfigError([`TLS_CERT_FILE and TLS_KEY_FILE: cannot be used (${(error as Error).message})`]);
  }
  return {
    current,
    watch: (onChange) => {
      let lastFailure = '';
      const timer = setInterval(() => {
        try {
          const pair = read();
          if (pair.cert === current.cert && pair.key === current.key) return;
          onChange(checked(pair));
          current = pair;
          lastFailure = '';
          logger.info('the new TLS certificate is in use');
        } catch (error) {
          const { message } = error as Error;
          if (message !== lastFailure)
            logger.error({ err: error }, 'the new TLS certificate cannot be used; the old one stays in use');
          lastFailure = message;
        }
      }, everyMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/**
 * Returns the pair if it can be used.
 * @throws if the certificate or the key is not PEM, or they do not match
 */
function checked(pair: TlsPair): TlsPair {
  createSecureContext(pair);
  return pair;
}
