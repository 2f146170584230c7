import './receipt-page.css';

type FactProps = { name: string; value: string };

/** One line of a receipt: a name and its value. */
export const Fact = ({ name, value }: FactProps) => (
  <div class="wrap receipt-fact">
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
