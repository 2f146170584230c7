import type { Client } from '@comanda/client/core';
import './page.css';
import './manager-screen.css';
import { useEffect, useState } from 'preact/hooks';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatDate, formatTime } from '@comanda/ui/format.ts';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { ThemeButton } from '@comanda/ui/settings-buttons.tsx';
import { AppMenu } from '../app-menu/app-menu.tsx';
import { messages } from '../messages.ts';
import { FeedLine } from '../feed/feed-line.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { AuditPage } from './audit/audit-page.tsx';
import { BillsPage } from './bills/bills-page.tsx';
import { ExceptionsPage } from './bills/exceptions-page.tsx';
import { ReceiptSheet } from './bills/receipt-sheet.tsx';
import { ConsentDialog } from './consent/consent-dialog.tsx';
import { DepositsPage } from './deposits/deposits-page.tsx';
import { openManagerSession, type ManagerSession } from './manager-session.ts';
import { MenuPage } from './dishes/menu-page.tsx';
import { managerMessages } from './messages.ts';
import { Paper } from './paper.tsx';
import { OrderingPage } from './day/ordering-page.tsx';
import { PeoplePage } from './people/people-page.tsx';
import { useUnmatchedPix } from './pix/use-unmatched-pix.ts';
import { QrSheet } from './tables/qr-sheet.tsx';
import { ScreensPage } from './screens/screens-page.tsx';
import { SettingsPage } from './settings/settings-page.tsx';
import { TablesPage } from './tables/tables-page.tsx';
import { TodayPage } from './today/today-page.tsx';

/** On a phone, these pages have a link in the bar. The others are behind "More". */
const firstPages = ['today', 'bills', 'cash', 'menu'] as const;
const latePages = ['tables', 'people', 'restaurant', 'pix', 'deposits', 'ordering', 'screens', 'audit'] as const;
const pages = [...firstPages, ...latePages];
type PageName = (typeof pages)[number];
/** The pages that few managers open load their scripts when someone opens them. */
const scripts = {
  menuFile: lazyModule(() => import('./menu-file/menu-file-page.tsx')),
  days: lazyModule(() => import('./today/days-page.tsx')),
  day: lazyModule(() => import('./closing/day-page.tsx')),
  closing: lazyModule(() => import('./closing/closing-page.tsx')),
  cash: lazyModule(() => import('./cash/cash-page.tsx')),
  pix: lazyModule(() => import('./pix/pix-page.tsx')),
  options: lazyModule(() => import('./options/options-page.tsx')),
};
const isPage = (name: string | undefined): name is PageName => pages.some((page) => page === name);

/** The managers' screen, with a page for each of `pages`. */
export function ManagerScreen({ client, path }: Omit<ScreenProps, 'unsent'>) {
  const words = managerMessages();
  const [session, setSession] = useState<ManagerSession | null>(null);
  useEffect(() => {
    const opened = openManagerSession(client);
    setSession(opened);
    return opened.close;
  }, [client]);
  useEffect(() => {
    document.title = `Comanda · ${managerMessages().nav.label}`;
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
  const page: PageName = isPage(named) ? named : 'today';
  useEffect(() => scrollTo(0, 0), [page]);
  const props = { client, session };
  /** True if a form is beside the list of dishes or options, which needs the whole width. */
  const isBesideList = page === 'menu' && rest[rest[0] === 'options' ? 1 : 0] !== undefined && rest[0] !== 'file';
  return (
    <>
      {/* The sheets come first in the markup, because on paper they hide everything after them. */}
      <ReceiptSheet session={session} />
      <QrSheet session={session} />
      <Paper />
      <div class="column manager">
        <header class="row wrap manager-side">
          <p class="manager-brand">Comanda</p>
          <Links page={page} client={client} />
          <div class="manager-foot">
            <FeedLine state={session.feedState.value} hint={words.notLiveHint} />
            <Foot {...props} />
          </div>
          <div class="manager-tools">
            <ThemeButton />
            <AppMenu client={client} screen="manager" />
          </div>
        </header>
        <main
          class={classNames('column gap-3 manager-main', (page === 'today' || isBesideList) && 'manager-main-wide')}
        >
          {page === 'today' && <DayPages {...props} named={rest[0]} view={rest[1]} />}
          {page === 'cash' && (
            <Lazy module={scripts.cash}>{({ CashPage }) => <CashPage {...props} chosen={rest[0]} />}</Lazy>
          )}
          {page === 'bills' && <BillsPage {...props} query={rest[0] ?? ''} />}
          {page === 'menu' && rest[0] === 'file' && (
            <Lazy module={scripts.menuFile}>{({ MenuFilePage }) => <MenuFilePage session={session} />}</Lazy>
          )}
          {page === 'menu' && rest[0] === 'options' && (
            <Lazy module={scripts.options}>{({ OptionsPage }) => <OptionsPage {...props} chosen={rest[1]} />}</Lazy>
          )}
          {page === 'menu' && rest[0] !== 'file' && rest[0] !== 'options' && <MenuPage {...props} chosen={rest[0]} />}
          {page === 'tables' && <TablesPage {...props} />}
          {page === 'people' && <PeoplePage {...props} />}
          {page === 'restaurant' && <SettingsPage {...props} />}
          {page === 'pix' && (
            <Lazy module={scripts.pix}>{({ PixPage }) => <PixPage key={rest.join('/')} {...props} of={rest} />}</Lazy>
          )}
          {page === 'deposits' && <DepositsPage {...props} />}
          {page === 'ordering' && <OrderingPage {...props} />}
          {page === 'screens' && <ScreensPage {...props} />}
          {page === 'audit' &&
            (rest[0] === 'exceptions' ? <ExceptionsPage {...props} query={rest[1] ?? ''} /> : <AuditPage {...props} />)}
        </main>
        <ConsentDialog client={client} consent={session.consent} />
      </div>
    </>
  );
}

type DayPagesProps = { client: Client; session: ManagerSession; named: string | undefined; view: string | undefined };

/** Today, its closing, the list of past days, or a closed day by its number. */
function DayPages({ named = '', view, ...props }: DayPagesProps) {
  if (named === 'close') return <Lazy module={scripts.closing}>{({ ClosingPage }) => <ClosingPage {...props} />}</Lazy>;
  if (named === 'days') return <Lazy module={scripts.days}>{({ DaysPage }) => <DaysPage {...props} />}</Lazy>;
  if (!/^[1-9]\d{0,8}$/.test(named)) return <TodayPage {...props} />;
  // Another day is another page.
  const shown = view === 'charts' ? 'charts' : 'report';
  return (
    <Lazy module={scripts.day}>
      {({ DayPage }) => <DayPage key={named} {...props} number={Number(named)} view={shown} />}
    </Lazy>
  );
}

/** The links to the pages. On a narrow screen, all but the first ones appear after a tap on "More". */
function Links({ page, client }: { page: PageName; client: Client }) {
  const words = managerMessages().nav;
  const unmatched = useUnmatchedPix(client);
  const count = unmatched ? ` · ${unmatched}` : '';
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [page]);
  const nameOf = (each: PageName): string => words[each === 'people' ? 'users' : each];
  const link = (each: PageName) => (
    <a key={each} href={`#/manager/${each}`} aria-current={each === page ? 'page' : undefined}>
      {nameOf(each)}
      {each === 'pix' && count}
    </a>
  );
  const isLate = latePages.some((late) => late === page);
  return (
    <nav aria-label={words.label} class={classNames(isOpen && 'manager-links-all')}>
      {firstPages.map(link)}
      <button
        type="button"
        class={classNames('manager-more', isLate && 'manager-more-current')}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words.more}
        {count} <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
      </button>
      <div class="manager-links-late">{latePages.filter((each) => each !== 'pix' || unmatched !== null).map(link)}</div>
    </nav>
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
