/** SVG paths of the icons, drawn in a square of 24 × 24 with lines of width 2. */
const paths = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20c.6-3.4 3.4-5 7-5s6.4 1.6 7 5',
  arrowIn: 'M17 7L7 17M15 17H7V9',
  arrowOut: 'M7 17L17 7M9 7h8v8',
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10 20.500h4M12 5V3',
  check: 'M5 12.500l4.5 4.500L19 7',
  chevron: 'M9 5l7 7-7 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  eye: 'M2.500 12C5 7.500 8.300 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-5.800 6.500-9.500 6.500S5 16.500 2.500 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  eyeOff:
    'M4 4l16 16M6.300 7.300C4.800 8.500 3.500 10 2.500 12c2.500 4.500 5.800 6.500 9.500 6.500 1.800 0 3.400-.5 4.900-1.300M10 5.700c.6-.1 1.300-.2 2-.2 3.700 0 7 2 9.500 6.500-.6 1.100-1.300 2.100-2.100 3M10 10a3 3 0 0 0 4 4',
  filter: 'M4 7h16M7 12h10M10 17h4',
  flame: 'M12 3c1 3 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-2-1-5 1-9Z',
  kitchenScreen: 'M4 5h16v11H4zM9 20h6M12 16v4M9 10.500l2 2 4-4',
  language: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  minus: 'M5 12h14',
  moon: 'M20 14.500A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.500Z',
  noNetwork:
    'M4 4l16 16M3 10a13 13 0 0 1 3.5-2.300M21 10a13 13 0 0 0-9-3.800M6.5 13.500A8 8 0 0 1 10 11.600M17.5 13.500a8 8 0 0 0-2-1.300M12 18.500h.01M9.5 16.300a4 4 0 0 1 4 0',
  pause: 'M8 5v14M16 5v14',
  pencil: 'M4 20l1-4L16 5l3 3L8 19l-4 1ZM14 7l3 3',
  plus: 'M12 5v14M5 12h14',
  receipt: 'M6 3h12v18l-2.4-1.700L13.2 21 12 19.6 10.8 21l-2.4-1.700L6 21ZM9.5 8h5M9.5 12h5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5',
  shield:
    'M12 3l7.500 3v5.500c0 4.500-3 7.800-7.500 9.500-4.500-1.700-7.500-5-7.500-9.500V6ZM8.800 12l2.300 2.300 4.200-4.300',
  signOut: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  soundOn: 'M4 10v4h3l5 4V6L7 10ZM15.5 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11',
  soundOff: 'M4 10v4h3l5 4V6L7 10ZM16 10l5 5M21 10l-5 5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M18.7 5.300l-1.4 1.400M6.7 17.300l-1.4 1.4',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3',
  wallet: 'M4 7h15v13H4zM4 7l11-3v3M15.500 12.500H21v3h-5.500z',
  waiter: 'M4 18h16M6 15a6 6 0 0 1 12 0ZM12 9V6.500M10.5 6.500h3',
  warning: 'M12 4l9.5 16h-19ZM12 10v4.500M12 17.300h.01',
} as const;
export type IconName = keyof typeof paths;

type IconProps = { name: IconName; /** The icon's width and height, in px. The default is 24. */ size?: number };

/** An icon beside a text. Screen readers ignore the icon. */
export const Icon = ({ name, size = 24 }: IconProps) => (
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
    <path d={paths[name]} />
  </svg>
);
