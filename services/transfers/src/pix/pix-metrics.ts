import { X509Certificate } from 'node:crypto';
import { Counter, Gauge } from 'prom-client';
import type { PixReceiptState } from '@comanda/contracts/pix';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type PixMetrics = ReturnType<typeof createPixMetrics>;
type Options = {
  /** Null without a bank. `cert`: the certificate with which it knows us (PEM); undefined if there is none. */
  bank: { cert: string | undefined } | null;
  clock: Clock;
};

/** The states in which something is left to do. All others together grow for ever. */
export const openStates = ['settling', 'unmatched', 'refunding'] as const satisfies PixReceiptState[];

const warnDays = 30;
const dayMs = 24 * 3600_000;

/** Creates the metrics about Pix, and the warning before the bank's certificate ends. */
export function createPixMetrics(registry: Metrics, { bank, clock }: Options) {
  const registers = [registry];
  const cert = bank?.cert;
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
    help: 'Pix with which something is left to do, by state, at the last count',
    labelNames: ['state'],
    registers,
    collect: () => openStates.forEach((state) => receipts.set({ state }, counts.get(state) ?? 0)),
  });
  let readUntil = bank && new Date(clock());
  const age: Gauge = new Gauge({
    name: 'comanda_pix_reading_age_seconds',
    help: 'Time since the bank last told all new Pix, or since the start; 0 without a bank',
    registers,
    collect: () => age.set(readUntil === null ? 0 : Math.max(0, (clock() - readUntil.getTime()) / 1000)),
  });
  const left: Gauge = new Gauge({
    name: 'comanda_pix_certificate_days',
    help: 'Days until the client certificate for the bank ends; no figure without one',
    registers,
    collect: () => (endsAt ? left.set(daysLeft()) : left.remove({})),
  });
  return {
    countRefusedCharge: (): void => refused.inc(),
    setCounts: (found: ReadonlyMap<PixReceiptState, number>, read: Date | null): void => {
      counts = found;
      readUntil = read ?? readUntil;
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
