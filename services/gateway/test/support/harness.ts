import { randomBytes } from 'node:crypto';
import { loadConfig } from '@comanda/shared/config/load-config';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { serverUrls, testRun } from '@comanda/testing/environment';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { createTestLogger } from '@comanda/testing/test-logger';
import { gatewaySettings } from '../../src/config.ts';
import { startGateway } from '../../src/service.ts';
import { startPeer, type Peer } from './peer.ts';

export type GatewayHarness = {
  url: string;
  metricsUrl: string;
  issuer: TestIssuer;
  /** A stand-in for every service behind the gateway. */
  peer: Peer;
  lines: Record<string, unknown>[];
  close: () => Promise<void>;
};

/** Starts a gateway in front of one peer, with its own keys and counters. `settings` override the test settings. */
export async function startGatewayHarness(settings: Record<string, string> = {}): Promise<GatewayHarness> {
  const [issuer, peer] = await Promise.all([startTestIssuer(), startPeer()]);
  const lines: Record<string, unknown>[] = [];
  const urls = { orders: peer.url, 'auth-stepup': peer.url, transfers: peer.url, notifier: peer.url };
  const servers = {
    mongodbUri: '', // the gateway needs only Redis
    redisUrl: serverUrls().REDIS_URL,
    redisPrefix: `${testRun()}-gateway-${randomBytes(4).toString('hex')}:`,
    rabbitmqUrl: '',
  };
  const config = loadConfig(gatewaySettings, {
    ...stackSettings({ urls, servers, secrets: testSecrets() }).gateway,
    JWKS_URL: issuer.jwksUrl,
    METRICS_PORT: '0',
    METRICS_AGE_MS: '0',
    ...settings,
  });
  const logger = createTestLogger('gateway', {
    level: 'info',
    onLine: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const gateway = await startGateway(config, logger);
  return {
    url: gateway.url,
    metricsUrl: gateway.metricsUrl,
    issuer,
    peer,
    lines,
    close: async () => {
      await gateway.close();
      await Promise.all([peer.close(), issuer.close()]);
    },
  };
}
