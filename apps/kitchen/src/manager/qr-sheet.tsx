import { useEffect } from 'preact/hooks';
import type { ManagerSession } from './manager-session.ts';
import { managerMessages } from './messages.ts';
import '../board/printout.css';
import { QrCode } from './qr-code.tsx';
import './qr-sheet.css';

/** The browser's print window with a card for each table that is printed, to be cut out: on paper only. */
export function QrSheet({ session }: { session: ManagerSession }) {
  const words = managerMessages().tables;
  const tables = session.printed.value;
  useEffect(() => {
    if (tables.length === 0) return undefined;
    const clear = (): void => session.print([]);
    addEventListener('afterprint', clear, { once: true });
    print();
    return () => removeEventListener('afterprint', clear);
  }, [tables, session]);
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
