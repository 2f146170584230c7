// npm run explain -- order 1042 | transfer 77: what the databases of all services know of it, on one page of plain text. It
// changes nothing. Without --names, nothing in it says who a guest is.
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import { MongoClient } from 'mongodb';
import { defineCommand, readCommandLine } from './command-line.ts';
import { explainOrder } from './explain/explain-order.ts';
import { explainTransfer } from './explain/explain-transfer.ts';
import { toPage } from './explain/page.ts';
import { openStores } from './explain/stores.ts';
import { readDatabases, readSecret } from './operate/databases.ts';
import { findRunningStack, isGiven, refuseWithoutStack } from './operate/service-command.ts';

const { values, operands } = readCommandLine(
  defineCommand({
    name: 'npm run explain',
    script: 'explain',
    about:
      'Prints all that the databases of the services know of an order or a transfer, and changes nothing. Names, and what\nguests have written, are left out.',
    options: { names: { help: 'with names, remarks, allergies and descriptions' } },
    operands: { usage: 'order|transfer ID', help: 'such as order 1042, or transfer 77' },
    settings: {
      MONGODB_URI: 'the servers (a user who may read all three databases); without it, those of npm start',
      DATABASES: 'the names of the databases (comanda_orders,comanda_auth,comanda_transfers)',
    },
  }),
);
const explainers = { order: explainOrder, transfer: explainTransfer };

/** @throws Refusal if the operands are not one kind and one id */
function readOperands(): { kind: keyof typeof explainers; id: number } {
  const [kind = '', text = '', ...more] = operands;
  const id = Number(text);
  if (kind !== 'order' && kind !== 'transfer')
    throw refusal(
      `What is to be explained? ${kind === '' ? '' : `${kind} is unknown. `}Use npm run explain -- order ID, or npm run explain -- transfer ID.`,
    );
  if (!Number.isSafeInteger(id) || id < 1 || more.length > 0)
    throw refusal(
      `The id of the ${kind} must be one whole number from 1, but is ${JSON.stringify([text, ...more].join(' '))}.`,
    );
  return { kind, id };
}

async function explain(): Promise<void> {
  const { kind, id } = readOperands();
  const stack = isGiven('MONGODB_URI') ? null : findRunningStack();
  if (!stack && !isGiven('MONGODB_URI')) refuseWithoutStack('MONGODB_URI');
  const databases = readDatabases(process.env['DATABASES']);
  const client = new MongoClient(stack?.mongodb.url ?? readSecret('MONGODB_URI'), { serverSelectionTimeoutMS: 5000 });
  try {
    const parts = await explainers[kind](openStores(client, databases, { withNames: values.names === true }), id);
    if (!parts)
      throw refusal(
        `There is no ${kind} ${id} in ${kind === 'order' ? `${databases.orders}, nor in its archive` : databases.transfers}.`,
      );
    console.log(toPage(parts));
  } finally {
    await client.close();
  }
}

await explain().catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  process.exitCode = 1;
});
