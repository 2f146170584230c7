import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { Problem } from '@comanda/contracts/problems';
import { authorize } from '@comanda/shared/http/authenticate';
import type { Caller } from '@comanda/shared/http/token-verifier';

const begin = '<!-- role × endpoint: made from the contracts by `npm run docs`; what you write here is overwritten -->';
const end = '<!-- end of role × endpoint -->';

const somebody = { userId: 1, name: 'A', jti: 'j', authTime: 1, expiresAt: 2, mustChangePassword: false, guest: false };
const callers: Readonly<Record<string, Caller>> = {
  guest: { ...somebody, role: 'customer', guest: true, table: '1', seating: 1 },
  customer: { ...somebody, role: 'customer' },
  waiter: { ...somebody, role: 'waiter' },
  manager: { ...somebody, role: 'manager' },
  'manager, first password': { ...somebody, role: 'manager', mustChangePassword: true },
};

/** What the one function that lets callers in says to this one: ✓ or the code of the refusal. */
function verdict(contract: AnyEndpoint, caller: Caller): string {
  try {
    authorize(contract, caller);
    return '✓';
  } catch (error) {
    if (error instanceof Problem) return `\`${error.code}\``;
    throw error;
  }
}

/** `current` with the table of who may call what between its marks; at the end where there are no marks yet. */
export function withRoleTable(current: string, endpoints: readonly AnyEndpoint[]): string {
  const names = Object.keys(callers);
  const rows = endpoints.map((contract) => {
    const nobody = contract.who === 'anyone' ? '✓' : '`authentication_required`';
    const cells = names.map((name) => verdict(contract, callers[name] ?? { ...somebody, role: 'customer' }));
    const stepUp = contract.stepUp ? `\`${contract.stepUp}\`` : '';
    return `| \`${contract.method} ${contract.path}\` | ${[nobody, ...cells, stepUp].join(' | ')} |`;
  });
  const heads = ['Call', 'no token', ...names, 'step-up'];
  const table = [`| ${heads.join(' | ')} |`, `|${' --- |'.repeat(heads.length)}`, ...rows].join('\n');
  const section = `${begin}\n\n${table}\n\n${end}`;
  const from = current.indexOf(begin);
  const to = current.indexOf(end);
  if (from >= 0 && to > from) return current.slice(0, from) + section + current.slice(to + end.length);
  return `${current === '' ? '# Security\n' : current.trimEnd()}\n\n## Who may call what\n\n${about}\n\n${section}\n`;
}

const about =
  'Asked twice: at the gateway, and again in the service. Whose own things somebody may see or change is decided further in, by the service alone.';
