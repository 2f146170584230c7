import { IconPath, type IconSize } from './icon.tsx';

const paths = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20c.6-3.4 3.4-5 7-5s6.4 1.6 7 5',
  arrowIn: 'M17 7L7 17M15 17H7V9',
  arrowOut: 'M7 17L17 7M9 7h8v8',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  eye: 'M2.500 12C5 7.500 8.300 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-5.800 6.500-9.500 6.500S5 16.500 2.500 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  eyeOff:
    'M4 4l16 16M6.300 7.300C4.800 8.500 3.500 10 2.500 12c2.500 4.500 5.800 6.500 9.500 6.500 1.800 0 3.400-.5 4.900-1.300M10 5.700c.6-.1 1.300-.2 2-.2 3.700 0 7 2 9.500 6.500-.6 1.100-1.300 2.100-2.100 3M10 10a3 3 0 0 0 4 4',
  language: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  moon: 'M20 14.500A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.500Z',
  pencil: 'M4 20l1-4L16 5l3 3L8 19l-4 1ZM14 7l3 3',
  signOut: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M18.7 5.300l-1.4 1.400M6.7 17.300l-1.4 1.4',
} as const;
export type LateIconName = keyof typeof paths;

/** Like `Icon`, with the icons that no app needs for its first load. */
export const LateIcon = ({ name, size }: IconSize & { name: LateIconName }) => (
  <IconPath path={paths[name]} size={size} />
);
