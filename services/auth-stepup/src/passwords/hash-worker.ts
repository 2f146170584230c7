import { compareSync, hashSync } from 'bcryptjs';

export type HashTask = { kind: 'hash'; text: string; cost: number } | { kind: 'compare'; text: string; hash: string };

// oxlint-disable-next-line import/no-default-export -- piscina calls a worker's default export
export default (task: HashTask): string | boolean =>
  task.kind === 'hash' ? hashSync(task.text, task.cost) : compareSync(task.text, task.hash);
