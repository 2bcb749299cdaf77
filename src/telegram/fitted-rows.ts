// Rows of inline buttons whose labels a phone shows whole: clients write a label on one line and cut the rest off.

import { InlineKeyboard } from 'grammy'

/** Code points of all labels of a row together on a phone. */
const rowLength = 40

/** Gives each label that would be cut beside other buttons a row of its own. */
export function fitted({ inline_keyboard }: InlineKeyboard): InlineKeyboard {
  return InlineKeyboard.from(inline_keyboard.flatMap((row) => fittedRow(row)))
}

type Row = InlineKeyboard['inline_keyboard'][number]

function fittedRow(row: Row): Row[] {
  const isLong = ({ text }: Row[number]) => [...text].length > rowLength / row.length
  const rows: Row[] = [[]]
  for (const button of row) {
    if (isLong(button)) rows.push([button], [])
    else rows.at(-1)?.push(button)
  }
  return rows.filter(({ length }) => length > 0)
}
