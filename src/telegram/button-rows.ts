// Rows of inline buttons whose labels the narrowest phone, 320 px wide, shows whole: clients write a label on one line and cut the rest off.

import { InlineKeyboard } from 'grammy'

/** The width of all labels of a row together, in letters. */
const rowWidth = 31

type Row = InlineKeyboard['inline_keyboard'][number]

export function fitted({ inline_keyboard }: InlineKeyboard): InlineKeyboard {
  return InlineKeyboard.from(inline_keyboard.flatMap((row) => fittedRow(row)))
}

/** Keeps a row whose labels fit; otherwise a label that would be cut gets a row of its own, and the others share rows in pairs. */
function fittedRow(row: Row): Row[] {
  const fits = ({ text }: Row[number], columns: number) => widthOf(text) <= rowWidth / columns
  if (row.every((button) => fits(button, row.length))) return row.length > 0 ? [row] : []
  const rows: Row[] = []
  let pair: Row = []
  for (const button of row) {
    if (!fits(button, 2)) rows.push([button])
    else if (pair.length === 1) pair.push(button)
    else {
      pair = [button]
      rows.push(pair)
    }
  }
  return rows
}

/** A picture is as wide as two letters. */
const widthOf = (text: string): number =>
  [...text].length + (text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0)
