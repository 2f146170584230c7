import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Counter } from 'prom-client';
import type { SecurityEventType } from './security-event.ts';

/** Events that may be attacks on a secret. Their counters exist from the start, so that the first event shows as an increase. */
const attacks: readonly SecurityEventType[] = [
  'sign_in_failed',
  'password_wrong',
  'refresh_token_reused',
  'tablet_pin_wrong',
  'tablet_pin_blocked',
  'transaction_password_wrong',
  'transaction_password_blocked',
];

export function createSecurityEventMetrics(registry: Metrics): { count: (type: SecurityEventType) => void } {
  const events = new Counter({
    name: 'comanda_security_events_total',
    help: "Events of users' security lists, by type; without spent step-up tokens",
    labelNames: ['type'],
    registers: [registry],
  });
  for (const type of attacks) events.inc({ type }, 0);
  return { count: (type) => events.inc({ type }) };
}
