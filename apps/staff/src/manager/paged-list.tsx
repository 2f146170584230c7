import type { ComponentChildren } from 'preact';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { Failure } from './failure.tsx';
import { MoreButton } from './more-button.tsx';
import type { Paged } from './use-pages.ts';

type PagedListProps<T> = {
  list: Paged<T>;
  /** Shown if the list is empty. */
  empty: string;
  children: (items: readonly T[]) => ComponentChildren;
};

/** Shows a list that is loaded page by page, and the button that loads the next page. */
export function PagedList<T>({ list, empty, children }: PagedListProps<T>) {
  const { items, isBusy, failure, hasMore } = list;
  const isEmpty = items.length === 0;
  return (
    <>
      <Failure of={failure} onRetry={list.reload} />
      {isBusy && isEmpty && <LoadingRows />}
      <p role="status" class="dim">
        {!isBusy && failure === null && isEmpty && empty}
      </p>
      {!isEmpty && children(items)}
      {hasMore && !(isBusy && isEmpty) && <MoreButton list={list} />}
    </>
  );
}
