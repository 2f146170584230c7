import type { Client } from '@comanda/client/core';
import type { CashDrawer } from '@comanda/contracts/cash-drawers';
import { fromMinor } from '@comanda/contracts/money';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney, formatTyped } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useId, useState } from 'preact/hooks';
import { currencySign } from '../currency-sign.ts';
import { useCountDraft } from './drafts.ts';
import { drawerFailureWords } from './failure-words.ts';
import { drawerName } from './drawer-name.ts';
import { countMessages } from './messages.ts';
import { arePiecesTyped, invalidPieces, piecesOf, totalOf, type Pieces } from './pieces.ts';
import { readCash } from './read-cash.ts';
import './count-form.css';

type CountFormProps = {
  client: Pick<Client, 'calls' | 'newKey' | 'who'>;
  drawer: Pick<CashDrawer, 'name' | 'label'>;
  currency: string;
  /** Called after the count is stored, with what was counted. */
  onCounted: (counted: string) => void;
  /** Present if the user may go back without a count. */
  onCancel?: (() => void) | undefined;
};

/** The form for a count: the total, or notes and coins that it adds up. It never shows what should be there. */
export function CountForm({ client, drawer, currency, onCounted, onCancel }: CountFormProps) {
  const words = countMessages();
  const { draft, set } = useCountDraft(client.who()?.userId ?? 0, drawer.name);
  const [arePiecesShown, setArePiecesShown] = useState(Object.keys(draft.pieces).length > 0);
  // Typing in the total would discard notes and coins that took minutes to count.
  const isAddedUp = arePiecesTyped(draft.pieces);
  const [isInvalid, setIsInvalid] = useState(false);
  const { failure, run, isBusy } = useAction();
  const counted = readCash(draft.total);
  const wrongPieces = invalidPieces(draft.pieces);
  function save(): void {
    setIsInvalid(counted === null);
    if (counted === null || wrongPieces.length > 0) return;
    // The same count keeps its key, so that pressing the button again after a failure can't store a second one.
    const key = draft.key === '' ? client.newKey() : draft.key;
    set({ ...draft, key });
    void run(async () => {
      await client.calls.countCashDrawer({ name: drawer.name, counted }, { idempotencyKey: key });
      set(null);
      onCounted(counted);
    });
  }
  function setTotal(total: string): void {
    set({ total, pieces: {}, key: '' });
    setIsInvalid(false);
  }
  function hidePieces(): void {
    setArePiecesShown(false);
    if (isAddedUp) setTotal('');
  }
  function setPieces(pieces: Pieces): void {
    set({ total: arePiecesTyped(pieces) ? formatTyped(totalOf(pieces)) : '', pieces, key: '' });
    setIsInvalid(false);
  }
  return (
    <Form class="count-form" label={words.form(drawerName(drawer))} noValidate onSubmit={save}>
      {arePiecesShown && <PiecesField pieces={draft.pieces} currency={currency} onChange={setPieces} />}
      <Field
        label={words.counted(currencySign(currency))}
        hint={isAddedUp ? words.addedUp : words.hint}
        readOnly={isAddedUp}
        error={isInvalid ? words.invalid : undefined}
        inputMode="decimal"
        autocomplete="off"
        required
        value={draft.total}
        onInput={setTotal}
      />
      {wrongPieces.length > 0 && (
        <p class="field-error" role="alert">
          <Icon name="warning" size={20} /> {words.invalidPiece}
        </p>
      )}
      {failure !== null && <ErrorPanel words={drawerFailureWords(failure)} />}
      <div class="count-buttons">
        {piecesOf(currency).length > 0 && (
          <Button size="small" onClick={arePiecesShown ? hidePieces : () => setArePiecesShown(true)}>
            {arePiecesShown ? words.onlyTotal : words.pieces}
          </Button>
        )}
        {onCancel && (
          <Button
            size="small"
            onClick={() => {
              set(null);
              onCancel();
            }}
          >
            {words.cancel}
          </Button>
        )}
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {counted === null ? words.submit : words.submitWith(formatMoney(counted, currency))}
        </Button>
      </div>
    </Form>
  );
}

type PiecesFieldProps = { pieces: Pieces; currency: string; onChange: (pieces: Pieces) => void };

function PiecesField({ pieces, currency, onChange }: PiecesFieldProps) {
  const words = countMessages();
  const id = useId();
  return (
    <fieldset class="pieces">
      <legend>{words.piecesTitle}</legend>
      {piecesOf(currency).map((value) => {
        const name = formatMoney(fromMinor(BigInt(value)), currency);
        return (
          <div key={value} class="pieces-piece">
            <label for={`${id}-${value}`}>
              <span class="visually-hidden">{words.piece(name)}</span>
              <span aria-hidden="true">{name}</span>
            </label>
            <input
              id={`${id}-${value}`}
              class="field-input"
              inputMode="numeric"
              autocomplete="off"
              maxLength={5}
              aria-invalid={invalidPieces({ [value]: pieces[value] ?? '' }).length > 0 ? true : undefined}
              value={pieces[value] ?? ''}
              onInput={({ currentTarget }) => onChange({ ...pieces, [value]: currentTarget.value })}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
