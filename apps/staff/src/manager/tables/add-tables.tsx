import type { Client } from '@comanda/client/core';
import { maxTablesPerCall } from '@comanda/contracts/rules';
import { textKey } from '@comanda/contracts/text-key';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import { ChipChoice } from '../chip-choice.tsx';
import { Failure } from '../failure.tsx';
import { managerMessages } from '../messages.ts';
import { tableNames } from './table-names.ts';

/** `existing`: tables that keep their codes, because another manager has added them. */
export type AddedTables = { added: readonly Table[]; existing: readonly Table[] };
type AddTablesProps = { client: Client; known: readonly Table[]; onAdded: (tables: AddedTables) => void };
type Fault = 'invalidName' | 'invalidRange' | { exists: string } | null;

const isName = (name: string): boolean => /^[A-Za-z0-9-]{1,16}$/.test(name);

/** Adds one table, or a row of numbered tables. */
export function AddTables({ client, known, onAdded }: AddTablesProps) {
  const words = managerMessages().tables;
  const { failure, run, isBusy } = useAction();
  const [howMany, setHowMany] = useState<'several' | 'one'>(known.length === 0 ? 'several' : 'one');
  const [name, setName] = useState('');
  const [first, setFirst] = useState('1');
  const [last, setLast] = useState('12');
  const [prefix, setPrefix] = useState('');
  const [fault, setFault] = useState<Fault>(null);
  const names = tableNames({ first, last, prefix });

  function addOne(): void {
    const table = name.trim();
    const twinIn = (tables: readonly Table[]): string | undefined =>
      tables.find((each) => textKey(each.table) === textKey(table))?.table;
    const twin = twinIn(known);
    if (twin !== undefined) setFault({ exists: twin });
    else if (!isName(table)) setFault('invalidName');
    else
      void run(async () => {
        // Another manager may have added it since the list was loaded.
        const { added, existing } = await client.calls.addTables({ tables: [table] });
        const [twinNow] = existing;
        if (twinNow) setFault({ exists: twinNow.table });
        else onAdded({ added, existing });
      });
  }
  function addSeveral(): void {
    if (names === null) setFault('invalidRange');
    else if (!names.every(isName)) setFault('invalidName');
    else void run(async () => onAdded(await client.calls.addTables({ tables: names })));
  }
  const isOne = howMany === 'one';
  /** Sets one of the fields; its error disappears. */
  const fill = (set: (value: string) => void) => (value: string) => {
    set(value);
    setFault(null);
  };
  const nameError =
    fault === 'invalidName'
      ? words.invalidName
      : typeof fault === 'object' && fault
        ? words.exists(fault.exists)
        : undefined;
  return (
    <Form class="manager-form" label={words.add} onSubmit={isOne ? addOne : addSeveral}>
      <ChipChoice
        legend={words.howMany}
        choices={['several', 'one'] as const}
        chosen={howMany}
        nameOf={(each) => words.howManyNames[each]}
        onChoose={(each) => {
          setHowMany(each);
          setFault(null);
        }}
      />
      {isOne ? (
        <Field
          label={words.name}
          hint={words.nameHint}
          autocomplete="off"
          value={name}
          error={nameError}
          onInput={fill(setName)}
        />
      ) : (
        <>
          <div class="tables-range">
            <Field label={words.first} inputMode="numeric" autocomplete="off" value={first} onInput={fill(setFirst)} />
            <Field
              label={words.last}
              inputMode="numeric"
              autocomplete="off"
              value={last}
              error={fault === 'invalidRange' ? words.invalidRange(maxTablesPerCall) : undefined}
              onInput={fill(setLast)}
            />
          </div>
          <Field
            label={words.prefix}
            hint={words.prefixHint}
            autocomplete="off"
            value={prefix}
            error={nameError}
            onInput={fill(setPrefix)}
          />
        </>
      )}
      <Failure of={failure} />
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {isOne || names === null ? words.addOne : words.addCount(names.length)}
      </Button>
    </Form>
  );
}
