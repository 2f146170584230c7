import type { ComponentChildren } from 'preact';
import './bar-table.css';

export type Bar = {
  key: string;
  name: ComponentChildren;
  more?: ComponentChildren;
  value: ComponentChildren;
  /** The bar's length, from 0 to 1. */
  share: number;
};

type BarTableProps = { title: string; names: string; values: string; bars: readonly Bar[] };

/** A table whose rows have bars: a chart that screen readers read as a table. */
export const BarTable = ({ title, names, values, bars }: BarTableProps) => (
  <table class="bar-table" aria-label={title}>
    <thead>
      <tr class="visually-hidden">
        <th scope="col">{names}</th>
        <th scope="col">{values}</th>
      </tr>
    </thead>
    <tbody>
      {bars.map(({ key, name, more, value, share }) => (
        <tr key={key}>
          <th scope="row">
            {name}
            {more !== undefined && <span class="bar-table-more">{more}</span>}
            <span class="bar" style={{ width: `${(share * 100).toFixed(1)}%` }} />
          </th>
          <td>{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
