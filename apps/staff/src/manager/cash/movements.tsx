import type { Client } from '@comanda/client/core';
import type { CashDrawer, Movement } from '@comanda/contracts/cash-drawers';
import { Ask } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { nameIn } from '../../cash/drawer-name.ts';
import { MoreButton } from '../more-button.tsx';
import { Panel } from '../panel.tsx';
import { useReversalDraft, type ReversalDraft } from './drafts.ts';
import { cashFailureWords } from './failure-words.ts';
import { cashMessages } from './messages.ts';
import './movements.css';

type MovementsProps = {
  client: Pick<Client, 'calls' | 'newKey' | 'who'>;
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
      {movements.length === 0 && <p class="dim">{words.none}</p>}
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
  const { draft, set } = useReversalDraft(client.who()?.userId ?? 0, id);
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
        <span class="dim">
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
  const reason = draft.reason.trim();
  async function reverse(): Promise<void> {
    if (name === null) return;
    const key = draft.key === '' ? client.newKey() : draft.key;
    set({ ...draft, key });
    await client.calls.addMovement({ name, reverses: id, reason }, { idempotencyKey: key });
    onDone();
  }
  return (
    <Ask
      question={words.reverseAsk}
      yes={words.reverse}
      isReady={reason !== '' && name !== null}
      wordsOf={cashFailureWords}
      onYes={reverse}
      onClose={() => set(null)}
    >
      <Field
        label={words.why}
        hint={words.whyHint}
        maxLength={200}
        autocomplete="off"
        value={draft.reason}
        onInput={(text) => set({ reason: text, key: '' })}
      />
    </Ask>
  );
}
