import { isDeepStrictEqual } from 'node:util';
import { findSchemaBreaks, type Use, type Versions } from './compare-schemas.ts';
import type { Call, Collection, Release } from './release.ts';
import type { JsonSchema } from '@comanda/shared/api-docs/json-schema';

type CompareSchemas = (use: Use, where: string, versions: Versions<JsonSchema>) => string[];

/**
 * Lists the promises of the last release that the next one would break, with one sentence for each. The two releases may run side
 * by side, or the next one may have replaced the last one. A new problem code breaks nothing, because clients treat an unknown
 * code according to its status.
 */
export function findBreaks(versions: Versions<Release>): string[] {
  const { was, is } = versions;
  const components = { was: was.schemas, is: is.schemas };
  const compare: CompareSchemas = (use, where, schemas) =>
    findSchemaBreaks(schemas, { use, components }).map(
      ({ member, what }) => `${member === '' ? where : `${member} of ${where}`} ${what}.`,
    );
  const calls = ofBoth({ was: was.calls, is: is.calls }, 'is gone, and callers of the last release make this call');
  const events = ofBoth({ was: was.events, is: is.events }, 'is gone, and receivers of the last release wait for it');
  const stored = ofBoth({ was: was.stored, is: is.stored }, 'is gone, and the last release reads this collection');
  const problems = ofBoth({ was: was.problems, is: is.problems }, null);
  const newlyRequired = Object.keys(is.settings).filter(
    (name) => is.settings[name] === 'required' && was.settings[name] !== 'required',
  );
  return [
    ...calls.gone,
    ...calls.both.flatMap(([name, call]) => findCallBreaks(name, call, compare)),
    ...problems.both.flatMap(([code, { was: before, is: after }]) => [
      ...(before.status === after.status
        ? []
        : [`The problem ${code} had the status ${before.status}, and has ${after.status} now.`]),
      ...compare('answered', `the problem ${code}`, { was: before.members, is: after.members }),
    ]),
    ...events.gone,
    ...events.both.flatMap(([type, { was: before, is: after }]) => [
      ...changed(`The audience of ${type}`, { was: before.audience, is: after.audience }),
      ...changed(`The source of ${type}`, { was: before.source, is: after.source }),
      ...compare('answered', `the event ${type}`, { was: before.data, is: after.data }),
    ]),
    ...stored.gone,
    ...stored.both.flatMap(([name, collection]) => [
      ...compare('stored', `the documents of ${name}`, { was: collection.was.documents, is: collection.is.documents }),
      ...findIndexBreaks(name, collection),
    ]),
    ...newlyRequired.map(
      (name) => `The setting ${name} is required now, and installations of the last release lack it.`,
    ),
  ];
}

/** Lists the services that must be released first, because the next release needs something that their last releases lack. */
export function findPredecessors(next: Release, last: ReadonlyMap<string, Release>): string[] {
  return Object.entries(next.needs).flatMap(([service, needed]) => {
    const missing = needed.filter((each) => !last.get(service)?.provides.includes(each));
    if (missing.length === 0) return [];
    return [`${service} must be released first: the last one does not say that it ${missing.join(', ')}.`];
  });
}

function changed(what: string, { was, is }: Versions<string>): string[] {
  return was === is ? [] : [`${what} was ${was} and is ${is} now.`];
}

/** Returns the entries that both records have, and a sentence for each entry that is gone. */
function ofBoth<T>({ was, is }: Versions<Record<string, T>>, isGone: string | null) {
  const both: [name: string, versions: Versions<T>][] = [];
  const gone: string[] = [];
  for (const [name, before] of Object.entries(was)) {
    const after = is[name];
    if (after !== undefined) both.push([name, { was: before, is: after }]);
    else if (isGone !== null) gone.push(`${name} ${isGone}.`);
  }
  return { both, gone };
}

function findCallBreaks(name: string, { was, is }: Versions<Call>, compare: CompareSchemas): string[] {
  const lost = (before: readonly string[], after: readonly string[]): string[] =>
    before.filter((each) => !after.includes(each));
  const excluded = is.who.includes('anyone') ? [] : lost(was.who, is.who);
  const answers = ofBoth({ was: was.answers, is: is.answers }, `of ${name} is no longer answered`);
  return [
    ...excluded.map((who) => `${name} may no longer be called by ${who}.`),
    ...lost(is.demands, was.demands).map((demand) => `${name} needs ${demand} now.`),
    ...lost(was.headers, is.headers).map((header) => `${name} has lost the header ${header}.`),
    ...compare('sent', `the path of ${name}`, { was: was.params, is: is.params }),
    ...compare('sent', `the query of ${name}`, { was: was.query, is: is.query }),
    ...(was.body && is.body ? compare('sent', `the body of ${name}`, { was: was.body, is: is.body }) : []),
    ...(was.body && !is.body ? [`${name} no longer takes a body.`] : []),
    ...(is.body && !is.mayOmitBody && (!was.body || was.mayOmitBody) ? [`${name} needs a body now.`] : []),
    ...answers.gone,
    ...lost(Object.keys(is.answers), Object.keys(was.answers)).map(
      (status) => `${name} may answer ${status} now, which earlier callers do not know.`,
    ),
    ...answers.both.flatMap(([status, { was: before, is: after }]) => {
      if (before && after) return compare('answered', `the answer ${status} of ${name}`, { was: before, is: after });
      return before ? [`The answer ${status} of ${name} has lost its body.`] : [];
    }),
  ];
}

/**
 * Lists index changes that break a release. MongoDB rejects an index whose name or keys another index has, so one of the releases
 * would never become ready.
 */
function findIndexBreaks(collection: string, { was, is }: Versions<Collection>): string[] {
  return Object.entries(was.indexes).flatMap(([name, before]) => {
    const after = is.indexes[name];
    if (after && !isDeepStrictEqual(before, after))
      return [`The index ${name} of ${collection} has other keys or options: give the new one another name.`];
    const renamed = Object.entries(is.indexes).find(([, each]) => isDeepStrictEqual(each.key, before.key));
    if (after || !renamed) return [];
    return [`The index ${name} of ${collection} is named ${renamed[0]} now: the last release cannot start beside it.`];
  });
}
