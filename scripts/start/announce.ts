import { toString as qrCode } from 'qrcode';
import type { ServiceName, ServiceSettings } from './service-settings.ts';

/** Prints the addresses, the demo sign-ins and where the logs are. */
export async function announce(options: {
  settings: Record<ServiceName, ServiceSettings>;
  lan: boolean;
  demo: boolean;
  logsDir: string;
}): Promise<void> {
  const { settings, lan, demo, logsDir } = options;
  const { PUBLIC_URL: gateway = '', NOTIFIER_PUBLIC_URL: notifier = '' } = settings.gateway.env;
  const lines = [
    '',
    `  API         ${gateway}   (documentation: ${gateway}/docs)`,
    `  live feed   ${notifier}   (Socket.IO; also through the gateway)`,
    ...(demo
      ? [
          '  sign in as  manager@comanda.test, waiter@comanda.test, customer@comanda.test or second@comanda.test',
          "              with the password mesa-farofa-violao; the manager's PIN is 739152",
        ]
      : []),
    `  logs        ${logsDir}`,
    '  stop        Ctrl-C; the data is kept for the next start',
    '',
  ];
  console.log(lines.join('\n'));
  if (lan) console.log(`${await qrCode(gateway, { type: 'terminal', small: true })}\n  ${gateway}\n`);
}
