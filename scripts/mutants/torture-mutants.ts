import { deleteStream } from '@comanda/shared/messaging/delete-stream';
import { startOneOfEach } from '../../test/torture/one-of-each.ts';
import { runTorture } from '../../test/torture/run-torture.ts';

type Options = { root: string; name: string; faults: readonly string[] };

/**
 * Starts servers for torture. Returns a function that runs torture on these servers, with services from a copy of the sources.
 */
export async function startTorturer() {
  const servers = await startOneOfEach();
  return {
    /** Returns the promises that torture reports as broken. */
    torture: async ({ root, name, faults }: Options): Promise<string[]> => {
      await deleteStream(servers.rabbitmq.url); // removes the events of the previous run
      const { broken } = await runTorture({
        cluster: servers,
        root,
        name,
        ends: faults.length === 0 ? { afterMs: 10_000 } : { afterFaults: 6 }, // a single fault reveals the mutant only by chance
        settlingMs: 5_000,
        screens: 10,
        only: faults,
        log: () => undefined,
      });
      return broken;
    },
    close: servers.close,
  };
}
