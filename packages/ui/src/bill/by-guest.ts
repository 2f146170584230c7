import { groupBy } from '@comanda/contracts/collections';
import type { Bill } from '@comanda/contracts/bills';
import { isUnnamed } from '../guest-name.ts';
import { billMessages } from './messages.ts';

type Line = Bill['lines'][number];
type IsOwn = (userId: number) => boolean;
export const isNobody: IsOwn = () => false;

/**
 * Groups the lines by the guest who ordered them, and adds the guest's name, or "You" if `isOwn` returns true. Guests without a
 * name, or with the same name as another guest, get a number. All staff form one group, because a bill contains no staff names.
 */
export function byGuest<L extends Line>(lines: readonly L[], isOwn: IsOwn): { name: string; lines: L[] }[] {
  const words = billMessages();
  const groups = groupBy(lines, ({ ordered_by: by }) => (isOwn(by.id) ? 'own' : by.name === null ? 'staff' : by.id));
  const given = [...groups].map(([key, [first]]) => (key === 'own' ? null : (first?.ordered_by.name ?? null)));
  let guests = 0;
  return [...groups].map(([key, own], index) => {
    if (key === 'own') return { name: words.you, lines: own };
    const name = given[index] ?? null;
    if (name === null) return { name: words.staff, lines: own };
    const isShared = given.filter((each) => each === name).length > 1;
    return { name: isShared || isUnnamed(name) ? words.guest(++guests) : name, lines: own };
  });
}
