import type { Client } from '@comanda/client/core';
import { textKey } from '@comanda/contracts/text-key';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import { Failure } from './failure.tsx';
import { managerMessages } from './messages.ts';

type AddTableProps = { client: Client; known: readonly Table[]; onAdded: (table: Table) => void };

export function AddTable({ client, known, onAdded }: AddTableProps) {
  const words = managerMessages().tables;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const [error, setError] = useState<'invalidName' | { exists: string } | null>(null);
  const add = (): void => {
    const table = name.trim();
    // Adding an existing table would replace its code, so the form rejects this. The table's own card has a button for that.
    const twinIn = (tables: readonly Table[]): string | undefined =>
      tables.find((each) => textKey(each.table) === textKey(table))?.table;
    const twin = twinIn(known);
    if (twin !== undefined) setError({ exists: twin });
    else if (!/^[A-Za-z0-9-]{1,16}$/.test(table)) setError('invalidName');
    else
      void run(async () => {
        // Another manager may have added this table since the list was loaded.
        const added = twinIn(await client.calls.listTables());
        if (added !== undefined) setError({ exists: added });
        else onAdded(await client.calls.putTable({ table }));
      });
  };
  return (
    <Form class="manager-form" label={words.add} onSubmit={add}>
      <Field
        label={words.name}
        hint={words.nameHint}
        autocomplete="off"
        value={name}
        error={error === 'invalidName' ? words.invalidName : error ? words.exists(error.exists) : undefined}
        onInput={(value) => {
          setName(value);
          setError(null);
        }}
      />
      <Failure of={failure} />
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {words.add}
      </Button>
    </Form>
  );
}
