import { compareSync, hashSync } from 'bcryptjs';

/** bcrypt's cost: 2^12 rounds. */
const cost = 12;

export type HashTask = { kind: 'hash'; text: string } | { kind: 'compare'; text: string; hash: string };

// oxlint-disable-next-line import/no-default-export -- piscina calls a worker's default export
export default (task: HashTask): string | boolean =>
  task.kind === 'hash' ? hashSync(task.text, cost) : compareSync(task.text, task.hash);
