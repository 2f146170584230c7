import type { Client } from '@comanda/client/core';
import './page.css';
import './manager-screen.css';
import { useEffect, useState } from 'preact/hooks';
import { formatDate, formatTime } from '@comanda/ui/format.ts';
import { ThemeButton } from '@comanda/ui/settings-buttons.tsx';
import { AppMenu } from '../app-menu/app-menu.tsx';
import { messages } from '../messages.ts';
import { FeedLine } from '../feed/feed-line.tsx';
import { LazyPart, type ScreenProps } from '../lazy-screen.tsx';
import { AuditPage } from './audit-page.tsx';
import { BillsPage } from './bills/bills-page.tsx';
import { ExceptionsPage } from './bills/exceptions-page.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { EveningPage } from './evening-page.tsx';
import { DepositsPage } from './deposits-page.tsx';
import { openManagerSession, type ManagerSession } from './manager-session.ts';
import { MenuPage } from './menu-page.tsx';
import { managerMessages } from './messages.ts';
import { OrderingPage } from './ordering-page.tsx';
import { PeoplePage } from './people-page.tsx';
import { QrSheet } from './qr-sheet.tsx';
import { ScreensPage } from './screens-page.tsx';
import { SettingsPage } from './settings/settings-page.tsx';
import { TablesPage } from './tables-page.tsx';

const pages = [
  'evening',
  'bills',
  'menu',
  'tables',
  'people',
  'restaurant',
  'deposits',
  'ordering',
  'screens',
  'audit',
] as const;
type PageName = (typeof pages)[number];
/** The pages that few managers open load their scripts when someone opens them. */
const loadMenuFile = () => import('./menu-file/menu-file-page.tsx').then(({ MenuFilePage }) => MenuFilePage);
const isPage = (name: string | undefined): name is PageName => pages.includes(name as PageName);

/**
 * The managers' screen, with a page each for the evening, the bills, the menu, tables, people, the restaurant, deposits, ordering, screens and
 * the audit.
 */
export function ManagerScreen({ client, path }: ScreenProps) {
  const words = managerMessages();
  const [session, setSession] = useState<ManagerSession | null>(null);
  useEffect(() => {
    const opened = openManagerSession(client);
    setSession(opened);
    return opened.close;
  }, [client]);
  useEffect(() => {
    document.title = `Comanda · ${words.title}`;
  }, [words]);
  if (client.who()?.role !== 'manager')
    return (
      <main class="sign-in">
        <p role="alert">{words.managersOnly}</p>
        <a href="#/board">{words.toBoard}</a>
      </main>
    );
  return session && <Manager client={client} path={path} session={session} />;
}

type ManagerProps = Pick<ScreenProps, 'client' | 'path'> & { session: ManagerSession };

function Manager({ client, path, session }: ManagerProps) {
  const words = managerMessages();
  const [, named, ...rest] = path.split('/');
  const page: PageName = isPage(named) ? named : 'evening';
  useEffect(() => {
    scrollTo(0, 0);
    // Scrolls the current page's link into view: on a phone, the list of links is wider than the screen.
    document.querySelector('.manager-side [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [page]);
  const props = { client, session };
  return (
    <>
      {/* The sheet comes first in the markup, because on paper it hides everything after it. */}
      <QrSheet session={session} />
      <div class="manager">
        <header class="manager-side">
          <p class="manager-brand">Comanda</p>
          <nav aria-label={words.nav.label}>
            {pages.map((each) => (
              <a key={each} href={`#/manager/${each}`} aria-current={each === page ? 'page' : undefined}>
                {words.nav[each === 'people' ? 'users' : each]}
              </a>
            ))}
          </nav>
          <div class="manager-foot">
            <FeedLine state={session.feedState.value} hint={words.notLiveHint} />
            <Foot {...props} />
          </div>
          <div class="manager-tools">
            <ThemeButton />
            <AppMenu client={client} screen="manager" />
          </div>
        </header>
        <main class="manager-main">
          {page === 'evening' && <EveningPage {...props} />}
          {page === 'bills' && <BillsPage client={client} query={rest[0] ?? ''} />}
          {page === 'menu' && rest[0] === 'file' && <LazyPart load={loadMenuFile} session={session} />}
          {page === 'menu' && rest[0] !== 'file' && <MenuPage {...props} chosen={rest[0]} />}
          {page === 'tables' && <TablesPage {...props} />}
          {page === 'people' && <PeoplePage {...props} />}
          {page === 'restaurant' && <SettingsPage {...props} />}
          {page === 'deposits' && <DepositsPage {...props} />}
          {page === 'ordering' && <OrderingPage {...props} />}
          {page === 'screens' && <ScreensPage {...props} />}
          {page === 'audit' && (rest[0] === 'exceptions' ? <ExceptionsPage {...props} /> : <AuditPage {...props} />)}
        </main>
        <ConsentDialog client={client} consent={session.consent} />
      </div>
    </>
  );
}

function Foot({ client, session }: { client: Client; session: ManagerSession }) {
  const who = client.who();
  return (
    <p class="manager-who">
      {who && `${who.name}, ${messages().roles[who.role]}`}
      <br />
      {formatDate(session.now.value)}, {formatTime(session.now.value)}
    </p>
  );
}
