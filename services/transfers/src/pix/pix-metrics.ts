import { X509Certificate } from 'node:crypto';
import { Counter, Gauge } from 'prom-client';
import type { PixReceiptState } from '@comanda/contracts/pix';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type PixMetrics = ReturnType<typeof createPixMetrics>;
type Options = {
  /** The certificate with which the bank knows us (PEM); undefined if there is none. */
  cert: string | undefined;
  clock: Clock;
};

const warnDays = 30;
const dayMs = 24 * 3600_000;

/** Creates the metrics about Pix, and the warning before the bank's certificate ends. */
export function createPixMetrics(registry: Metrics, { cert, clock }: Options) {
  const registers = [registry];
  const endsAt = cert === undefined ? null : new X509Certificate(cert).validToDate;
  const daysLeft = (): number => (endsAt === null ? Infinity : Math.floor((endsAt.getTime() - clock()) / dayMs));
  const refused = new Counter({
    name: 'comanda_pix_refused_charges_total',
    help: 'Pix codes that the bank refused to create',
    registers,
  });
  let counts: ReadonlyMap<PixReceiptState, number> = new Map();
  const receipts: Gauge<'state'> = new Gauge({
    name: 'comanda_pix_receipts',
    help: 'Pix that the bank has received, by state, at the last count',
    labelNames: ['state'],
    registers,
    collect: () => counts.forEach((count, state) => receipts.set({ state }, count)),
  });
  let readUntil: Date | null = null;
  const age: Gauge = new Gauge({
    name: 'comanda_pix_reading_age_seconds',
    help: 'Time since the bank was last asked for all new Pix; 0 before the first time',
    registers,
    collect: () => age.set(readUntil === null ? 0 : Math.max(0, (clock() - readUntil.getTime()) / 1000)),
  });
  if (endsAt) {
    const left: Gauge = new Gauge({
      name: 'comanda_pix_certificate_days',
      help: "Days until the bank's client certificate ends",
      registers,
      collect: () => left.set(daysLeft()),
    });
  }
  return {
    countRefusedCharge: (): void => refused.inc(),
    setCounts: (found: ReadonlyMap<PixReceiptState, number>, read: Date | null): void => {
      counts = found;
      readUntil = read;
    },
    /** Returns a warning if the certificate ends within 30 days. */
    warnings: (): string[] =>
      daysLeft() < warnDays && endsAt
        ? [
            `The certificate in PIX_BANK_CERT_FILE ends on ${endsAt.toISOString().slice(0, 10)}. Get a new one from the bank.`,
          ]
        : [],
  };
}
