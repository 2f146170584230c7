import type { Client } from '@comanda/client/core';
import type { CashDrawer, Movement } from '@comanda/contracts/cash-drawers';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { nameIn } from '../../cash/drawer-name.ts';
import { managerMessages } from '../messages.ts';
import { MoreButton } from '../more-button.tsx';
import { Panel } from '../panel.tsx';
import { useReversalDraft, type ReversalDraft } from './drafts.ts';
import { cashFailureWords } from './failure-words.ts';
import { cashMessages } from './messages.ts';
import './movements.css';

type MovementsProps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  movements: readonly Movement[];
  drawers: readonly CashDrawer[];
  currency: string;
  onChanged: () => void;
  /** Null if all movements are shown. */
  more: Parameters<typeof MoreButton>[0]['list'] | null;
};

/** Lists what was entered by hand since the last count. A wrong entry can be reversed once. */
export function Movements({ movements, more, ...props }: MovementsProps) {
  const words = cashMessages().movements;
  const reversed = new Set(movements.map(({ reverses }) => reverses));
  return (
    <Panel title={words.title}>
      {movements.length === 0 && <p class="manager-dim">{words.none}</p>}
      <ul class="movements">
        {movements.map((each) => (
          <MovementRow key={each.id} movement={each} isReversed={reversed.has(each.id)} {...props} />
        ))}
      </ul>
      {more && <MoreButton list={more} />}
    </Panel>
  );
}

type MovementRowProps = Omit<MovementsProps, 'movements' | 'more'> & { movement: Movement; isReversed: boolean };

function MovementRow({ movement, isReversed, client, drawers, currency, onChanged }: MovementRowProps) {
  const { movements: words, enter } = cashMessages();
  const { id, kind, at, by, amount, reason, other, reverses } = movement;
  const { draft, set } = useReversalDraft(id);
  const isReversing = draft !== null && !isReversed;
  const kindName = (enter.kinds as Readonly<Record<string, string>>)[kind] ?? kind;
  const name = reverses === null ? kindName : words.reversal(kindName);
  const isIn = !amount.startsWith('-');
  const state = [
    other !== null && (isIn ? words.from : words.to)(nameIn(drawers, other)),
    isReversed && words.reversed,
  ].filter(Boolean);
  return (
    <li>
      <span>
        <strong>{name}</strong> {state.join(', ')}
        <span class="manager-dim">
          <bdi>{reason}</bdi>
          <br />
          {words.by(formatTime(at), by?.name ?? '')}
        </span>
      </span>
      <b>{formatMoney(amount, currency)}</b>
      {reverses === null && !isReversed && !isReversing && (
        <Button
          kind="quiet"
          size="small"
          aria-label={words.reverseOf(`${name} ${formatMoney(amount, currency)}`)}
          onClick={() => set({ reason: '', key: '' })}
        >
          {words.reverse}
        </Button>
      )}
      {isReversing && <Reverse movement={movement} draft={draft} set={set} client={client} onDone={onChanged} />}
    </li>
  );
}

type ReverseProps = Pick<MovementRowProps, 'movement' | 'client'> & {
  draft: ReversalDraft;
  set: (draft: ReversalDraft | null) => void;
  onDone: () => void;
};

function Reverse({ movement: { id, cash_drawer: name }, draft, set, client, onDone }: ReverseProps) {
  const words = cashMessages().movements;
  const { failure, run, isBusy } = useAction();
  const reason = draft.reason.trim();
  const isOff = isBusy || reason === '' || name === null;
  function reverse(): void {
    if (isOff) return;
    const key = draft.key === '' ? client.newKey() : draft.key;
    set({ ...draft, key });
    void run(async () => {
      await client.calls.addMovement({ name, reverses: id, reason }, { idempotencyKey: key });
      set(null);
      onDone();
    });
  }
  return (
    <Form class="manager-ask" label={words.reverse} onSubmit={reverse}>
      <Field
        label={words.why}
        hint={words.whyHint}
        maxLength={200}
        autocomplete="off"
        value={draft.reason}
        onInput={(text) => set({ reason: text, key: '' })}
      />
      {failure !== null && <ErrorPanel words={cashFailureWords(failure)} />}
      <div class="manager-pair">
        <Button size="small" onClick={() => set(null)}>
          {managerMessages().cancel}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isOff}>
          {words.reverse}
        </Button>
      </div>
    </Form>
  );
}
