import type { Logger } from '../runtime/logger.ts';
import type { RedisLink } from './connection.ts';

type Options = {
  link: RedisLink;
  /** Whether Redis must write an append-only file, so that a restart loses nothing. */
  appendOnlyFile: 'required' | 'optional';
  logger: Logger;
};
export type RedisDurability = {
  /** One sentence for each setting with which Redis loses keys. */
  warnings: () => readonly string[];
  close: () => Promise<void>;
};

const checkEveryMs = 60_000;

/** Checks, whenever Redis is ready and then each minute, that its settings let it keep every key. Logs what does not. */
export function watchRedisDurability({ link, appendOnlyFile, logger }: Options): RedisDurability {
  let warnings: readonly string[] = [];

  async function check(): Promise<void> {
    if (!link.isUp()) return;
    try {
      const info = `${await link.client.info('memory')}\n${await link.client.info('persistence')}`;
      const before = warnings;
      warnings = findWarnings(info, appendOnlyFile);
      for (const warning of warnings.filter((each) => !before.includes(each)))
        logger.warn({ warning }, 'Redis settings');
    } catch (error) {
      logger.warn({ err: error }, 'the settings of Redis could not be read');
    }
  }
  const onReady = (): void => void check();
  link.client.on('ready', onReady);
  onReady();
  const timer = setInterval(onReady, checkEveryMs).unref();
  return {
    warnings: () => warnings,
    close: async () => {
      clearInterval(timer);
      link.client.off('ready', onReady);
    },
  };
}

/** `info`: the answer to INFO, because CONFIG is often forbidden. */
function findWarnings(info: string, appendOnlyFile: Options['appendOnlyFile']): string[] {
  const warnings: string[] = [];
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1];
  if (policy !== 'noeviction')
    warnings.push(`Redis deletes keys when its memory is full. Set maxmemory-policy to noeviction; it is ${policy}.`);
  if (appendOnlyFile === 'required' && !/^aof_enabled:1/m.test(info))
    warnings.push('Redis loses its latest writes when it restarts. Set appendonly to yes.');
  return warnings;
}
