import { CallFailure, type Client, type Input } from '@comanda/client/core';
import type { DayReport } from '@comanda/contracts/day';
import { toMinor } from '@comanda/contracts/money';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { goTo } from '../../address.ts';
import { drawerName, nameIn } from '../../cash/drawer-name.ts';
import { readCash } from '../../cash/read-cash.ts';
import { onDeviceLater } from '../../on-device-later.ts';
import { useKeyFor } from '../cash/drafts.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerFailureWords } from '../messages.ts';
import type { ToClose } from './closing-page.tsx';
import { closingMessages } from './messages.ts';

type CloseDayProps = { client: Client; session: ManagerSession; toClose: ToClose; reload: () => Promise<void> };
const pathOf = (number: number): string => `#/manager/today/${number}`;

/** The note, and the button that closes the day with the PIN. If the closing is rejected, what was typed stays. */
export function CloseDay({ client, session, toClose, reload }: CloseDayProps) {
  const words = closingMessages();
  const { signal: note, write: setNote } = onDeviceLater.closingNote;
  const { failure, run, isBusy } = useAction();
  const [closed, setClosed] = useState<DayReport | null>(null);
  const keyFor = useKeyFor(client.newKey);
  const { day, drawers, shown } = toClose;
  const { number, previous_hash, open_bills: bills, open_bill_count: count } = day;
  const uncounted = shown.filter(({ drawer }) => drawer.moved).map(({ drawer }) => drawer);
  const { value: leaves } = onDeviceLater.leaves.signal;
  // The manager has typed what stays in these drawers, but has not taken out the rest.
  const notTakenOut = shown.filter(({ drawer: { name, moved }, counts: [last] }) => {
    const draft = leaves[name];
    if (!draft || !last || moved || draft.count !== last.id || last.left !== last.counted) return false;
    const stays = readCash(draft.left);
    return draft.left.trim() !== '' && (stays === null || toMinor(stays) !== toMinor(last.left));
  });
  function close(): void {
    const text = note.value.trim();
    const input: Input<'closeDay'> = {
      number,
      previous_hash,
      // With more bills than the page can list, the manager carries over all of them.
      ...(count > 0 && { carry_over: count > bills.length ? 'all' : bills.map(({ id }) => id) }),
      ...(text !== '' && { note: text }),
    };
    const purpose = (): string =>
      [closingMessages().purpose(number), count > 0 && closingMessages().purposeCarry(count)].filter(Boolean).join(' ');
    void run(async () => {
      setClosed(null);
      try {
        const key = keyFor(JSON.stringify(input));
        finish(await session.consent.run({ call: 'closeDay', input, purpose, key }));
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        const report = await findReport(client, number);
        // The response may have been lost.
        if (report?.closed_by.id === client.who()?.userId && report) return finish(report);
        setClosed(report);
        await reload();
        throw error;
      }
    });
  }
  function finish(report: DayReport): void {
    setNote('');
    onDeviceLater.counts.write({});
    onDeviceLater.leaves.write({});
    goTo(pathOf(report.number));
  }
  return (
    <Form class="stack gap-4 close-day" label={words.title} noValidate onSubmit={close}>
      <Field
        label={words.note}
        hint={words.noteHint}
        maxLength={200}
        autocomplete="off"
        value={note.value}
        onInput={setNote}
      />
      {failure !== null && (
        <ErrorPanel words={refusalWords(failure, { closed, drawers })}>
          {closed && (
            <a class="button button-secondary button-small" href={pathOf(closed.number)}>
              {words.refused.openReport}
            </a>
          )}
        </ErrorPanel>
      )}
      {uncounted.length > 0 && <p class="manager-warning">{words.countFirst(uncounted.map(drawerName))}</p>}
      {notTakenOut.length > 0 && (
        <p class="manager-warning">{words.takeOutFirst(notTakenOut.map(({ drawer }) => drawerName(drawer)))}</p>
      )}
      <Button
        type="submit"
        kind="primary"
        size="large"
        aria-disabled={isBusy || uncounted.length > 0 || notTakenOut.length > 0}
        onRefused={() => showFirstDrawer()}
      >
        {count === 0 ? closingMessages().title : words.closeAndCarry(count)}
      </Button>
      <p class="dim">{words.final}</p>
    </Form>
  );
}

/** Shows the first cash drawer that must be counted. */
function showFirstDrawer(): void {
  document.querySelector<HTMLElement>('.closing .count-form input[inputmode=decimal]')?.focus();
}

/** Returns the day's report if the day is closed. Null if it isn't, or if that can't be found out. */
async function findReport({ calls }: Client, number: number): Promise<DayReport | null> {
  try {
    return await calls.getDayReport({ number });
  } catch (error) {
    if (error instanceof CallFailure) return null;
    throw error;
  }
}

type Refused = { closed: DayReport | null; drawers: ToClose['drawers'] };

/** Returns why the day was not closed, and what to do next. */
function refusalWords(failure: unknown, { closed, drawers }: Refused): FailureWords {
  const { refused: words } = closingMessages();
  const usual = managerFailureWords(failure);
  if (closed)
    return {
      ...usual,
      happened: words.closedBy(closed.closed_by.name, formatTime(closed.closed_at)),
      toDo: words.closedByToDo,
    };
  if (!(failure instanceof CallFailure)) return usual;
  if (failure.is('day_changed')) return { ...usual, happened: words.changed, toDo: words.notClosable };
  if (failure.is('day_not_closable')) {
    const { bill_count: more, cash_drawers: moved } = failure.problem;
    const parts = [
      more > 0 && words.billsOpened(more),
      moved.length > 0 && words.cashMoved(moved.map((name) => nameIn(drawers, name))),
    ];
    return { ...usual, happened: parts.filter(Boolean).join(' '), toDo: words.notClosable };
  }
  if (failure.isUndecided && failure.outcome === 'none')
    return { ...usual, happened: words.busy, toDo: words.busyToDo };
  if (failure.isUndecided) return { ...usual, happened: words.unknown, toDo: words.unknownToDo };
  return usual;
}
