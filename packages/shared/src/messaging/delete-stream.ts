import { connect } from 'amqplib';
import { closeConnection } from './connection.ts';
import { stream } from './topology.ts';

/**
 * Deletes the stream with all its events. Running publishers and readers create it again, and readers notice the gap.
 * @param url the URL of the broker, or of the nodes of a cluster, separated by commas
 * @throws the last node's error, if the call fails on all nodes
 */
export async function deleteStream(url: string): Promise<void> {
  let failure: unknown;
  for (const node of url.split(',')) {
    try {
      await deleteAt(node);
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function deleteAt(node: string): Promise<void> {
  const connection = await connect(node, { timeout: 5000, clientProperties: { connection_name: 'after-restore' } });
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined); // the failed call itself rejects
    await channel.deleteQueue(stream);
  } finally {
    await closeConnection(connection);
  }
}
