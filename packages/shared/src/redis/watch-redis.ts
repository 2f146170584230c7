import { every } from '../runtime/every.ts';
import type { Logger } from '../runtime/logger.ts';
import { isReply, type RedisLink } from './connection.ts';

type Options = {
  link: RedisLink;
  /** With `required`, the watch warns if Redis has no append-only file, because a restart would then lose keys. */
  appendOnlyFile: 'required' | 'optional';
  logger: Logger;
};
export type RedisWatch = {
  /** Returns a sentence for each setting that makes Redis lose keys, and for each right that this account lacks. */
  warnings: () => readonly string[];
  /** Returns false once Redis has rejected a script. */
  mayRunScripts: () => boolean;
  close: () => Promise<void>;
};

const checkEveryMs = 60_000;

/** Checks Redis's settings and this account's rights when Redis becomes ready, and then every minute. Logs each problem once. */
export function watchRedis({ link, appendOnlyFile, logger }: Options): RedisWatch {
  const { client } = link;
  let warnings: readonly string[] = [];
  let scriptRefusal: string | null = null;

  async function check(): Promise<void> {
    scriptRefusal = await refusalOf(client.eval('return 1', 0));
    const losses = await findLosses();
    const found = [
      ...(scriptRefusal === null
        ? []
        : [`No PIN can be checked, because Redis refuses scripts. Allow EVAL and EVALSHA: ${scriptRefusal}`]),
      ...losses,
    ];
    for (const warning of found.filter((each) => !warnings.includes(each))) logger.warn({ warning }, 'Redis settings');
    warnings = found;
  }
  /** Finds settings because of which Redis may lose keys. Uses INFO, because many accounts may not run CONFIG. */
  async function findLosses(): Promise<string[]> {
    const info = Promise.all([client.info('memory'), client.info('persistence')]);
    const refusal = await refusalOf(info);
    return refusal === null
      ? lossesIn((await info).join('\n'), appendOnlyFile)
      : [`It is not known whether Redis keeps every key. Allow INFO: ${refusal}`];
  }
  const checks = every({
    run: check,
    everyMs: checkEveryMs,
    isReady: link.isUp,
    logger,
    failure: 'the settings of Redis could not be read',
  });
  client.on('ready', checks.wake);
  return {
    warnings: () => warnings,
    mayRunScripts: () => scriptRefusal === null,
    close: async () => {
      client.off('ready', checks.wake);
      await checks.close();
    },
  };
}

/** Returns Redis's error if it rejects the command, otherwise null. @throws if there is no reply */
async function refusalOf(command: Promise<unknown>): Promise<string | null> {
  try {
    await command;
    return null;
  } catch (error) {
    if (isReply(error)) return error.message;
    throw error;
  }
}

function lossesIn(info: string, appendOnlyFile: Options['appendOnlyFile']): string[] {
  const losses: string[] = [];
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1];
  if (policy !== 'noeviction')
    losses.push(`Redis deletes keys when its memory is full. Set maxmemory-policy to noeviction; it is ${policy}.`);
  if (appendOnlyFile === 'required' && !/^aof_enabled:1/m.test(info))
    losses.push('Redis loses its latest writes when it restarts. Set appendonly to yes.');
  return losses;
}
