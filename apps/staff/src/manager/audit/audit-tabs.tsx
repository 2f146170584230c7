import { classNames } from '@comanda/ui/class-names.ts';
import { managerMessages } from '../messages.ts';

const tabs = { changes: '#/manager/audit', exceptions: '#/manager/audit/exceptions' } as const;
type Tab = keyof typeof tabs;

/** Leads from the changes of people and tables to what was removed from bills, and back. */
export function AuditTabs({ current }: { current: Tab }) {
  const words = managerMessages().audit;
  return (
    <nav class="manager-chips" aria-label={managerMessages().nav.audit}>
      {(Object.keys(tabs) as Tab[]).map((tab) => (
        <a
          key={tab}
          href={tabs[tab]}
          class={classNames('chip', tab === current && 'chip-on')}
          aria-current={tab === current ? 'page' : undefined}
        >
          {words.tabs[tab]}
        </a>
      ))}
    </nav>
  );
}
