import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type BillPaymentMetrics = {
  countSettlement: (outcome: 'posted' | 'refused' | 'expired') => void;
  watchAttempts: (count: () => number) => void;
};

export function createBillPaymentMetrics(registry: Metrics): BillPaymentMetrics {
  const registers = [registry];
  const settlements = new Counter({
    name: 'comanda_bill_settlements_total',
    help: 'Payments of bills whose end was told to orders, by outcome; `refused` also counts what orders refused',
    labelNames: ['outcome'],
    registers,
  });
  let countNow = (): number => 0;
  const attempts: Gauge = new Gauge({
    name: 'comanda_bill_attempts',
    help: 'Payments of bills whose end orders does not know yet, at the last sweep',
    registers,
    collect: (): void => attempts.set(countNow()),
  });
  return {
    countSettlement: (outcome) => settlements.inc({ outcome }),
    watchAttempts: (count) => {
      countNow = count;
    },
  };
}
