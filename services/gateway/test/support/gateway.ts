import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createLogger } from '@comanda/shared/runtime/logger';
import { serverUrls, testRun } from '@comanda/testing/environment';
import { startTestIssuer } from '@comanda/testing/tokens';
import type { TestIssuer } from '@comanda/testing/tokens';
import { gatewaySettings } from '../../src/config.ts';
import { startGateway } from '../../src/service.ts';
import { startPeer } from './peer.ts';
import type { Peer } from './peer.ts';

export type TestGateway = {
  url: string;
  issuer: TestIssuer;
  /** Stands for every service behind. */
  peer: Peer;
  /** Every log line so far. */
  lines: Record<string, unknown>[];
  close: () => Promise<void>;
};

/** A gateway before one peer, with keys and counters of its own; `settings` are merged over the test's. */
export async function startTestGateway(settings: Record<string, string> = {}): Promise<TestGateway> {
  const [issuer, peer] = await Promise.all([startTestIssuer(), startPeer()]);
  const lines: Record<string, unknown>[] = [];
  const log = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const config = loadConfig(gatewaySettings, {
    PORT: '0',
    REDIS_URL: serverUrls().REDIS_URL,
    REDIS_PREFIX: `${testRun()}-gateway-${randomBytes(4).toString('hex')}:`,
    JWKS_URL: issuer.jwksUrl,
    ORDERS_URL: peer.url,
    AUTH_STEPUP_URL: peer.url,
    TRANSFERS_URL: peer.url,
    NOTIFIER_URL: peer.url,
    ...settings,
  });
  const gateway = await startGateway(config, createLogger({ service: 'gateway', level: 'info' }, log));
  return {
    url: gateway.url,
    issuer,
    peer,
    lines,
    close: async () => {
      await gateway.close();
      await Promise.all([peer.close(), issuer.close()]);
    },
  };
}
