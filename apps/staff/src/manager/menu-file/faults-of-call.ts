import { CallFailure } from '@comanda/client/core';
import type { ColumnKey } from './columns.ts';
import type { DishChange } from './compare-menu.ts';
import type { Fault } from './read-menu-file.ts';

type Sent = { sent: readonly DishChange[]; columns: ReadonlyMap<ColumnKey, string> };

/** Returns the lines and columns that the server has rejected, from pointers such as `/dishes/3/name_translations/en`. */
export function faultsOfCall(failure: unknown, { sent, columns }: Sent): Fault[] {
  const isOfRows =
    failure instanceof CallFailure && (failure.is('validation_failed') || failure.is('unprocessable_content'));
  if (!isOfRows) return [];
  return failure.problem.errors.flatMap(({ pointer }): Fault[] => {
    const [, list, index, member = '', into = ''] = pointer.split('/');
    const change = list === 'dishes' ? sent[Number(index)] : undefined;
    if (!change) return [];
    const key = member.replace('_translations', into === '' ? '' : `_${into}`) as ColumnKey;
    return [{ line: change.line, column: columns.get(key) ?? null, kind: 'rejected', text: '' }];
  });
}
