import { toString as qrCode } from 'qrcode';
import { describeSignIns, publicSignIns } from '../demo-sign-ins.ts';
import type { DemoSignIns } from '../demo-sign-ins.ts';
import type { ServiceName, ServiceSettings } from './service-settings.ts';

/** Prints the addresses, the demo sign-ins and where the logs are. */
export async function announce(options: {
  settings: Record<ServiceName, ServiceSettings>;
  lan: boolean;
  /** Null without the demo data. */
  signIns: DemoSignIns | null;
  logsDir: string;
}): Promise<void> {
  const { settings, lan, signIns, logsDir } = options;
  const { PUBLIC_URL: gateway = '', NOTIFIER_PUBLIC_URL: notifier = '' } = settings.gateway.env;
  const lines = [
    '',
    `  kitchen     ${gateway}/kitchen   (sign in as the waiter or the manager)`,
    `  guests      ${gateway}   (the codes of the tables: ${gateway}/kitchen#/manager/tables)`,
    `  API         ${gateway}/docs`,
    `  live feed   ${notifier}   (Socket.IO; also through the gateway)`,
    ...(signIns ? signInLines(signIns) : []),
    `  logs        ${logsDir}`,
    '  stop        Ctrl-C, or npm start -- --stop; the data is kept for the next start',
    '',
  ];
  console.log(lines.join('\n'));
  if (lan) console.log(`${await qrCode(gateway, { type: 'terminal', small: true })}\n  ${gateway}\n`);
}

function signInLines(signIns: DemoSignIns): string[] {
  if (signIns === publicSignIns)
    return [
      '  sign in as  manager@comanda.test, waiter@comanda.test, customer@comanda.test or second@comanda.test',
      `              with the password ${signIns.manager.password}; the manager's PIN is ${signIns.managerPin}`,
    ];
  return describeSignIns(signIns).map((line, index) => `  ${(index === 0 ? 'sign in as' : '').padEnd(12)}${line}`);
}
