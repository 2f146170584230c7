import type { Table } from '@comanda/contracts/users';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { managerMessages } from './messages.ts';
import { QrCode } from './qr-code.tsx';
import './qr-sheet.css';

const printed = signal<readonly Table[]>([]);

/** Shows the browser's print window with a card for each table. */
export const printCodes = (tables: readonly Table[]): void => {
  printed.value = tables;
};

/** The cards to be cut out, on paper only. */
export function QrSheet() {
  const words = managerMessages().tables;
  const tables = printed.value;
  useEffect(() => {
    if (tables.length === 0) return undefined;
    const clear = (): void => {
      printed.value = [];
    };
    addEventListener('afterprint', clear, { once: true });
    print();
    return () => removeEventListener('afterprint', clear);
  }, [tables]);
  if (tables.length === 0) return null;
  return (
    // The name with which the board's print-out is shown on paper.
    <div class="printout qr-sheet">
      {tables.map(({ table, url }) => (
        <section key={table} class="qr-card">
          <strong>{words.table(table)}</strong>
          <QrCode text={url} label={words.qr(table)} />
          <span>{words.scan}</span>
          <small>
            {words.orOpen} <b>{url}</b>
          </small>
        </section>
      ))}
    </div>
  );
}
