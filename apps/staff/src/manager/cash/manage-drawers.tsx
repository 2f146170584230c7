import { CallFailure, type Client } from '@comanda/client/core';
import type { CashDrawer } from '@comanda/contracts/cash-drawers';
import { textKey } from '@comanda/contracts/text-key';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { Panel } from '../panel.tsx';
import { drawerName, mainDrawer } from '../../cash/drawer-name.ts';
import { cashFailureWords } from './failure-words.ts';
import { cashMessages } from './messages.ts';
import './movements.css';

type ManageDrawersProps = {
  client: Pick<Client, 'calls'>;
  drawers: readonly CashDrawer[];
  onChanged: () => void;
};

/** Returns the name of a new cash drawer in the API: its label in plain letters. Empty if the label has none. */
const nameOf = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 32);

/** Adds, renames and retires cash drawers. */
export function ManageDrawers({ client, drawers, onChanged }: ManageDrawersProps) {
  const words = cashMessages().manage;
  return (
    <Panel title={words.title}>
      <p class="dim">{words.hint}</p>
      <ul class="movements">
        {drawers.map((each) => (
          <DrawerRow key={each.name} drawer={each} client={client} onChanged={onChanged} />
        ))}
      </ul>
      <AddDrawer client={client} drawers={drawers} onChanged={onChanged} />
    </Panel>
  );
}

type DrawerRowProps = Omit<ManageDrawersProps, 'drawers'> & { drawer: CashDrawer };

function DrawerRow({ drawer, client, onChanged }: DrawerRowProps) {
  const words = cashMessages().manage;
  const { name, status } = drawer;
  const { failure, run, isBusy } = useAction();
  const [label, setLabel] = useState<string | null>(null);
  const put = async (change: { label?: string; status?: CashDrawer['status'] }): Promise<void> => {
    if (!(await run(() => client.calls.putCashDrawer({ name, ...change })))) return;
    setLabel(null);
    onChanged();
  };
  const isActive = status === 'active';
  return (
    <li>
      <span>
        <strong>{drawerName(drawer)}</strong>
        {!isActive && <span class="dim">{words.retired}</span>}
      </span>
      <div class="wrap drawer-actions">
        {isActive && label === null && (
          <Button
            kind="quiet"
            size="small"
            aria-label={words.renameOf(drawerName(drawer))}
            onClick={() => setLabel(drawerName(drawer))}
          >
            {words.rename}
          </Button>
        )}
        {name !== mainDrawer && (
          <Button
            kind="quiet"
            size="small"
            aria-label={(isActive ? words.retireOf : words.bringBackOf)(drawerName(drawer))}
            aria-disabled={isBusy}
            onClick={() => void put({ status: isActive ? 'retired' : 'active' })}
          >
            {isActive ? words.retire : words.bringBack}
          </Button>
        )}
      </div>
      {label !== null && (
        <Form
          class="manager-ask"
          label={words.renameOf(drawerName(drawer))}
          onSubmit={() => void (label.trim() === '' || put({ label: label.trim() }))}
        >
          <Field label={words.newName} maxLength={60} autocomplete="off" value={label} onInput={setLabel} />
          <Button type="submit" kind="primary" size="small" aria-disabled={isBusy || label.trim() === ''}>
            {words.save}
          </Button>
        </Form>
      )}
      {failure !== null && <ErrorPanel words={cashFailureWords(failure)} />}
    </li>
  );
}

function AddDrawer({ client, drawers, onChanged }: ManageDrawersProps) {
  const words = cashMessages().manage;
  const [label, setLabel] = useState('');
  const [invalid, setInvalid] = useState<string | undefined>(undefined);
  const [added, setAdded] = useState('');
  const { failure, run, isBusy } = useAction();
  async function add(): Promise<void> {
    const name = nameOf(label);
    const isTaken = drawers.some((each) => each.name === name || textKey(drawerName(each)) === textKey(label));
    setInvalid(name === '' ? words.invalid : isTaken ? words.exists : undefined);
    if (name === '' || isTaken) return;
    const isDone = await run(() => client.calls.putCashDrawer({ name, label: label.trim() }));
    if (!isDone) return;
    setAdded(words.added(label.trim()));
    setLabel('');
    onChanged();
  }
  const isFull = failure instanceof CallFailure && failure.is('unprocessable_content');
  return (
    <Form class="count-form" label={words.add} noValidate onSubmit={() => void add()}>
      <Field
        label={words.name}
        error={isFull ? words.tooMany : invalid}
        maxLength={60}
        autocomplete="off"
        value={label}
        onInput={(text) => {
          setLabel(text);
          setInvalid(undefined);
          setAdded('');
        }}
      />
      {failure !== null && !isFull && <ErrorPanel words={cashFailureWords(failure)} />}
      <p role="status" class="manager-notice">
        {added}
      </p>
      <Button type="submit" size="small" aria-disabled={isBusy}>
        {words.add}
      </Button>
    </Form>
  );
}
