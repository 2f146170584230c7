import type { Client } from '@comanda/client/core';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { classNames } from '@comanda/ui/class-names.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { useEffect, useState } from 'preact/hooks';
import { dishesWith } from '../../menu/option-use.ts';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { ruleText } from '../rule-text.ts';
import { GroupForm } from './group-form.tsx';
import { optionMessages } from './messages.ts';
import './options-page.css';
import { listAddress } from './use-group-form.ts';

export type OptionsPageProps = { client: Client; session: ManagerSession; chosen: string | undefined };

/** All option groups, with the form for the selected one. */
export function OptionsPage({ client, session, chosen }: OptionsPageProps) {
  const words = optionMessages();
  const { groups: known, failure, load } = session.options;
  const [search, setSearch] = useState('');
  useEffect(load, [load]);
  const groups = known.value ?? [];
  const dishes = session.menu.dishes.value ?? [];
  const found = groups.filter(({ name, options }) =>
    matches([name, ...options.map((option) => option.name)].join(' '), search),
  );
  const group = groups.find(({ id }) => String(id) === chosen) ?? null;
  return (
    <div class={classNames('menu-page', chosen !== undefined && 'menu-page-chosen')}>
      <div class="manager-head">
        <h1>{words.title}</h1>
        <p>{known.value && words.summary(groups.length)}</p>
        {groups.length > 5 && (
          <input
            class="field-input manager-search"
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <a class="button button-secondary button-small" href="#/manager/menu">
          {words.toMenu}
        </a>
        <a class="button button-primary button-small" href={`${listAddress}/new`}>
          {words.add}
        </a>
      </div>
      <div class="column gap-2 menu-list">
        <p role="status" class="manager-notice">
          {session.saved.value !== '' && managerMessages().dish.savedIt(session.saved.value)}
        </p>
        <Failure of={failure.value} onRetry={load} />
        {known.value === null && failure.value === null && <LoadingRows />}
        {known.value && groups.length === 0 && chosen === undefined && (
          <p class="menu-panel-empty">
            <strong>{words.empty}</strong>
            <br />
            {words.emptyHint}
          </p>
        )}
        {groups.length > 0 && found.length === 0 && <p>{words.nothingFound}</p>}
        <ul class="stack">
          {found.map((each) => (
            <GroupRow
              key={each.id}
              group={each}
              isChosen={each === group}
              isTyped={session.options.typed.value.has(String(each.id))}
              uses={dishesWith(each.id, { dishes, groups }).length}
            />
          ))}
        </ul>
      </div>
      {chosen !== undefined && (
        <aside class="menu-panel">
          {group !== null || chosen === 'new' ? (
            <GroupForm key={chosen} {...{ client, session, group }} formKey={chosen} />
          ) : (
            known.value && <p class="menu-panel-empty">{words.gone}</p>
          )}
        </aside>
      )}
    </div>
  );
}

type RowProps = { group: OptionGroup; isChosen: boolean; isTyped: boolean; uses: number };

function GroupRow({ group, isChosen, isTyped, uses }: RowProps) {
  const words = optionMessages();
  const soldOut = group.options.filter(({ available }) => !available).length;
  const unstated = group.options.filter(({ allergens, item_id: dish }) => allergens === null && dish === null).length;
  return (
    <li class={classNames('group-row', isChosen && 'menu-row-chosen')}>
      <a class="menu-row-name" href={`${listAddress}/${group.id}`}>
        <span class="visually-hidden">{managerMessages().menu.edit}</span> <bdi>{group.name}</bdi>
      </a>
      <p class="group-row-options">{group.options.map(({ name }) => name).join(' · ')}</p>
      <p class="dim">
        {[ruleText(group.min, group.max), uses === 0 ? words.unused : words.inDishes(uses)].join(' · ')}
      </p>
      <p class="manager-warning">
        {[
          soldOut > 0 && words.soldOut(soldOut),
          unstated > 0 && words.unstated(unstated),
          isTyped && managerMessages().menu.notSaved,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}
