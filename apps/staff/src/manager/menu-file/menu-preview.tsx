import type { Pricing } from '@comanda/contracts/weight';
import { defaultCurrency, menuImport } from '@comanda/contracts/rules';
import { allergenNames, type Allergen } from '@comanda/ui/allergens.ts';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatList, formatMoney } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
import { Failure } from '../failure.tsx';
import { managerMessages } from '../messages.ts';
import type { ColumnKey } from './columns.ts';
import type { Difference, DishChange } from './compare-menu.ts';
import { menuFileMessages } from './messages.ts';
import type { CellValue } from './read-cell.ts';
import type { Fault, FileFault } from './read-menu-file.ts';
import { isTooLarge, type Preview, type useMenuFile } from './use-menu-file.ts';

const shownAtFirst = 50;
type PreviewProps = { file: ReturnType<typeof useMenuFile>; preview: Preview };

/** Shows what the rows would change, and what is wrong in them. */
export function MenuPreview({ file, preview }: PreviewProps) {
  const words = menuFileMessages();
  if ('kind' in preview) return <ErrorPanel words={{ happened: fileFaultText(preview), toDo: words.wrongToDo }} />;
  const { changes, unchanged, faults, unknown } = preview;
  const added = changes.filter(({ dish }) => dish === null).length;
  const wrong = new Set(faults.map(({ line }) => line)).size;
  const isEmpty = changes.length + unchanged + wrong === 0;
  const limit =
    changes.length > menuImport.maxDishes
      ? words.tooMany(changes.length)
      : isTooLarge(changes)
        ? words.tooLarge
        : undefined;
  const canImport = faults.length === 0 && changes.length > 0 && limit === undefined;
  return (
    <section class="stack gap-3 menu-preview" aria-label={words.preview}>
      <h2 class="manager-subtitle">{words.preview}</h2>
      <p role="status">
        {isEmpty ? words.noRows : words.summary({ added, changed: changes.length - added, unchanged, wrong })}
      </p>
      {unknown.length > 0 && <p class="dim">{words.unknown(unknown.join(', '))}</p>}
      <Faults of={[...file.rejected, ...faults]} />
      {limit !== undefined && <p class="field-error">{limit}</p>}
      {changes.length > 0 && <Changes of={changes} />}
      {!isEmpty && faults.length === 0 && changes.length === 0 && <p>{words.nothing}</p>}
      <Failure of={file.failure} />
      {canImport && (
        <div class="menu-preview-foot">
          <Button kind="primary" aria-disabled={file.isBusy} onClick={() => void file.submit(changes)}>
            {file.isBusy ? words.importing : words.submit(changes.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

function fileFaultText(fault: FileFault): string {
  const words = menuFileMessages();
  if (fault.kind === 'twice') return words.columnTwice(...fault.columns);
  return fault.found.length === 0 ? words.noHeader : words.noName(fault.found.join(', '));
}

/** Lists what is wrong, by line and column. */
function Faults({ of: faults }: { of: readonly Fault[] }) {
  const words = menuFileMessages();
  const [isAll, setIsAll] = useState(false);
  if (faults.length === 0) return null;
  return (
    <ErrorPanel words={{ happened: words.wrong(faults.length), toDo: words.wrongToDo }}>
      <ul class="stack gap-1 menu-faults">
        {(isAll ? faults : faults.slice(0, shownAtFirst)).map(({ line, column, kind, text }) => (
          <li key={`${line} ${column} ${kind}`}>
            <b>{words.at(line, column)}</b> {words.faults[kind](text)}
          </li>
        ))}
      </ul>
      {faults.some(({ kind }) => kind === 'allergen') && (
        <p>{words.faults.allergenList(formatList(Object.values(allergenNames())))}</p>
      )}
      {!isAll && faults.length > shownAtFirst && (
        <Button size="small" onClick={() => setIsAll(true)}>
          {words.showAll(faults.length)}
        </Button>
      )}
    </ErrorPanel>
  );
}

function Changes({ of: changes }: { of: readonly DishChange[] }) {
  const words = menuFileMessages();
  const [isAll, setIsAll] = useState(false);
  const currency = changes.find(({ dish }) => dish)?.dish?.currency ?? defaultCurrency;
  return (
    <>
      <table class="manager-table manager-rows menu-changes">
        <thead>
          <tr>
            <th scope="col">{words.dish}</th>
            <th scope="col">{words.change}</th>
          </tr>
        </thead>
        <tbody>
          {(isAll ? changes : changes.slice(0, shownAtFirst)).map((change) => (
            <tr key={change.line}>
              <th scope="row">
                <bdi>{change.name}</bdi>
              </th>
              <td>
                {change.dish ? (
                  <ul>
                    {change.differences.map((difference) => (
                      <ChangedField key={difference.key} of={difference} currency={currency} />
                    ))}
                  </ul>
                ) : (
                  <NewDish of={change} currency={currency} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isAll && changes.length > shownAtFirst && (
        <Button size="small" onClick={() => setIsAll(true)}>
          {words.showAll(changes.length)}
        </Button>
      )}
    </>
  );
}

function NewDish({ of: { body }, currency }: { of: DishChange; currency: string }) {
  const words = menuFileMessages();
  const textOfBody = (key: 'pricing' | 'station' | 'portions_left' | 'available'): string[] => {
    const value = body[key];
    const isUsual = value === undefined || value === 'fixed' || value === true || value === null;
    return isUsual ? [] : [`${words.columns[key]}: ${textOf(key, value, currency)}`];
  };
  const parts = [
    formatMoney(String(body.price), currency),
    body.category ?? managerMessages().menu.noCategory,
    ...textOfBody('pricing'),
    ...textOfBody('station'),
    ...textOfBody('portions_left'),
    ...textOfBody('available'),
  ];
  return (
    <>
      <b class="menu-change-new">{words.isNew}</b> {parts.join(' · ')}
      {(body.allergens ?? []).length === 0 && (
        <span class="manager-warning"> · {managerMessages().menu.noAllergens}</span>
      )}
    </>
  );
}

/** Longer texts are named, but not shown twice. */
const maxShown = 80;

function ChangedField({ of: { key, before, after }, currency }: { of: Difference; currency: string }) {
  const words = menuFileMessages();
  const [was, is] = [textOf(key, before, currency), textOf(key, after, currency)];
  // Guests rely on the allergens, so fewer of them is what a manager must not miss.
  const isFewer = key === 'allergens' && listOf(before).some((each) => !listOf(after).includes(each));
  return (
    <li class={isFewer ? 'manager-warning' : undefined}>
      {words.columns[key]}
      {was.length <= maxShown && is.length <= maxShown && (
        <>
          {': '}
          <del>
            <bdi>{was}</bdi>
          </del>
          {' → '}
          <ins>
            <bdi>{is}</bdi>
          </ins>
        </>
      )}
    </li>
  );
}

const listOf = (value: CellValue): readonly Allergen[] => (Array.isArray(value) ? value : []);

function textOf(key: ColumnKey, value: CellValue, currency: string): string {
  const words = menuFileMessages();
  if (value === null || value === '') return key === 'portions_left' ? words.noLimit : words.empty;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (key === 'pricing') return words.pricings[value as Pricing];
  if (key === 'price') return formatMoney(String(value), currency);
  if (typeof value !== 'object') return String(value);
  return value.length === 0 ? words.empty : formatList(value.map((each) => allergenNames()[each]));
}
