import type { Answer, Client } from '@comanda/client/core';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { isolated } from '@comanda/ui/isolated.ts';
import { AuditTabs } from './audit-tabs.tsx';
import { managerMessages } from '../messages.ts';
import { PagedList } from '../paged-list.tsx';
import { usePages } from '../use-pages.ts';
import { useUsers } from '../people/use-users.ts';
import { messages } from '../../messages.ts';

const pageSize = 50;
type Entry = Answer<'auditTrail'>[number];

/** Shows who changed users, tables and keys, newest first. */
export function AuditPage({ client }: { client: Client }) {
  const words = managerMessages().audit;
  const entries = usePages<Entry>(() => client.pages('auditTrail', { limit: pageSize }), pageSize);
  const names = new Map(useUsers(client).map(({ id, name }) => [id, name]));
  const nameOf = (id: number): string => {
    const name = names.get(id);
    return name === undefined ? words.user(id) : `${isolated(name)} (${words.user(id)})`;
  };
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().nav.audit}</h1>
        <p>{words.hint}</p>
      </div>
      <AuditTabs current="changes" />
      <PagedList list={entries} empty={words.empty}>
        {(items) => <EntryTable entries={items} nameOf={nameOf} />}
      </PagedList>
    </>
  );
}

type EntryTableProps = { entries: readonly Entry[]; nameOf: (userId: number) => string };

function EntryTable({ entries, nameOf }: EntryTableProps) {
  const words = managerMessages().audit;
  return (
    <div class="manager-scroll" tabIndex={0} role="region" aria-label={managerMessages().nav.audit}>
      <table class="manager-table manager-rows">
        <thead>
          <tr>
            <th scope="col">{words.time}</th>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.from}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                {formatDay(entry.time)}, {formatTime(entry.time)}
              </td>
              <td>{textOf(entry, nameOf)}</td>
              <td>{entry.actor.id === null ? words.operator : nameOf(entry.actor.id)}</td>
              <td>{entry.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function textOf({ type, user_id: userId, details }: Entry, nameOf: (id: number) => string): string {
  const { audit } = managerMessages();
  const { role, previous_role: previous, table, tablet, kid, reason } = details;
  const parts = [
    audit.types[type] ?? type,
    table,
    tablet,
    kid,
    reason,
    userId !== null && nameOf(userId),
    role && (previous ? `${messages().roles[previous]} → ${messages().roles[role]}` : messages().roles[role]),
  ];
  return parts.filter(Boolean).join(' · ');
}
