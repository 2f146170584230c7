import { problem } from '@comanda/contracts/problem';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Translations } from '@comanda/contracts/translations';
import type { MenuStore } from './menu-store.ts';
import { isNameTaken } from './spread-names.ts';

export type ConsentToDishDeps = {
  menu: Pick<MenuStore, 'getAll'>;
  /** Spends a manager's step-up token for a menu change; null if MENU_STEP_UP doesn't require a PIN. */
  consumeForMenu: Consume | null;
};
/** `params.id`: the id of an existing dish; undefined for a new one. */
type DishCall = SensitiveCall & {
  params: { id?: number };
  body: { name?: string; price?: string; name_translations?: Translations };
};

/**
 * Spends the step-up token if the call sets a dish's price, or its name in any language. Returns null if no token is required.
 * @throws 409 `menu_item_exists`, before the token is spent; a `step_up_…` problem; 503 `service_unavailable` if auth-stepup
 * can't be reached
 */
export async function consentToDish(
  { menu, consumeForMenu: consume }: ConsentToDishDeps,
  call: DishCall,
): Promise<Consent | null> {
  const { name, price, name_translations: translations } = call.body;
  if (!consume || (name === undefined && price === undefined && translations === undefined)) return null;
  if (name !== undefined && isNameTaken(await menu.getAll(), { id: call.params.id, name }))
    throw problem('menu_item_exists');
  return consume(call);
}
