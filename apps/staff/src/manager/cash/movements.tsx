import type { Client } from '@comanda/client/core';
import type { CashDrawer, Movement } from '@comanda/contracts/cash-drawers';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { managerMessages } from '../messages.ts';
import { Panel } from '../panel.tsx';
import { useKeyFor } from './drafts.ts';
import { nameIn } from './drawer-name.ts';
import { cashFailureWords } from './failure-words.ts';
import { cashMessages } from './messages.ts';
import './movements.css';

type MovementsProps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  movements: readonly Movement[];
  drawers: readonly CashDrawer[];
  currency: string;
  onChanged: () => void;
};

/** Lists what was entered by hand since the last count. A wrong entry can be reversed once. */
export function Movements({ movements, ...props }: MovementsProps) {
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
    </Panel>
  );
}

type MovementRowProps = Omit<MovementsProps, 'movements'> & { movement: Movement; isReversed: boolean };

function MovementRow({ movement, isReversed, client, drawers, currency, onChanged }: MovementRowProps) {
  const { movements: words, enter } = cashMessages();
  const { kind, at, by, amount, reason, other, reverses } = movement;
  const [isReversing, setIsReversing] = useState(false);
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
          onClick={() => setIsReversing(true)}
        >
          {words.reverse}
        </Button>
      )}
      {isReversing && (
        <Reverse
          movement={movement}
          client={client}
          onEnd={(isDone) => {
            setIsReversing(false);
            if (isDone) onChanged();
          }}
        />
      )}
    </li>
  );
}

type ReverseProps = Pick<MovementRowProps, 'movement' | 'client'> & { onEnd: (isDone: boolean) => void };

function Reverse({ movement: { id, cash_drawer: name }, client, onEnd }: ReverseProps) {
  const words = cashMessages().movements;
  const [reason, setReason] = useState('');
  const { failure, run, isBusy } = useAction();
  const keyFor = useKeyFor(client.newKey);
  const isOff = isBusy || reason.trim() === '' || name === null;
  const reverse = async (): Promise<void> => {
    if (isOff) return;
    const input = { name, reverses: id, reason: reason.trim() };
    const isDone = await run(() => client.calls.addMovement(input, { idempotencyKey: keyFor(input.reason) }));
    if (isDone) onEnd(true);
  };
  return (
    <Form class="manager-ask" label={words.reverse} onSubmit={() => void reverse()}>
      <Field
        label={words.why}
        hint={words.whyHint}
        maxLength={200}
        autocomplete="off"
        value={reason}
        onInput={setReason}
      />
      {failure !== null && <ErrorPanel words={cashFailureWords(failure)} />}
      <div class="manager-pair">
        <Button size="small" onClick={() => onEnd(false)}>
          {managerMessages().cancel}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isOff}>
          {words.reverse}
        </Button>
      </div>
    </Form>
  );
}
