import { problem } from '@comanda/contracts/problem';
import type { putRestaurant as contract } from '@comanda/contracts/restaurant';
import type { Call } from '@comanda/shared/http/api';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { RestaurantSettings } from './restaurant-settings.ts';
import type { SettingsStore } from './settings-store.ts';

export type PutRestaurantDeps = { settings: SettingsStore };

/** No attempt starts later than this after the request, in milliseconds, so that the caller gets a 503 within 2 s. */
const timeLimitMs = 1000;

/**
 * `PUT /restaurant`: changes the settings in the request, and leaves the others unchanged.
 * @throws 400 `validation_failed` if the same tip is suggested twice; 412 `version_mismatch` if the request contains a `version`
 * that isn't the newest; 503 `service_unavailable`
 */
export function putRestaurant(
  { settings }: PutRestaurantDeps,
  { body }: Call<typeof contract>,
): Promise<RestaurantSettings> {
  refuseRepeated(body.tip_suggestions ?? []);
  return retryOnConflict({ deadline: performance.now() + timeLimitMs }, async () => {
    const before = await settings.get();
    if (body.version !== undefined && body.version !== before.version) throw problem('version_mismatch');
    const after: RestaurantSettings = {
      name: body.name ?? before.name,
      language: body.language ?? before.language,
      serviceCharge: body.service_charge ?? before.serviceCharge,
      tipSuggestions: body.tip_suggestions ?? before.tipSuggestions,
      waiterDiscountLimit: body.waiter_discount_limit ?? before.waiterDiscountLimit,
      version: before.version + 1,
    };
    await settings.update(after);
    return after;
  });
}

/** Rejects suggested tips that are equal. `5` and `5.00` are the same tip. */
function refuseRepeated(tips: readonly string[]): void {
  const at = tips.findIndex((tip, index) => tips.findIndex((each) => Number(each) === Number(tip)) < index);
  if (at < 0) return;
  const errors = [{ pointer: `/tip_suggestions/${at}`, detail: 'must not be suggested twice' }];
  throw problem('validation_failed', { errors });
}
