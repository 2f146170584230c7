import { endSeating as contract } from '@comanda/contracts/internal';
import type { Api } from '@comanda/shared/http/api';
import { endSeating, type EndSeatingDeps } from './end-seating.ts';

export function registerSeatingRoutes({ handle }: Api, deps: EndSeatingDeps): void {
  handle(contract, async (call) => {
    await endSeating(deps, { ...call, of: 'table' });
    const { seating, table } = call.body;
    return { status: 200, body: { seating, table } };
  });
}
