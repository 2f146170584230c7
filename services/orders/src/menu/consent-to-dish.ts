import type { Pricing } from '@comanda/contracts/weight';
import { problem } from '@comanda/contracts/problem';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Translations } from '@comanda/contracts/translations';
import { checkOptionGroups, type CheckOptionGroupsDeps } from './check-option-groups.ts';
import type { MenuStore } from './menu-store.ts';
import { isNameTaken } from './spread-names.ts';

export type ConsentToDishDeps = CheckOptionGroupsDeps & {
  menu: Pick<MenuStore, 'getAll'>;
  /** Spends a manager's step-up token for a menu change; null if MENU_STEP_UP doesn't require a PIN. */
  consumeForMenu: Consume | null;
};
/** `params.id`: the id of an existing dish; undefined for a new one. */
type DishCall = SensitiveCall & {
  params: { id?: number };
  body: {
    name?: string;
    price?: string;
    pricing?: Pricing;
    name_translations?: Translations;
    option_group_ids?: number[];
  };
};

/**
 * Spends the step-up token if the call sets a dish's price, how it is priced, its name in any language, or its option groups.
 * Returns null if no token is required.
 * @throws 409 `menu_item_exists`, 422 `unprocessable_content`, before the token is spent; a `step_up_…` problem; 503
 * `service_unavailable` if auth-stepup can't be reached
 */
export async function consentToDish(deps: ConsentToDishDeps, call: DishCall): Promise<Consent | null> {
  const { menu, consumeForMenu: consume } = deps;
  const { name, price, pricing, name_translations: translations, option_group_ids: groupIds } = call.body;
  if (!consume || [name, price, pricing, translations, groupIds].every((value) => value === undefined)) return null;
  if (name !== undefined && isNameTaken(await menu.getAll(), { id: call.params.id, name }))
    throw problem('menu_item_exists');
  await checkOptionGroups(deps, { dishId: call.params.id, groupIds, pricing });
  return consume(call);
}
