import { messages } from '../messages.ts';
import { Legend } from '../shift/legend.tsx';
import { Drawer } from './drawer.tsx';

export const LegendDrawer = ({ onClose }: { onClose: () => void }) => (
  <Drawer title={messages().legendTitle} onClose={onClose}>
    <Legend />
  </Drawer>
);
