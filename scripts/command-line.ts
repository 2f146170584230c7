import { isRefusal, refusal } from './servers/refusal.ts';

/** An option of a command. Its name is its key in the command's list. */
type Option = {
  help: string;
  /** What the usage shows for its value. An option without one is a flag. */
  value?: string;
  /** Its value if none is given, as in `--dinner`. Without one, `--dinner` alone is refused. */
  defaultValue?: string;
};

/** What a command accepts: the parser and `--help` read the same list. */
export type Command<Options extends Record<string, Option> = Record<string, Option>> = {
  /** As it is typed: `npm start`. */
  name: string;
  /** The name of its script in package.json. */
  script: string;
  /** What it does; one or two lines. */
  about: string;
  options: Options;
  /** Arguments that are no options, as the usage shows them. Without this, they are refused. */
  operands?: { usage: string; help: string };
  /** Options that are not in the list go to another program, which checks them. */
  passesOn?: { help: string };
  /** Settings in the environment. */
  settings?: Readonly<Record<string, string>>;
};

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]?: Options[Name] extends { value: string } ? string : true;
};

/** The values of a command's options, by their names. */
export type ValuesOf<Known> = Known extends Command<infer Options> ? Values<Options> : never;

export type CommandLine<Options extends Record<string, Option>> = {
  values: Values<Options>;
  /** The operands and what is passed on, in their order. */
  others: string[];
};

export const defineCommand = <const Options extends Record<string, Option>>(
  command: Command<Options>,
): Command<Options> => command;

/**
 * Reads the arguments of this process. Prints the usage and exits with 0 for `--help`; prints one line and exits with 1
 * if they are wrong.
 */
export function readCommandLine<Options extends Record<string, Option>>(
  command: Command<Options>,
): CommandLine<Options> {
  const args = process.argv.slice(2);
  try {
    if (asksForHelp(args)) {
      console.log(usage(command));
      process.exit(0);
    }
    return parseCommandLine(command, args, process.env);
  } catch (error) {
    console.error(isRefusal(error) ? error.message : error);
    return process.exit(1);
  }
}

const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

/** @throws Refusal for an unknown option, a missing or surplus value, an operand, or an option that npm took */
export function parseCommandLine<Options extends Record<string, Option>>(
  command: Command<Options>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): CommandLine<Options> {
  refuseOptionsOfNpm(command, args, env);
  const values: Record<string, string | true> = {};
  const others: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const [, name = '', given] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
    const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
    if (!option) {
      refuseUnknown(command, arg);
      others.push(arg);
    } else if (option.value === undefined) {
      if (given !== undefined) throw refusal(`--${name} takes no value, but it has ${JSON.stringify(given)}.`);
      values[name] = true;
    } else {
      const takesNext = given === undefined && option.defaultValue === undefined;
      const value = given ?? option.defaultValue ?? args[++index];
      if (value === undefined || (takesNext && value.startsWith('--')))
        throw refusal(`--${name} needs a value: --${name}=${option.value}`);
      values[name] = value;
    }
  }
  return { values: values as Values<Options>, others };
}

function refuseUnknown(command: Command, arg: string): void {
  if (arg.startsWith('-') ? command.passesOn : command.operands) return;
  const what = arg.startsWith('-') ? 'option' : 'argument';
  const valid = [...Object.entries(command.options).map(([name, option]) => flagOf(name, option)), '--help'];
  throw refusal(`Unknown ${what} ${arg}. ${command.name} accepts: ${valid.join(', ')}`);
}

/** npm takes options before `--` for itself, and tells its script only by variables such as `npm_config_reset`. */
function refuseOptionsOfNpm({ name, script, options }: Command, args: readonly string[], env: NodeJS.ProcessEnv): void {
  if (env['npm_lifecycle_event'] !== script) return;
  const taken = Object.keys(options).flatMap((option) => {
    const value = env[`npm_config_${option.replaceAll('-', '_')}`];
    if (value === undefined) return [];
    return value === 'true' || value === '' ? [`--${option}`] : [`--${option}=${value}`];
  });
  if (taken.length > 0)
    throw refusal(
      `npm took ${taken.join(' ')} for itself. Put -- before it:   ${name} -- ${[...taken, ...args].join(' ')}`,
    );
}

/** The usage of a command, at most one screen. */
export function usage({ name, about, options, operands, passesOn, settings = {} }: Command): string {
  const rows: [string, string][] = [
    ...(operands ? [[operands.usage, operands.help] satisfies [string, string]] : []),
    ...Object.entries(options).map(([option, each]): [string, string] => [flagOf(option, each), each.help]),
    ...(passesOn ? [['--…', passesOn.help] satisfies [string, string]] : []),
    ['--help', 'print this'],
  ];
  const variables = Object.entries(settings);
  const width = Math.max(...[...rows, ...variables].map(([left]) => left.length));
  const lines = (table: readonly (readonly [string, string])[]): string[] =>
    table.map(([left, right]) => `  ${left.padEnd(width)}   ${right.replaceAll('\n', `\n${' '.repeat(width + 5)}`)}`);
  const line = [`Usage: ${name} -- [options]`, operands?.usage].filter(Boolean).join(' ');
  return [
    line,
    about,
    '',
    ...lines(rows),
    ...(variables.length > 0 ? ['', 'Settings in the environment:', ...lines(variables)] : []),
  ].join('\n');
}

function flagOf(name: string, { value, defaultValue }: Option): string {
  if (value === undefined) return `--${name}`;
  return defaultValue === undefined ? `--${name}=${value}` : `--${name}[=${value}]`;
}
