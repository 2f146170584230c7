import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { troubleWords } from '@comanda/ui/options/defect-words.ts';
import { OptionLines } from '@comanda/ui/options/option-lines.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { useState } from 'preact/hooks';
import { useGuest, useOrderSession, useRouter } from '../contexts.ts';
import type { InGuestLanguage } from '../in-guest-language.ts';
import { hasOptions } from '../menu/menu.ts';
import { maxRemarks, type Line } from './basket.ts';
import { ClashText } from './clash-text.tsx';
import { orderMessages } from './messages.ts';
import './review-page.css';

function TroubleText({ line }: { line: Line }) {
  const words = orderMessages();
  const { basket, menu } = useGuest();
  const { offer } = useOrderSession().options;
  const trouble = basket.troubleOf(line);
  const price = basket.priceOf(line);
  const money = (amount: string): string => formatMoney(amount, menu.currency.value);
  if (trouble?.kind === 'options') {
    const groups = offer.value?.groups ?? new Map<number, never>();
    const names = { groups, chosen: line.options ?? [], menuLanguage: menu.menuLanguage.value };
    return (
      <>
        {troubleWords(trouble, names).map((text) => (
          <p key={text} class="edge on-error-soft line-trouble">
            {text}
          </p>
        ))}
      </>
    );
  }
  if (trouble)
    return (
      <p class="edge on-error-soft line-trouble">
        {trouble.kind === 'too_many'
          ? words.lineTooMany(trouble.left)
          : trouble.kind === 'gone'
            ? words.lineGone
            : words.lineSoldOut}
      </p>
    );
  if (toMinor(price) === toMinor(line.seenPrice)) return null;
  return (
    <p class="remark" role="status">
      {words.priceChanged(money(line.seenPrice), money(price))}
    </p>
  );
}

function RemarkDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const words = orderMessages();
  const { setRemarks } = useGuest().basket;
  const [remarks, setText] = useState(line.remarks);
  const save = (): void => {
    setRemarks(line, remarks.trim());
    onClose();
  };
  return (
    <Dialog
      title={words.remarkFor(line.name)}
      isOpen
      onClose={onClose}
      footer={
        <Button kind="primary" size="large" onClick={save}>
          {words.done}
        </Button>
      }
    >
      <Field
        label={words.remarks}
        value={remarks}
        onInput={setText}
        maxLength={maxRemarks}
        rows={3}
        placeholder={words.remarksExample}
      />
    </Dialog>
  );
}

/** Moves the focus before this button's line is removed: to the next line, else to the previous one, else to the heading. */
function focusBeside(button: HTMLElement): void {
  const line = button.closest('li');
  const beside = line?.nextElementSibling ?? line?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>('.line-stepper button') ?? document.querySelector('h1');
  next?.focus();
}

/** The button to change the line's options and remarks, or its remarks if the dish has no options. */
function ChangeButton({ line, onRemark }: { line: InGuestLanguage<Line>; onRemark: () => void }) {
  const words = orderMessages();
  const { navigate } = useRouter();
  const dish = useGuest().menu.dishById.value.get(line.dishId);
  const mayChoose = dish !== undefined && (hasOptions(dish) || line.options !== undefined);
  return (
    <Button
      kind="quiet"
      size="small"
      icon={<LateIcon name="pencil" size={20} />}
      onClick={mayChoose ? () => navigate({ page: 'dish', id: line.dishId, line: line.id }) : onRemark}
    >
      {mayChoose ? words.changeDish : line.remarks === '' ? words.addRemark : words.changeRemark}
      <span class="visually-hidden" lang={line.lang}>
        , {line.name}
      </span>
    </Button>
  );
}

function LineTools({ line, mayAdd }: { line: InGuestLanguage<Line>; mayAdd: boolean }) {
  const words = orderMessages();
  const { announce, basket } = useGuest();
  const [isWriting, setIsWriting] = useState(false);
  const isLast = line.quantity === 1;
  return (
    <>
      <div class="row wrap line-tools">
        <ChangeButton line={line} onRemark={() => setIsWriting(true)} />
        <div class="row line-stepper">
          <IconButton
            label={isLast ? words.remove(line.name) : words.less(line.name)}
            onClick={({ currentTarget }) => {
              if (isLast) focusBeside(currentTarget);
              basket.setQuantity(line, line.quantity - 1);
            }}
          >
            <Icon name={isLast ? 'trash' : 'minus'} />
          </IconButton>
          <output aria-label={line.name}>{line.quantity}</output>
          <IconButton
            label={words.more(line.name)}
            aria-disabled={!mayAdd}
            onClick={() => basket.setQuantity(line, line.quantity + 1)}
            onRefused={() => announce(words.noMore(line.name))}
          >
            <Icon name="plus" />
          </IconButton>
        </div>
      </div>
      {isWriting && <RemarkDialog line={line} onClose={() => setIsWriting(false)} />}
    </>
  );
}

/** One line of the basket: the dish with its options, what is wrong with it, and the buttons to change it. */
export function BasketLine({ line }: { line: InGuestLanguage<Line> }) {
  const words = orderMessages();
  const { basket, menu } = useGuest();
  const dish = menu.dishById.value.get(line.dishId);
  const options = basket.optionsOf(line);
  const cost = fromMinor(toMinor(basket.priceOf(line)) * BigInt(line.quantity));
  return (
    <li class="wrap gap-3 line">
      <div class="line-image">
        <DishPicture url={dish?.image_url ?? null} tile={(dish?.position ?? 0) + 1} />
      </div>
      <div class="stack gap-1 line-text">
        <p class="wrap line-name">
          <span lang={line.lang}>{line.name}</span>
          <Money>{formatMoney(cost, menu.currency.value)}</Money>
        </p>
        <OptionLines options={options} dishes={line.quantity} />
        {line.remarks !== '' && <p class="remark">{line.remarks}</p>}
        <ClashText dish={dish} options={options} />
        {dish && basket.isUnstatedWith(dish, options) && <p class="on-amber-soft tag tag-few">{words.unstated}</p>}
        <TroubleText line={line} />
      </div>
      <LineTools line={line} mayAdd={dish !== undefined && basket.canAdd(dish, 1)} />
    </li>
  );
}
