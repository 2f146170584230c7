import * as contracts from '@comanda/contracts/setup';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import type { UserStore } from '../users/user-store.ts';
import { createFirstManager, type CreateFirstManagerDeps } from './create-first-manager.ts';

export type SetupRouteDeps = CreateFirstManagerDeps & { users: UserStore };

export function registerSetupRoutes({ handle }: Api, deps: SetupRouteDeps): void {
  handle(contracts.getSetup, async () => ({
    status: 200,
    body: { needs_first_manager: !(await deps.users.hasManager()) },
  }));
  handle(contracts.createFirstManager, async (call) => {
    const secure = call.header('x-forwarded-proto') === 'https';
    const { pair, cookie } = await createFirstManager(deps, call.body, { origin: originOf(call), secure });
    return { status: 201, body: pair, headers: { 'Set-Cookie': cookie } };
  });
}
