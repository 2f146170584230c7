import { join } from 'node:path';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { ProtocolSuite } from '../../test/outsiders/protocol-cases.ts';
import { startGatewayBefore, tryProtocol } from '../../test/outsiders/protocol.ts';
import { judged } from './checks.ts';
import { asCustomer, programs, runInSequence, type Check } from './run.ts';

/** Every case of the suite, at the notifier's server, which is allowed long polling for it. */
export const protocol =
  (suite: ProtocolSuite): Check =>
  async () =>
    judged(await tryProtocol({ suite, transports: 'polling' }));

/** The cases over WebSocket, through a gateway. */
export const protocolThroughGateway =
  (suite: ProtocolSuite): Check =>
  async () => {
    const servers = await isolatedServers('protocol');
    const behind = (url: string) => startGatewayBefore(url, servers);
    return judged(await tryProtocol({ suite, transports: 'websocket', behind }));
  };

/** A program in Python hears orders, loses its connection, and is refused, through the gateway. */
export const pythonSocketIo: Check = async (url, { python }) => {
  const result = await runInSequence([[python('python'), join(programs, 'hear_orders.py')]], { env: asCustomer(url) });
  return { ...result, tried: 6, other: result.passed ? 0 : 6 - (result.report.match(/^\d\. /gm)?.length ?? 0) };
};
