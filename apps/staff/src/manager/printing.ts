import type { Table } from '@comanda/contracts/tables';
import { stored } from '@comanda/ui/stored-setting.ts';
import { signal, type ReadonlySignal } from '@preact/signals';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The cards with the tables' codes, and the text on each of them. */
export function openPrinting(restaurantName: ReadonlySignal<string>) {
  const storage = stored('manager.wifi', isText, '');
  /** The tables whose codes are being printed. */
  const tables = signal<readonly Table[]>([]);
  /** How guests connect to the Wi-Fi, as the manager has written it. */
  const wifi = signal(storage.get());

  return {
    tables,
    restaurantName,
    wifi,
    setWifi: (text: string): void => {
      wifi.value = text;
      storage.write(text);
    },
    /** Prints the codes of these tables; an empty list ends printing. */
    print: (chosen: readonly Table[]): void => {
      tables.value = chosen;
    },
  };
}

/** Returns true if a phone can't open this address, because it is the computer's own. */
export const isOfThisComputer = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
