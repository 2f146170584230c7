import { useEffect } from 'preact/hooks';
import type { ManagerSession } from './manager-session.ts';
import { managerMessages } from './messages.ts';
import '../board/printout.css';
import { QrCode } from './qr-code.tsx';
import './qr-sheet.css';

/** The printed sheet with one card for each table, to cut out. It appears only on paper. */
export function QrSheet({ session }: { session: ManagerSession }) {
  const words = managerMessages().tables;
  const { tables: printed, restaurantName, wifi, print: printCards } = session.printing;
  const tables = printed.value;
  useEffect(() => {
    if (tables.length === 0) return undefined;
    const clear = (): void => printCards([]);
    addEventListener('afterprint', clear, { once: true });
    print();
    return () => removeEventListener('afterprint', clear);
  }, [tables, printCards]);
  if (tables.length === 0) return null;
  return (
    // The class `printout` makes the sheet visible on paper, as for the board's printout.
    <div class="printout qr-sheet">
      {tables.map(({ table, url }) => (
        <section key={table} class="qr-card">
          {restaurantName.value !== '' && <span class="qr-restaurant">{restaurantName.value}</span>}
          <strong>{words.table(table)}</strong>
          <QrCode text={url} label={words.qr(table)} />
          <span>{words.scan}</span>
          {wifi.value.trim() !== '' && <span>{words.wifi(wifi.value.trim())}</span>}
          <small>
            {words.orOpen} <b>{url}</b>
          </small>
        </section>
      ))}
    </div>
  );
}
