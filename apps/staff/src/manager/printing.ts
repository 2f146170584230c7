import type { Table } from '@comanda/contracts/tables';
import { stored } from '@comanda/ui/stored-setting.ts';
import { signal, type ReadonlySignal } from '@preact/signals';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Prints cards with the tables' codes, and stores the text about the Wi-Fi on them. */
export function openPrinting(restaurantName: ReadonlySignal<string>) {
  const storage = stored('manager.wifi', isText, '');
  /** The tables whose codes are being printed. */
  const tables = signal<readonly Table[]>([]);
  /** The manager's text that tells guests how to connect to the Wi-Fi. */
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

/** Returns true if the address is this computer's own, such as localhost. A phone can't open such an address. */
export const isOfThisComputer = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
