import type { CallFailure, LiveItem } from '@comanda/client/core';
import { failureWords, type FailureWords } from '@comanda/ui/failure-words.ts';
import { formatList } from '@comanda/ui/format.ts';
import { orderMessages } from './messages.ts';

type Refusal = { failure: CallFailure; attempts: number };

const worded = [
  'menu_item_unknown',
  'options_invalid',
  'seating_full',
  'table_code_required',
  'table_mismatch',
  'too_many_open_items',
] as const;
const isWorded = (code: string): code is (typeof worded)[number] => worded.some((known) => known === code);

type Names = {
  /** The dishes with their names in the guest's language. */ dishById: ReadonlyMap<number, LiveItem>;
  optionName: (id: number) => string | null;
};

/** Returns the message for an order that the server rejected. */
export function wordsOfRefusal({ failure, attempts }: Refusal, { dishById, optionName }: Names): FailureWords {
  const { refused, paused, pausedHint } = orderMessages();
  const requestId = failure.problem?.request_id;
  const withId = (text: { happened: string; toDo: string }): FailureWords => ({
    ...text,
    ...(requestId !== undefined && { requestId }),
  });
  if (failure.is('menu_item_unavailable'))
    return withId(
      refused.menu_item_unavailable(
        formatList(
          failure.problem.items.map(({ item_id: id, name, option_ids: optionIds = [] }) => {
            const options = formatList(optionIds.flatMap((each) => optionName(each) ?? []));
            return (dishById.get(id)?.name ?? name) + (options && ` (${options})`);
          }),
        ),
      ),
    );
  if (failure.is('ordering_paused')) return withId({ happened: paused, toDo: pausedHint });
  if (failure.is('seating_closed')) return withId(refused.ended);
  // After more than one attempt, an earlier one may have reached the server.
  if (failure.needsSignIn) return withId(attempts > 1 ? refused.endedUnsure : refused.ended);
  const { code } = failure;
  if (isWorded(code)) return withId(refused[code]);
  return failureWords(failure);
}
