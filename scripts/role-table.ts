import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { Problem } from '@comanda/contracts/problem';
import { authorize } from '@comanda/shared/http/authenticate';
import type { Caller } from '@comanda/shared/http/token-verifier';

const baseCaller = {
  userId: 1,
  name: 'A',
  jti: 'j',
  authTime: 1,
  amr: ['pwd'],
  expiresAt: 2,
  mustChangePassword: false,
  guest: false,
};
const callers: Readonly<Record<string, Caller>> = {
  guest: { ...baseCaller, amr: [], role: 'customer', guest: true, table: '1', seating: 1 },
  customer: { ...baseCaller, role: 'customer' },
  waiter: { ...baseCaller, role: 'waiter' },
  'waiter, tablet PIN': { ...baseCaller, role: 'waiter', amr: ['pin'] },
  manager: { ...baseCaller, role: 'manager' },
  'manager, first password': { ...baseCaller, role: 'manager', mustChangePassword: true },
};

/** Returns the result of `authorize` for a caller, which is ✓ or the problem code. */
function authorization(contract: AnyEndpoint, caller: Caller): string {
  try {
    authorize(contract, caller);
    return '✓';
  } catch (error) {
    if (error instanceof Problem) return `\`${error.code}\``;
    throw error;
  }
}

/** Generates `docs/roles.md` from the contracts: a table of who may call what. */
export function rolesPage(endpoints: readonly AnyEndpoint[]): string {
  const names = Object.keys(callers);
  const rows = endpoints.map((contract) => {
    const withoutToken = contract.who === 'anyone' ? '✓' : '`authentication_required`';
    const cells = names.map((name) => authorization(contract, callers[name] ?? { ...baseCaller, role: 'customer' }));
    const stepUp = contract.stepUp
      ? `\`${contract.stepUp.key}\`${contract.stepUp.demanded ? ' by a setting' : ''}`
      : '';
    return `| \`${contract.method} ${contract.path}\` | ${[withoutToken, ...cells, stepUp].join(' | ')} |`;
  });
  const headings = ['Call', 'no token', ...names, 'step-up'];
  const table = [`| ${headings.join(' | ')} |`, `|${' --- |'.repeat(headings.length)}`, ...rows].join('\n');
  return `<!-- Generated from the contracts by \`npm run docs\`. Do not edit. -->\n\n# Who may call what\n\n${about}\n\n${table}\n`;
}

const about =
  'The gateway checks this table, and the service checks it again. Access to a single resource, such as an order of your own, is decided by the service. `services/gateway/test/support/expected-access.ts` repeats the table independently of the contracts, and a test compares the two. `/docs` of the gateway explains each call.';
