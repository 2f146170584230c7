import { CallFailure, type Client } from '@comanda/client';
import type { Table } from '@comanda/contracts/users';
import { stored } from '@comanda/ui/stored-setting.ts';
import { signal } from '@preact/signals';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The cards with the codes of tables, and what stands on each of them. */
export function openPrinting(client: Client) {
  const storage = stored('manager.wifi', isText, '');
  /** The tables whose codes are being printed. */
  const tables = signal<readonly Table[]>([]);
  /** The name of the restaurant; empty until it was read. */
  const house = signal('');
  /** How guests find the Wi-Fi, as the manager writes it. */
  const wifi = signal(storage.get());

  async function readHouse(): Promise<void> {
    try {
      house.value = (await client.calls.getRestaurant()).name;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the cards stand without the name
    }
  }
  void readHouse();
  return {
    tables,
    house,
    wifi,
    setWifi: (text: string): void => {
      wifi.value = text;
      storage.write(text);
    },
    /** Prints the codes of these tables; no tables end it. */
    print: (chosen: readonly Table[]): void => {
      tables.value = chosen;
    },
  };
}

/** Whether a phone cannot open this address, because it is that of the computer itself. */
export const isOfThisComputer = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
