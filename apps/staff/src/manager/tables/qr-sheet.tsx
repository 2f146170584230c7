import { menuPictures } from '@comanda/contracts/rules';
import { useEffect, useRef } from 'preact/hooks';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import '../../board/printout.css';
import { QrCode } from '@comanda/ui/qr-code.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import './qr-sheet.css';
import { textOfWifi } from '../settings/theirs.tsx';

/** The printed sheet with one card for each table, to cut out. It appears only on paper. */
export function QrSheet({ session }: { session: ManagerSession }) {
  const words = managerMessages().tables;
  const { tables: printed, name, logo, wifi, hasWifi, print: printCards } = session.printing;
  const tables = printed.value;
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tables.length === 0) return undefined;
    let isCurrent = true;
    const clear = (): void => printCards([]);
    async function printWithLogos(): Promise<void> {
      // A card without its logo is better than none.
      await Promise.allSettled([...(sheet.current?.querySelectorAll('img') ?? [])].map((logoOf) => logoOf.decode()));
      if (!isCurrent) return;
      addEventListener('afterprint', clear, { once: true });
      print();
    }
    void printWithLogos();
    return () => {
      isCurrent = false;
      removeEventListener('afterprint', clear);
    };
  }, [tables, printCards]);
  if (tables.length === 0) return null;
  const network = hasWifi.value ? textOfWifi(wifi.value ?? null) : null;
  return (
    // The class `printout` makes the sheet visible on paper, as for the board's printout.
    <div class="printout qr-sheet" ref={sheet}>
      {tables.map(({ table, url }) => (
        <section key={table} class="qr-card">
          {(name.value !== '' || logo.value !== null) && (
            <span class="qr-restaurant">
              {logo.value !== null && <img src={`${logo.value}?width=${menuPictures.widths.small}`} alt="" />}
              {name.value}
            </span>
          )}
          <strong>{uiMessages().tableOf(table)}</strong>
          <QrCode text={url} label={words.qr(table)} />
          <span>{words.scan}</span>
          {network !== null && <span class="qr-wifi">{words.wifi(network)}</span>}
          <small>
            {words.orOpen} <b>{url}</b>
          </small>
        </section>
      ))}
    </div>
  );
}
