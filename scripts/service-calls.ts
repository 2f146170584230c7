import { internalEndpoints } from '@comanda/contracts/internal';

/** Generates the table of calls between services, from their contracts. */
export function serviceCallsTable(): string {
  const rows = internalEndpoints.map(
    ({ service, method, path, callers = [], summary }) =>
      `| ${callers.join(', ')} | ${service} | \`${method} ${path}\` | ${summary} |`,
  );
  return ['| From | To | Call | Purpose |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
