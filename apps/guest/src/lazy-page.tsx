import { Lazy, type LazyProps } from '@comanda/ui/lazy.tsx';
import { BackLink } from './back-link.tsx';
import { messages } from './messages.ts';

/** Like `Lazy`, for a whole page: with a way back until it is loaded. */
export function LazyPage<M>(props: LazyProps<M>) {
  if (props.module.loaded.value !== null) return <Lazy {...props} />;
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
      </header>
      <main class="page-main">
        <h1 class="visually-hidden" tabIndex={-1}>
          {messages().menu}
        </h1>
        <Lazy {...props} />
      </main>
    </div>
  );
}
