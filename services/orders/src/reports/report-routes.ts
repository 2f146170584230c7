import * as contract from '@comanda/contracts/reports';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { getFigures, type FiguresDeps } from './figures.ts';
import { createReports, type ReportDeps } from './get-report.ts';

export type ReportRouteDeps = FiguresDeps & ReportDeps;

export function registerReportRoutes({ handle }: Api, deps: ReportRouteDeps): void {
  const reports = createReports(deps);
  handle(contract.getDayFigures, async (call) => ({ status: 200, body: await getFigures(deps, call) }));
  handle(contract.getReport, async ({ params: { report }, query, header }) => {
    const headers = { Vary: 'Accept' };
    if (prefersCsv(header('Accept'))) return { status: 200, file: await reports.getCsv(report, query), headers };
    const { rows, next } = await reports.getPage(report, query);
    return { status: 200, body: rows, headers: { ...headers, ...nextLink(`/reports/${report}`, query, next) } };
  });
}

/** Returns true if `Accept` names `text/csv` and doesn't prefer JSON [RFC 9110, 12.5.1]. */
function prefersCsv(accept = ''): boolean {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) };
  });
  const weightOf = (wanted: string): number => ranges.find(({ type }) => type === wanted)?.weight ?? 0;
  return weightOf('text/csv') > 0 && weightOf('text/csv') >= weightOf('application/json');
}
