import type { Action } from '../device/keys.ts';
import { shiftMessages } from './messages.ts';

/** Returns an action's name in the current language. */
export function actionName(action: Action): string {
  const words = shiftMessages().keyNames;
  if (action.startsWith('card_')) return words.card(Number(action.slice(5)));
  return words[action as Exclude<Action, `card_${string}`>];
}
