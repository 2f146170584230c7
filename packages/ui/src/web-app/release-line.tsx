import { useEffect } from 'preact/hooks';
import { formatTime } from '../format.ts';
import { uiMessages } from '../messages.ts';
import type { Release } from './release.ts';
import './release-line.css';

const shownForMs = 60_000;

/** Tells the user that the page was reloaded for a new release. Disappears at the next touch or key press, or after a minute. */
export function ReleaseLine({ release }: { release: Pick<Release, 'takenAtMs' | 'dismiss'> }) {
  const atMs = release.takenAtMs.value;
  useEffect(() => {
    if (atMs === null) return undefined;
    const timer = setTimeout(release.dismiss, shownForMs);
    addEventListener('pointerdown', release.dismiss);
    addEventListener('keydown', release.dismiss);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', release.dismiss);
      removeEventListener('keydown', release.dismiss);
    };
  }, [atMs, release]);
  return (
    <p class={atMs === null ? 'visually-hidden' : 'release-line'} role="status">
      {atMs !== null && uiMessages().newVersionSince(formatTime(atMs))}
    </p>
  );
}
