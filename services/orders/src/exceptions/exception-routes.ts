import * as contract from '@comanda/contracts/exceptions';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import type { ExceptionStore } from './exception-store.ts';
import { listExceptions } from './list-exceptions.ts';

export function registerExceptionRoutes({ handle }: Api, deps: { exceptions: ExceptionStore }): void {
  handle(contract.listExceptions, async (call) => {
    const { exceptions: body, next } = await listExceptions(deps, call);
    return { status: 200, body, headers: nextLink(contract.listExceptions.path, call.query, next) };
  });
}
