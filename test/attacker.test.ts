import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { stolenTokens } from './attacker/stolen-tokens.ts';
import { staff } from './attacker/staff.ts';
import { guests } from './attacker/guests.ts';
import { serverAccess } from './attacker/server-access.ts';
import { processes } from './attacker/processes.ts';
import { startTarget, type Attackers, type Target } from './attacker/target.ts';

// Tests the table "What an attacker gets" in docs/security.md, on one stack. Each title is the text of one of its cells. The files in
// the folder `attacker` have the rows of the table, in its order.

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target?.close());

const attackers: Attackers = { ...stolenTokens, ...staff, ...guests, ...serverAccess, ...processes };

describe.each(Object.keys(attackers))('attacker: %s', (attacker) => {
  test.each(Object.entries(attackers[attacker] ?? {}))('%s', (_cell, check) => check(target));
});
