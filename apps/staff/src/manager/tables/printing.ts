import type { Answer, Client } from '@comanda/client/core';
import type { Table } from '@comanda/contracts/tables';
import { computed, signal } from '@preact/signals';
import { onDeviceLater } from '../../on-device-later.ts';
import type { Restaurant } from '../restaurant.ts';

/** Prints cards with the tables' codes, the restaurant's name and logo, and the guests' Wi-Fi. Also prints receipts. */
export function openPrinting(client: Pick<Client, 'calls'>, { name, logo }: Pick<Restaurant, 'name' | 'logo'>) {
  /** The tables whose codes are being printed. */
  const tables = signal<readonly Table[]>([]);
  /** The guests' Wi-Fi; null if there is none, undefined until it is loaded. */
  const wifi = signal<Answer<'getWifi'>['wifi'] | undefined>(undefined);
  const failure = signal<unknown>(null);
  const hasWifi = computed(() => onDeviceLater.printsWifi.signal.value === 'yes');
  /** The receipt that is being printed; empty for none. */
  const receipt = signal('');

  return {
    tables,
    name,
    logo,
    wifi,
    /** Why the Wi-Fi could not be loaded. */
    failure,
    /** True if the cards say how guests connect to the Wi-Fi. */
    hasWifi,
    setHasWifi: (isOn: boolean): void => onDeviceLater.printsWifi.write(isOn ? 'yes' : 'no'),
    loadWifi: async (): Promise<void> => {
      failure.value = null;
      try {
        wifi.value = (await client.calls.getWifi()).wifi;
      } catch (error) {
        failure.value = error;
      }
    },
    receipt,
    /** Prints a bill's receipt; an empty text ends printing. */
    printReceipt: (text: string): void => {
      receipt.value = text;
    },
    /** True if codes were printed on this device before. */
    hasPrinted: computed(() => onDeviceLater.hasPrinted.signal.value === 'yes'),
    /** Prints the codes of these tables; an empty list ends printing. */
    print: (chosen: readonly Table[]): void => {
      tables.value = chosen;
      if (chosen.length > 0) onDeviceLater.hasPrinted.write('yes');
    },
  };
}

/** Returns true if the address is this computer's own, such as localhost. A phone can't open such an address. */
export const isOfThisComputer = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
