import { optionMessages } from '@comanda/ui/options/messages.ts';

/** Returns how many options guests choose, as they read it: `choose 1 to 2`. */
export function ruleText(min: number, max: number): string {
  const words = optionMessages();
  if (min === max) return words.exactly(min);
  if (min > 0) return words.between(min, max);
  return max === 1 ? words.optional : words.upTo(max);
}
