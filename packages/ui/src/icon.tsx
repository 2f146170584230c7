/** SVG paths of the icons, drawn in a square of 24 × 24 with lines of width 2. */
const paths = {
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10 20.500h4M12 5V3',
  check: 'M5 12.500l4.5 4.500L19 7',
  chevron: 'M9 5l7 7-7 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  filter: 'M4 7h16M7 12h10M10 17h4',
  flame: 'M12 3c1 3 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-2-1-5 1-9Z',
  kitchenScreen: 'M4 5h16v11H4zM9 20h6M12 16v4M9 10.500l2 2 4-4',
  minus: 'M5 12h14',
  noNetwork:
    'M4 4l16 16M3 10a13 13 0 0 1 3.5-2.300M21 10a13 13 0 0 0-9-3.800M6.5 13.500A8 8 0 0 1 10 11.600M17.5 13.500a8 8 0 0 0-2-1.300M12 18.500h.01M9.5 16.300a4 4 0 0 1 4 0',
  pause: 'M8 5v14M16 5v14',
  plus: 'M12 5v14M5 12h14',
  receipt: 'M6 3h12v18l-2.4-1.700L13.2 21 12 19.6 10.8 21l-2.4-1.700L6 21ZM9.5 8h5M9.5 12h5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5',
  shield:
    'M12 3l7.500 3v5.500c0 4.500-3 7.800-7.500 9.500-4.500-1.700-7.500-5-7.500-9.500V6ZM8.800 12l2.300 2.300 4.200-4.300',
  soundOn: 'M4 10v4h3l5 4V6L7 10ZM15.5 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11',
  soundOff: 'M4 10v4h3l5 4V6L7 10ZM16 10l5 5M21 10l-5 5',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3',
  wallet: 'M4 7h15v13H4zM4 7l11-3v3M15.500 12.500H21v3h-5.500z',
  waiter: 'M4 18h16M6 15a6 6 0 0 1 12 0ZM12 9V6.500M10.5 6.500h3',
  warning: 'M12 4l9.5 16h-19ZM12 10v4.500M12 17.300h.01',
} as const;
export type IconName = keyof typeof paths;

export type IconSize = { /** The icon's width and height, in px. The default is 24. */ size?: number | undefined };

/** Draws an icon. Screen readers ignore it. */
export const IconPath = ({ path, size = 24 }: IconSize & { path: string }) => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

/** An icon beside a text. `LateIcon` has those that no app needs for its first load. */
export const Icon = ({ name, size }: IconSize & { name: IconName }) => <IconPath path={paths[name]} size={size} />;
