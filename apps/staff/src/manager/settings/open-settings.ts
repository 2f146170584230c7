import { CallFailure, type Client } from '@comanda/client/core';
import { computed, signal } from '@preact/signals';
import {
  changesOf,
  conflictsOf,
  draftOf,
  withoutSetting,
  type SettingName,
  type SettingsDraft,
  type StoredSettings,
} from './settings-draft.ts';

export type FollowedSettings = ReturnType<typeof openSettings>;

/**
 * The settings that are stored, and what this manager has typed: it stays until it is saved or discarded, even while another page
 * is open.
 */
export function openSettings(client: Pick<Client, 'calls'>) {
  /** Null until they are loaded. */
  const stored = signal<StoredSettings | null>(null);
  const typed = signal<Partial<SettingsDraft>>({});
  /** The settings that another manager has changed while this manager was typing. */
  const conflicts = signal<readonly SettingName[]>([]);
  /** Why the settings could not be loaded. */
  const failure = signal<unknown>(null);

  const before = computed(() => stored.value && draftOf(stored.value));
  const draft = computed(() => before.value && { ...before.value, ...typed.value });
  const changes = computed(() => (draft.value && before.value ? changesOf(draft.value, before.value) : {}));

  /** Adopts what the server has stored. Untouched fields follow it. */
  function take(next: StoredSettings): void {
    const was = before.peek();
    stored.value = next;
    const now = draftOf(next);
    const left = changesOf({ ...now, ...typed.peek() }, now);
    const known = conflicts.peek().filter((name) => name in left);
    const added = was ? conflictsOf(typed.peek(), { before: was, now }) : [];
    conflicts.value = [...new Set([...known, ...added])];
  }
  /** Reads the version first: a newer Wi-Fi only leads to a conflict, but an older one would be saved over the newer. */
  async function read(): Promise<void> {
    const restaurant = await client.calls.getRestaurant();
    const { wifi } = await client.calls.getWifi();
    take({ restaurant, wifi });
  }
  async function put(): Promise<void> {
    const version = stored.peek()?.restaurant.version;
    if (version === undefined || Object.keys(changes.peek()).length === 0) return;
    const sent = draft.peek();
    const restaurant = await client.calls.putRestaurant({ ...changes.peek(), version });
    // What was typed while the call was running stays.
    const later = Object.entries(typed.peek()).filter(
      ([field, value]) => sent && value !== sent[field as keyof SettingsDraft],
    );
    typed.value = Object.fromEntries(later);
    conflicts.value = [];
    const wifi =
      sent && sent.ssid.trim() !== '' ? { ssid: sent.ssid.trim(), password: sent.wifiPassword || null } : null;
    stored.value = { restaurant, wifi };
  }
  return {
    stored,
    draft,
    conflicts,
    failure,
    hasChanges: computed(() => Object.keys(changes.value).length > 0),
    load: async (): Promise<void> => {
      failure.value = null;
      try {
        await read();
      } catch (error) {
        failure.value = error;
      }
    },
    change: (part: Partial<SettingsDraft>): void => {
      typed.value = { ...typed.peek(), ...part };
    },
    discard: (): void => {
      typed.value = {};
      conflicts.value = [];
    },
    /** Takes the other manager's value of this setting. */
    takeTheirs: (name: SettingName): void => {
      typed.value = withoutSetting(typed.peek(), name);
      conflicts.value = conflicts.peek().filter((each) => each !== name);
    },
    /**
     * Saves the changes. If another manager was faster, loads their settings; if both changed different settings, saves again.
     * @throws CallFailure `version_mismatch` if both managers have changed the same settings: they are in `conflicts` then
     */
    save: async (): Promise<void> => {
      try {
        await put();
      } catch (error) {
        if (!(error instanceof CallFailure && error.is('version_mismatch'))) throw error;
        await read();
        if (conflicts.peek().length > 0) throw error;
        await put();
      }
    },
  };
}
