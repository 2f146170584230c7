import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/tablets';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import { findTablet, type FindTabletDeps } from './find-tablet.ts';
import { describeTablets, listTablets, type ListTabletsDeps } from './list-tablets.ts';
import { registerTablet, type RegisterTabletDeps } from './register-tablet.ts';
import { revokeTablet, type RevokeTabletDeps } from './revoke-tablet.ts';
import { setTabletPin, type SetTabletPinDeps } from './set-tablet-pin.ts';
import type { TabletPinStore } from './tablet-pin-store.ts';

export type TabletRouteDeps = RegisterTabletDeps &
  ListTabletsDeps &
  RevokeTabletDeps &
  FindTabletDeps &
  SetTabletPinDeps & { tabletPins: TabletPinStore };

export function registerTabletRoutes({ handle }: Api, deps: TabletRouteDeps): void {
  handle(contracts.registerTablet, async (call) => {
    const { tablet, credential, consent } = await registerTablet(deps, call, originOf(call));
    const [described] = await describeTablets(deps, [tablet]);
    if (!described) throw problem('internal_error');
    const body = { tablet: described, tablet_credential: credential };
    return { status: 201, body, headers: { Location: `/tablets/${tablet.id}` }, consent };
  });
  handle(contracts.listTablets, async () => ({ status: 200, body: await listTablets(deps) }));
  handle(contracts.revokeTablet, async (call) => {
    await revokeTablet(deps, call, originOf(call));
    return { status: 204 };
  });
  handle(contracts.readTablet, async ({ body }) => {
    const { name } = await findTablet(deps, body.tablet_credential);
    return { status: 200, body: { name, people: await deps.tabletPins.listPeople() } };
  });
  handle(contracts.setTabletPin, async (call) => {
    await setTabletPin(deps, call.body, { caller: call.caller, origin: originOf(call) });
    return { status: 204 };
  });
}
