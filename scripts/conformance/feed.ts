import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { ProtocolSuite } from '../../test/outsiders/protocol-cases.ts';
import { startGatewayBefore, tryProtocol } from '../../test/outsiders/protocol.ts';
import { judged } from './checks.ts';
import { asCustomer, emptyFolder, programs, runInSequence, type Check, type Result } from './run.ts';

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

/** Of the six points of a program that hears orders, those that it did not print. */
const ofSixPoints = (result: Result): Result => ({
  ...result,
  tried: 6,
  other: result.passed ? 0 : 6 - (result.report.match(/^\d\. /gm)?.length ?? 0),
});

/** A program in Python hears orders, loses its connection, and is refused, through the gateway. */
export const pythonSocketIo: Check = async (url, { python }) =>
  ofSixPoints(await runInSequence([[python('python'), join(programs, 'hear_orders.py')]], { env: asCustomer(url) }));

export const javaSocketIoVersion = '2.1.2';
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>comanda.test</groupId>
  <artifactId>hear-orders</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.socket</groupId>
      <artifactId>socket.io-client</artifactId>
      <version>${javaSocketIoVersion}</version>
    </dependency>
  </dependencies>
</project>
`;

/** The same in Java. */
export const javaSocketIo: Check = async (url) => {
  const folder = emptyFolder('java-socket.io');
  writeFileSync(join(folder, 'pom.xml'), pom);
  const jars = join(folder, 'jars');
  const copyJars = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  return ofSixPoints(
    await runInSequence(
      [
        ['mvn', '--quiet', '--batch-mode', '--file', folder, copyJars, `-DoutputDirectory=${jars}`],
        ['java', '-cp', join(jars, '*'), join(programs, 'HearOrders.java')],
      ],
      { env: asCustomer(url) },
    ),
  );
};
