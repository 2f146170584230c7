import { contrastOf } from '@comanda/contracts/contrast';
import type { BodyOf } from '@comanda/contracts/endpoint';
import { problem, type ProblemMembers } from '@comanda/contracts/problem';
import type { putRestaurant } from '@comanda/contracts/restaurant';
import { accentContrast } from '@comanda/contracts/rules';
import { textKey } from '@comanda/contracts/text-key';
import { limitErrors } from '../stations/limit-errors.ts';

type Body = BodyOf<typeof putRestaurant>;
type Errors = NonNullable<ProblemMembers['errors']>;

/**
 * Checks what the contract can't say about new settings.
 * @throws 400 `validation_failed` if the same tip is suggested twice; 422 `unprocessable_content` if white text on the accent
 * colour is hard to read, an amber time isn't before its late time, or a category is listed twice
 */
export function checkSettings({ tip_suggestions: tips = [], accent, category_limits: limits = [] }: Body): void {
  refuseRepeated(tips);
  const errors = [
    ...accentErrors(accent ?? null),
    ...limitErrors(limits, {
      pointer: '/category_limits',
      member: 'category',
      keyOf: (each) => textKey(each.category),
    }),
  ];
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
}

/** Rejects suggested tips that are equal. `5` and `5.00` are the same tip. */
function refuseRepeated(tips: readonly string[]): void {
  const at = tips.findIndex((tip, index) => tips.findIndex((each) => Number(each) === Number(tip)) < index);
  if (at < 0) return;
  const errors = [{ pointer: `/tip_suggestions/${at}`, detail: 'must not be suggested twice' }];
  throw problem('validation_failed', { errors });
}

function accentErrors(accent: string | null): Errors {
  if (accent === null) return [];
  const { with: text, atLeast } = accentContrast;
  const contrast = contrastOf(accent, text);
  if (contrast >= atLeast) return [];
  // Rounded down, so that 4.499 is not shown as 4.5.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  const detail = `White text (${text}) on this colour has a contrast of ${shown}:1. At least ${atLeast}:1 is needed: choose a darker colour.`;
  return [{ pointer: '/accent', detail }];
}
