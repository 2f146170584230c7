import * as contract from '@comanda/contracts/reports';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { getFigures, type FiguresDeps } from './figures.ts';
import { createReports, type ReportDeps } from './get-report.ts';

/** With all parameters that clients may name in `Accept`: it matches no type that lacks one of them [RFC 9110, 12.5.1; RFC 4180]. */
const [json, csv] = ['application/json; charset=utf-8', 'text/csv; charset=utf-8; header=present'] as const;

export type ReportRouteDeps = FiguresDeps & ReportDeps;

export function registerReportRoutes({ handle }: Api, deps: ReportRouteDeps): void {
  const reports = createReports(deps);
  handle(contract.getDayFigures, async (call) => ({ status: 200, body: await getFigures(deps, call) }));
  handle(contract.getReport, async ({ params: { report }, query, accepts }) => {
    const headers = { Vary: 'Accept' };
    if (accepts(json, csv) === csv) return { status: 200, file: await reports.getCsv(report, query), headers };
    const { rows, next } = await reports.getPage(report, query);
    return { status: 200, body: rows, headers: { ...headers, ...nextLink(`/reports/${report}`, query, next) } };
  });
}
