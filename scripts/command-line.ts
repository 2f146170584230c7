import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';

/** A command's option, whose name is its key in the list of options. */
type Option = {
  help: string;
  /** The one-letter form, such as `t` for `-t`. */
  short?: string;
  /** The placeholder for the value in the usage. An option without a placeholder is a flag. */
  value?: string;
  /** The value of an option that is given without a value, as in `--simulate`. Without a default, a value is required. */
  defaultValue?: string;
  /** The option's name in an earlier release, which is still accepted. */
  formerName?: string;
};

/** A command and its options. The parser and `--help` use the same list. */
export type Command<Options extends Record<string, Option> = Record<string, Option>> = {
  /** The command as you type it, such as `npm start`. */
  name: string;
  /** The name of the script in package.json. */
  script: string;
  /** A description of the command, in one or two lines. */
  about: string;
  options: Options;
  /** Arguments other than options, as shown in the usage. Without this field, they are rejected. */
  operands?: { usage: string; help: string };
  /** The command's environment variables, with descriptions. */
  settings?: Readonly<Record<string, string>>;
};

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]?: Options[Name] extends { value: string } ? string : true;
};

/** The values of a command's options, by name. */
export type ValuesOf<Known> = Known extends Command<infer Options> ? Values<Options> : never;

export type CommandLine<Options extends Record<string, Option>> = {
  values: Values<Options>;
  operands: string[];
};

export const defineCommand = <const Options extends Record<string, Option>>(
  command: Command<Options>,
): Command<Options> => command;

/**
 * Parses the arguments, by default this process's. For `--help`, prints the usage and exits with 0. For wrong arguments, prints a
 * line and exits with 1.
 */
export function readCommandLine<Options extends Record<string, Option>>(
  command: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
): CommandLine<Options> {
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

/**
 * Parses the arguments.
 * @throws Refusal for an unknown option, a missing or extra value, an operand, or an option that npm has taken for itself
 */
export function parseCommandLine<Options extends Record<string, Option>>(
  command: Command<Options>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): CommandLine<Options> {
  refuseOptionsOfNpm(command, args, env);
  const values: Record<string, string | true> = {};
  const operands: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const { name, given } = optionIn(command, arg);
    const option = name === undefined ? undefined : command.options[name];
    if (name === undefined || !option) operands.push(arg);
    else if (option.value === undefined) {
      if (given !== undefined) throw refusal(`--${name} takes no value, but it has ${JSON.stringify(given)}.`);
      values[name] = true;
    } else {
      const next = option.defaultValue ?? args[index + 1];
      if (given === undefined && option.defaultValue === undefined) index++;
      const value = given ?? next;
      if (value === undefined || (given === undefined && value.startsWith('--')))
        throw refusal(`--${name} needs a value: --${name}=${option.value}`);
      values[name] = value;
    }
  }
  return { values: values as Values<Options>, operands };
}

/** Returns the option's name in an argument, and the value after its `=`. An operand has no name. */
function optionIn(command: Command, arg: string): { name?: string; given?: string | undefined } {
  const [, long, given] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
  const [name] =
    Object.entries(command.options).find(
      ([each, { short, formerName }]) => long === each || (long && long === formerName) || `-${short}` === arg,
    ) ?? [];
  if (name !== undefined) return { name, given };
  const isOption = arg.startsWith('-');
  if (!isOption && command.operands) return {};
  const valid = [...Object.entries(command.options).map(([each, option]) => flagOf(each, option)), '--help'];
  throw refusal(`Unknown ${isOption ? 'option' : 'argument'} ${arg}. ${command.name} accepts: ${valid.join(', ')}`);
}

/**
 * Rejects options that npm has taken for itself. npm takes the options before `--`, and passes them to its script only as
 * variables such as `npm_config_reset`.
 */
function refuseOptionsOfNpm({ name, script, options }: Command, args: readonly string[], env: NodeJS.ProcessEnv): void {
  if (env['npm_lifecycle_event'] !== script) return;
  const names = Object.entries(options).flatMap(([option, { formerName }]) => [
    option,
    ...(formerName ? [formerName] : []),
  ]);
  const taken = names.flatMap((option) => {
    const value = env[`npm_config_${option.replaceAll('-', '_')}`];
    if (value === undefined) return [];
    return value === 'true' || value === '' ? [`--${option}`] : [`--${option}=${value}`];
  });
  if (taken.length > 0)
    throw refusal(
      `npm took ${taken.join(' ')} for itself. Put -- before it:   ${name} -- ${[...taken, ...args].join(' ')}`,
    );
}

/** Parses an option that must be a positive number. For anything else, prints a line and exits with 1. */
export function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  console.error(`--${name} must be a whole number from 1, but is ${JSON.stringify(text)}.`);
  return process.exit(1);
}

/** Returns a command's usage, which fits on one screen. */
export function usage({ name, about, options, operands, settings = {} }: Command): string {
  const rows: [string, string][] = [
    ...(operands ? [[operands.usage, operands.help] satisfies [string, string]] : []),
    ...Object.entries(options).map(([option, each]): [string, string] => [flagOf(option, each), each.help]),
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

function flagOf(name: string, { short, value, defaultValue }: Option): string {
  const flag = short === undefined ? `--${name}` : `-${short}, --${name}`;
  if (value === undefined) return flag;
  return defaultValue === undefined ? `${flag}=${value}` : `${flag}[=${value}]`;
}
