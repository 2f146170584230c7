import type { Caller } from './call.ts';
import type { Answer, CallOptions, Input, PagedName } from './call-types.ts';

export type Pages = <N extends PagedName>(
  name: N,
  input?: Input<N>,
  options?: CallOptions,
) => AsyncGenerator<Answer<N>, void, undefined>;

/** Returns the cursor for the next page from the `Link` header [RFC 8288], or null on the last page. */
function nextCursor(link: string | null): string | null {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g))
    if (/;\s*rel="?next"?/i.test(parameters)) return new URLSearchParams(target.split('?')[1]).get('cursor');
  return null;
}

/** Creates a function that fetches a list page by page. Each page is fetched only when the caller asks for it. */
export const createPageReader = (ask: Caller): Pages =>
  async function* pages(name, input, options) {
    let cursor: string | null = null;
    do {
      const query = { ...input, ...(cursor !== null && { cursor }) } as Input<typeof name>;
      const { body, headers } = await ask(name, query, options);
      yield body;
      cursor = nextCursor(headers.get('link'));
    } while (cursor !== null);
  };
