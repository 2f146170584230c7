import type { Client } from '@comanda/client/core';
import { calls } from '@comanda/client/collections/calls';
import type { CallStatus, TableCall } from '@comanda/contracts/calls';

export type FollowedCalls = ReturnType<typeof followCalls>;

/** Follows the calls that staff have not completed yet, oldest first. */
export function followCalls(client: Pick<Client, 'calls' | 'collection'>) {
  const { rows: waiting, failure, load, close } = client.collection(calls);
  return {
    waiting,
    /** Why calls may be missing; null if all are loaded. */
    failure,
    /**
     * Sets a call's status. If two waiters take a call at the same time, one of them sees that the other has it. @throws
     * CallFailure
     */
    set: async ({ id }: TableCall, status: CallStatus): Promise<void> => {
      try {
        await client.calls.updateCall({ id, status });
      } catch (error) {
        await load();
        throw error;
      }
    },
    close,
  };
}
