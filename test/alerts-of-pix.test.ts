import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { makeAuthority, makeClientCertificate } from '@comanda/local-stack/certificates';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { codeOf, created } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { importOf, startServiceHere } from '@comanda/testing/service-here';
import type { RunningService } from '@comanda/testing/service-process';
import { createTestClock, type TestClock } from '@comanda/testing/test-clock';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { hasPromtool } from './monitoring/find-promtool.ts';
import { checkRaised, scrapeAll, type Scrape } from './monitoring/raised-alerts.ts';
import { openPixRestaurant, type PixRestaurant } from './pix/pix-restaurant.ts';

// As in alerts.test.ts, the tests cause real problems and use the services' real metrics.
const describeWithPromtool = hasPromtool ? describe : describe.skip;

describeWithPromtool('among the alerts about the bank', () => {
  let bank: FakeBank;
  let clock: TestClock;
  let transfers: RunningService;
  let before: Scrape;
  beforeAll(async () => {
    bank = await startFakeBank();
    clock = createTestClock();
    const client = await makeClientCertificate('comanda', await makeAuthority('Clients'));
    const env = {
      ...stackSettings({ servers: await isolatedServers('alerts-bank'), secrets: testSecrets() }).transfers,
      ...bank.settings,
      PIX_BANK_CERT: client.cert,
      PIX_BANK_CERT_KEY: client.key,
      PORT: '0',
    };
    const { startTransfers } = (await importOf('transfers', 'src/service.ts')) as {
      startTransfers: (
        config: object,
        logger: object,
        o: { clock: () => number },
      ) => ReturnType<typeof startServiceHere>;
    };
    transfers = await startServiceHere('transfers', {
      env,
      start: (config, logger) => startTransfers(config, logger, { clock }),
    });
    await until(() => bank.requests.includes('GET /v2/pix'), { what: 'a question for new Pix' });
    before = await scrapeAll({ transfers });
    bank.setFault(() => ({ status: 503 }));
  });
  afterAll(async () => {
    await transfers?.close();
    await bank?.close();
  });

  test('PixNotRead is raised when the bank is down for ten minutes', async () => {
    clock.advance({ minutes: 10 });

    expect(await checkRaised(['PixNotRead'], [before, await scrapeAll({ transfers })])).toBe('');
  });

  test('PixCertificateEnds is raised when the certificate ends within 30 days', async () => {
    clock.advance({ days: 370 });

    expect(await checkRaised(['PixCertificateEnds'], [before, await scrapeAll({ transfers })])).toBe('');
  });
});

describeWithPromtool('among the alerts about Pix', () => {
  let at: PixRestaurant;
  beforeAll(async () => {
    at = await openPixRestaurant('alerts-pix');
  });
  afterAll(() => at.close());
  const now = (): Promise<Scrape> => scrapeAll(at.stack.services);

  test('PixCodesRefused is raised when the bank refuses to create a code', async () => {
    const before = await now();
    const payment = await at.reserve();
    at.bank.setFault(({ method }) => (method === 'PUT' ? { status: 400 } : null));

    expect(codeOf(await at.ask(payment))).toBe('503 service_unavailable');
    at.bank.setFault(null);

    expect(await checkRaised(['PixCodesRefused'], [before, await now()])).toBe('');
  });

  test('PixUnfinished is raised when the bank does not end a refund', async () => {
    const before = await now();
    const { payment, e2e } = await at.settled();
    at.bank.setRefundEnd('EM_PROCESSAMENTO');
    created(await at.giveBack(e2e, payment.total));
    const isCounted = async (): Promise<boolean> =>
      [...(await now())].some(([name, value]) => /pix_receipts.*refunding/.test(name) && value === '1');
    await until(isCounted, { what: 'the refund to be counted', timeoutMs: 30_000 });

    expect(await checkRaised(['PixUnfinished'], [before, await now()])).toBe('');
  });
});
