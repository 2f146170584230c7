import { menuImport } from '@comanda/contracts/rules';
import { useAction } from '@comanda/ui/use-action.ts';
import { useMemo, useState } from 'preact/hooks';
import type { ManagerSession } from '../manager-session.ts';
import { type Comparison, type DishChange, compareMenu } from './compare-menu.ts';
import { canonicalDigest } from './digest.ts';
import { menuFileMessages } from './messages.ts';
import { type Unreadable, readFile } from './read-file.ts';
import { type Fault, type FileFault, type MenuFile, readMenuFile } from './read-menu-file.ts';
import { CallFailure } from '@comanda/client/core';
import type { ColumnKey } from './columns.ts';

/** What the rows would change. Null while there are no rows, or while the menu is loading. */
export type Preview = FileFault | (Comparison & Pick<MenuFile, 'unknown'> & { faults: readonly Fault[] });
const isReadable = (file: MenuFile | FileFault): file is MenuFile => 'rows' in file;

/** The rows to import: they stay until they are imported, even while another page is open. */
export function useMenuFile(session: ManagerSession) {
  const { failure, run, isBusy, forgetFailure } = useAction();
  const [unreadable, setUnreadable] = useState<Unreadable | null>(null);
  const [done, setDone] = useState<{ added: number; changed: number } | null>(null);
  /** What the last call has sent: a rejection is about these rows. */
  const [sent, setSent] = useState<readonly DishChange[]>([]);
  const text = session.menuFile.value;
  const dishes = session.menu.dishes.value;
  const language = session.restaurant.language.value;
  const file = useMemo(() => (text.trim() === '' ? null : readMenuFile(text, language)), [text, language]);
  const preview = useMemo((): Preview | null => {
    if (file === null || dishes === null) return null;
    if (!isReadable(file)) return file;
    const compared = compareMenu(file, dishes);
    const faults = [...file.faults, ...compared.faults].sort((one, other) => one.line - other.line);
    return { ...compared, faults, unknown: file.unknown };
  }, [file, dishes]);
  const rejected = file && isReadable(file) ? faultsOfCall(failure, { sent, columns: file.columns }) : [];

  function change(next: string): void {
    session.setMenuFile(next);
    setUnreadable(null);
    setDone(null);
    forgetFailure();
  }
  async function choose(chosen: File): Promise<void> {
    const read = await readFile(chosen);
    if ('text' in read) change(read.text);
    else setUnreadable(read.fault);
  }
  async function submit(changes: readonly DishChange[]): Promise<void> {
    const rows = changes.map(({ body }) => body);
    const added = changes.filter(({ dish }) => dish === null).length;
    setSent(changes);
    await run(async () => {
      const { added: created, changed } = await session.consent.run({
        call: 'importMenu',
        input: { dishes: rows, sha256: canonicalDigest(rows) },
        purpose: () => menuFileMessages().youImport(added, changes.length - added),
      });
      session.setMenuFile('');
      setDone({ added: created, changed });
    });
  }
  return {
    text,
    unreadable,
    preview,
    done,
    isBusy,
    /** Why the import failed, unless the rejected rows say so. */
    failure: rejected.length > 0 ? null : failure,
    rejected,
    change,
    choose,
    submit,
  };
}

/** Returns true if the call's body would be larger than the server accepts. */
export const isTooLarge = (changes: readonly DishChange[]): boolean =>
  new TextEncoder().encode(JSON.stringify(changes.map(({ body }) => body))).length >
  (menuImport.maxKilobytes - 1) * 1_024;

type Sent = { sent: readonly DishChange[]; columns: ReadonlyMap<ColumnKey, string> };

/** Returns the lines and columns that the server has rejected, from pointers such as `/dishes/3/name_translations/en`. */
function faultsOfCall(failure: unknown, { sent, columns }: Sent): Fault[] {
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
