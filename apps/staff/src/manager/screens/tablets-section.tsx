import type { Answer, Client } from '@comanda/client/core';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useEffect, useState } from 'preact/hooks';
import { askKeptStorage, checkKeptStorage, keptStorage } from '../../device/kept-storage.ts';
import { onDevice, type KeptTablet } from '../../on-device.ts';
import { makeRoom } from '../../tablet/next-person.ts';
import { Failure } from '../failure.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerFailureWords, managerMessages } from '../messages.ts';
import './tablets-section.css';

type Tablet = Answer<'listTablets'>[number];
type SectionProps = { client: Client; session: ManagerSession };

/** Lists the shared tablets, on which waiters sign in with a four-digit PIN. This device can be registered as one. */
export function TabletsSection({ client, session }: SectionProps) {
  const words = managerMessages().tablets;
  const [tablets, setTablets] = useState<readonly Tablet[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [own, setOwn] = useState<KeptTablet | null>(onDevice.tablet.get);
  useEffect(() => {
    const take = (read: readonly Tablet[]): void =>
      setTablets((known) => {
        // A tablet may have been registered on this page while the list was loading.
        const later = (known ?? []).filter(({ id }) => read.every((each) => each.id !== id));
        return [...later, ...read];
      });
    client.calls.listTablets().then(take, setFailure);
  }, [client]);
  useEffect(() => void checkKeptStorage(), []);
  const keep = (kept: KeptTablet | null): void => {
    onDevice.tablet.write(kept);
    setOwn(kept);
  };
  const isOwn = ({ id }: Tablet): boolean => own?.credential.startsWith(`${id}.`) ?? false;
  return (
    <section class="stack gap-4">
      <h2 class="manager-subtitle">{words.title}</h2>
      <p class="dim">{words.hint}</p>
      <Failure of={failure} />
      {own ? (
        <div class="manager-ask" role="status">
          <p>{words.isOne(own.name)}</p>
          {keptStorage.value === 'may_go' && <p class="manager-warning">{words.mayBeForgotten}</p>}
          <Button kind="primary" size="small" onClick={() => void makeRoom(client)}>
            {words.showNames}
          </Button>
        </div>
      ) : (
        <RegisterTablet
          session={session}
          onRegistered={({ tablet, tablet_credential: credential }) => {
            setTablets((known) => [tablet, ...(known ?? []).filter(({ id }) => id !== tablet.id)]);
            keep({ credential, name: tablet.name });
            void askKeptStorage();
          }}
        />
      )}
      {tablets && tablets.length > 0 && (
        <ul class="tablets-list">
          {tablets.map((tablet) => (
            <li key={tablet.id}>
              <TabletCard
                client={client}
                tablet={tablet}
                isOwn={isOwn(tablet)}
                onRemoved={() => {
                  setTablets((known) => (known ?? []).filter(({ id }) => id !== tablet.id));
                  if (isOwn(tablet)) keep(null);
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type RegisterProps = Pick<SectionProps, 'session'> & { onRegistered: (registered: Answer<'registerTablet'>) => void };
function RegisterTablet({ session, onRegistered }: RegisterProps) {
  const words = managerMessages().tablets;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const register = (): void =>
    void run(async () => {
      const chosen = { name: name.trim() };
      const purpose = (): string => managerMessages().tablets.purpose(chosen.name);
      onRegistered(await session.consent.run({ call: 'registerTablet', input: chosen, purpose }));
    });
  return (
    <Form class="manager-form" label={words.register} onSubmit={register}>
      <Field
        label={words.name}
        hint={words.nameHint}
        required
        autocomplete="off"
        maxLength={60}
        value={name}
        onInput={setName}
      />
      <Failure of={failure} />
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {words.register}
      </Button>
    </Form>
  );
}

type TabletCardProps = { client: Client; tablet: Tablet; isOwn: boolean; onRemoved: () => void };
/** One tablet in the list, with a button that removes it after a question. */
function TabletCard({ client, tablet, isOwn, onRemoved }: TabletCardProps) {
  const words = managerMessages().tablets;
  const { id, name, registered_at: registeredAt, registered_by: by, last_used_at: usedAt, last_used_by: user } = tablet;
  const remove = async (): Promise<void> => {
    await client.calls.revokeTablet({ id });
    onRemoved();
  };
  return (
    <article class="card stack gap-3 tablet-card" aria-label={name}>
      <div>
        <h3>{name}</h3>
        {isOwn && <p class="manager-notice">{words.own}</p>}
        <p>{usedAt === null || user === null ? words.unused : words.used(dayAndTime(usedAt), user.name)}</p>
        <p class="dim">{words.registeredBy(dayAndTime(registeredAt), by.name)}</p>
      </div>
      <AskInPlace
        opener={{ size: 'small', 'aria-label': words.removeOf(name), children: words.remove }}
        question={words.removeAsk(name)}
        yes={words.remove}
        no={words.keep}
        kind="danger"
        wordsOf={managerFailureWords}
        onYes={remove}
      >
        <p>{words.removeHint}</p>
      </AskInPlace>
    </article>
  );
}

const dayAndTime = (at: string): string => `${formatDay(at)}, ${formatTime(at)}`;
