import { toString as qrCode } from 'qrcode';
import { describeSignIns, publicSignIns, type DemoSignIns } from '@comanda/local-stack/demo-sign-ins';
import { describeGiven, type StartOptions } from './arguments.ts';
import type { FirstManager } from './first-manager.ts';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import type { ServiceSettings } from './service-settings.ts';

type Announced = {
  settings: Record<ServiceName, Pick<ServiceSettings, 'env'>>;
  start: Pick<StartOptions, 'lan' | 'given'>;
  /** The demo's credentials, or null without the demo data. */
  signIns: DemoSignIns | null;
  firstManager: FirstManager;
  /** The URL for guests at a table, or null if it isn't known. */
  tableAddress: string | null;
  /** The certificate that phones must trust, or null over plain HTTP. */
  authorityFile: string | null;
  /** The page on which the demo pays by Pix, or null if another bank is set. */
  bankUrl: string | null;
  logsDir: string;
  /** True if the message appears in a terminal. In a file, a QR code would be unreadable. */
  isTerminal: boolean;
};

/** Returns the addresses, the demo's sign-ins and the location of the logs, as readable text. */
export async function announcement(announced: Announced): Promise<string> {
  const { settings, start, signIns, firstManager, tableAddress, authorityFile, bankUrl, logsDir, isTerminal } =
    announced;
  const { PUBLIC_URL: gateway = '', NOTIFIER_PUBLIC_URL: notifier = '', STAFF_URL } = settings.gateway.env;
  const staff = STAFF_URL || gateway;
  const given = describeGiven(start.given);
  const folder = process.env['COMANDA_DIR'] ? `COMANDA_DIR=${process.env['COMANDA_DIR']} ` : '';
  const lines = [
    '',
    `  kitchen     ${staff}/kitchen${signIns ? '   (sign in as the waiter or the manager)' : ''}`,
    ...(tableAddress ? [`  table 12    ${tableAddress}`] : []),
    `  ${tableAddress ? 'all tables  ' : 'tables      '}${staff}/kitchen#/manager/tables   (for the manager: their codes, which guests scan)`,
    ...(bankUrl ? [`  bank        ${bankUrl}   (pays the demo's Pix codes)`] : []),
    `  API         ${gateway}/docs`,
    `  live feed   ${notifier}   (Socket.IO; also through the gateway)`,
    ...(signIns ? signInLines(signIns) : withoutDemoData({ given, firstManager, folder })),
    ...(start.lan ? encryptionLines(authorityFile) : []),
    `  logs        ${logsDir}`,
    `  stop        Ctrl-C, or ${folder}npm start -- --stop${given ? '' : '; the data is kept for the next start'}`,
    '',
  ];
  const scanned = tableAddress ?? gateway;
  if (start.lan && isTerminal) lines.push(await qrCode(scanned, { type: 'terminal', small: true }), `  ${scanned}`, '');
  return lines.join('\n');
}

const encryptionLines = (authorityFile: string | null): string[] =>
  authorityFile === null
    ? [
        '  not safe    over plain HTTP, everybody in this network can read passwords, PINs and orders, and change them;',
        '              screens do not stay awake or open without network. Install openssl, and start again',
      ]
    : [
        `  phones      warn until they trust ${authorityFile}:`,
        '              send them this file, open it there and install it as a CA certificate (on an iPhone, also switch it on',
        '              in Settings > General > About > Certificate Trust Settings)',
      ];

type WithoutDemoData = { given: string; firstManager: FirstManager; folder: string };
function withoutDemoData({ given, firstManager, folder }: WithoutDemoData): string[] {
  const because = given ? `, because ${given}` : '';
  return [`  no demo data${because}`, ...firstManagerLines(firstManager, folder)];
}

function firstManagerLines(firstManager: FirstManager, folder: string): string[] {
  if (firstManager === 'exists') return [];
  if (firstManager === 'needed')
    return [`  manager     create the first one with the code from   ${folder}npm run create-setup-code`];
  return [`  manager     ${firstManager.instruction}`];
}

function signInLines(signIns: DemoSignIns): string[] {
  if (signIns === publicSignIns)
    return [
      '  sign in as  manager@comanda.test, waiter@comanda.test, customer@comanda.test or second@comanda.test',
      `              with the password ${signIns.manager.password}; the manager's PIN is ${signIns.managerPin}`,
    ];
  return describeSignIns(signIns).map((line, index) => `  ${(index === 0 ? 'sign in as' : '').padEnd(12)}${line}`);
}
