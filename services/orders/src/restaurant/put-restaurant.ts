import type { BodyOf } from '@comanda/contracts/endpoint';
import { withoutSize } from '@comanda/contracts/picture-address';
import { problem } from '@comanda/contracts/problem';
import type { putRestaurant as contract, Restaurant } from '@comanda/contracts/restaurant';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import { actorOf } from '../actor.ts';
import { checkPicture, type CheckPictureDeps } from '../menu/check-picture.ts';
import { newMessage } from '../messages.ts';
import { changeOfRestaurant } from './change-of-restaurant.ts';
import { checkSettings } from './check-settings.ts';
import type { RestaurantChange } from './restaurant-change-store.ts';
import { toRestaurant, type FixedSettings, type ManagedSettings } from './restaurant-settings.ts';
import type { SettingsStore } from './settings-store.ts';

/** Writes the settings with their event, and records the manager and the change, in one transaction. */
export type SettingsWrites = UnitOfWork<RestaurantChange, 'restaurant'>;
export type PutRestaurantDeps = CheckPictureDeps & {
  settings: SettingsStore;
  settingsWrites: Pick<SettingsWrites, 'runLocked'>;
  fixed: FixedSettings;
  clock: Clock;
};

/**
 * `PUT /restaurant`: changes the settings in the request, and leaves the others unchanged.
 * @throws 400 `validation_failed`, 422 `unprocessable_content` as `checkSettings`, or if the logo is no longer stored; 412
 * `version_mismatch` if the request contains a `version` that isn't the newest; 503 `service_unavailable`
 */
export async function putRestaurant(
  deps: PutRestaurantDeps,
  { body, caller, context: { traceparent } }: Call<typeof contract>,
): Promise<Restaurant> {
  const { settings, settingsWrites, fixed, clock } = deps;
  checkSettings(body);
  return settingsWrites.runLocked('settings', async (session) => {
    const before = await settings.get(session);
    if (body.version !== undefined && body.version !== before.version) throw problem('version_mismatch');
    const picture = { before: { imageUrl: before.logo }, imageUrl: body.logo, pointer: '/logo' };
    await checkPicture(deps, picture, session);
    const after = withFields(before, body);
    const at = new Date(clock());
    const restaurant = toRestaurant(after, fixed);
    const message = newMessage('ordering.settings_changed', {
      subject: 'restaurant',
      at,
      traceparent,
      data: { restaurant },
    });
    await settings.update(after, { message, session });
    const change = changeOfRestaurant({ before, after }, { at, actor: actorOf(caller) });
    return {
      value: restaurant,
      records: change ? [change] : [],
      events: [{ outbox: 'restaurant', documentId: 'orders', messages: [message] }],
    };
  });
}

/** Returns the settings with the sent fields replaced, and the next version. */
const withFields = (before: ManagedSettings, body: BodyOf<typeof contract>): ManagedSettings => ({
  name: body.name ?? before.name,
  language: body.language ?? before.language,
  serviceCharge: body.service_charge ?? before.serviceCharge,
  tipSuggestions: body.tip_suggestions ?? before.tipSuggestions,
  waiterDiscountLimit: body.waiter_discount_limit ?? before.waiterDiscountLimit,
  logo: body.logo === undefined ? before.logo : withoutSize(body.logo),
  accent: body.accent === undefined ? before.accent : (body.accent?.toLowerCase() ?? null),
  categoryLimits:
    body.category_limits?.map((limits) => ({ ...limits, category: limits.category.trim() })) ?? before.categoryLimits,
  wifi: body.wifi === undefined ? before.wifi : body.wifi,
  version: before.version + 1,
});
