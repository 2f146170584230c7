import type { Client } from '@comanda/client/core';
import type { DayReport } from '@comanda/contracts/day';
import type { ReportName } from '@comanda/contracts/reports';
import { Button } from '@comanda/ui/button.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { language } from '@comanda/ui/language.ts';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { saveFile } from '@comanda/ui/save-file.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SelectField } from '../bills/select-field.tsx';
import { Failure } from '../failure.tsx';
import { todayMessages } from './messages.ts';

/** In the order in which accountants ask for them. The contract's module would add a validation library. */
const reports = [
  'bills',
  'movements',
  'waiters',
  'dishes',
  'hours',
  'stations',
  'exceptions',
] as const satisfies readonly ReportName[];
type Day = Pick<DayReport, 'number' | 'business_date'>;
type Days = { from: Day; to: Day };

type DownloadFormProps = {
  client: Pick<Client, 'downloadReport'>;
  /** The days, or a function that finds them. It returns null if it shows why there are none. */
  days: Days | (() => Promise<Days | null>);
  children?: ComponentChildren;
};

/** Saves a report as a CSV file, in Portuguese with semicolons and decimal commas, as spreadsheets in Brazil expect. */
export function DownloadForm({ client, days, children }: DownloadFormProps) {
  const words = todayMessages().download;
  const [report, setReport] = useState<(typeof reports)[number]>('bills');
  const { failure, run, isBusy } = useAction();
  const download = (): void =>
    void run(async () => {
      const found = typeof days === 'function' ? await days() : days;
      if (found === null) return;
      const { from, to } = found;
      const excel = language.value === 'pt-BR' ? ({ excel: 'true' } as const) : {};
      const file = await client.downloadReport({ report, from: from.number, to: to.number, ...excel });
      saveFile(file, `${words.files[report]}-${words.ofDays(from, to)}.csv`);
    });
  return (
    <Form class="manager-form" label={words.title} noValidate onSubmit={download}>
      <h2 class="manager-subtitle">{words.title}</h2>
      <p class="dim">{words.hint}</p>
      {children}
      <SelectField
        label={words.report}
        value={report}
        options={reports.map((value) => ({ value, text: words.reports[value] }))}
        onInput={setReport}
      />
      <Failure of={failure} />
      <Button type="submit" size="small" icon={<LateIcon name="download" size={20} />} aria-disabled={isBusy}>
        {words.button}
      </Button>
    </Form>
  );
}
