import { parseArgs } from 'node:util';
import { createSealer, type sealingSettings } from '@comanda/shared/crypto/seal';
import type { Clock } from '@comanda/shared/runtime/clock';
import { CommandError, type CommandContext } from '../run-command.ts';
import { createAuditStore } from '../security-log/audit-store.ts';
import { createAuditedWork, type AuditedWork } from '../security-log/audited-work.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKeys } from './rotate-keys.ts';

const usage = 'usage: rotate-keys [--revoke <kid>]';

type Deps = { store: KeyStore; clock: Clock };
type RevokeDeps = Deps & { unitOfWork: AuditedWork };

/**
 * Runs the command `rotate-keys`: publishes the next signing key before it is due. With `--revoke <kid>`, removes that key
 * immediately and starts signing with a new one.
 */
export async function rotateKeysByOperator(
  { connection, transactions, config, logger }: CommandContext<typeof sealingSettings>,
  { args, clock }: { args: readonly string[]; clock: Clock },
): Promise<string> {
  const { revoke } = readArguments(args);
  const store = createKeyStore(connection, { sealer: createSealer(config.keySealingSecret), logger });
  if (revoke === undefined) return rotate({ store, clock });
  const unitOfWork = createAuditedWork({ transactions, audit: createAuditStore(connection), outboxes: {} });
  return revokeOne({ store, unitOfWork, clock }, revoke);
}

function readArguments(args: readonly string[]): { revoke?: string | undefined } {
  try {
    return parseArgs({ args: [...args], options: { revoke: { type: 'string' } } }).values;
  } catch {
    throw new CommandError(usage);
  }
}

async function rotate(deps: Deps): Promise<string> {
  const key = await rotateKeys(deps);
  if (!key) throw new CommandError('The next key is already published.');
  return `Key ${key.kid} is published and signs from ${new Date(key.signsFrom).toISOString()}.`;
}

async function revokeOne(deps: RevokeDeps, kid: string): Promise<string> {
  const result = await revokeKey(deps, kid);
  if (result.kind === 'unknown') throw new CommandError(`No signing key has the kid ${kid}. ${usage}`);
  if (result.kind === 'busy') throw new CommandError('Another key was added at the same time. Run the command again.');
  return `Key ${kid} is revoked. Key ${result.signer} signs from now on. All services refuse tokens of the revoked key within 5 minutes.`;
}
