// Hostile names of people and groups, and the shown text; it is empty if nothing of the name is visible.

import { rows } from './words.ts'

export const names: readonly (readonly [given: string, shown: string])[] = [
  ...rows(
    `Anna|<b>Anna</b>|Anna & Co <3|&lt;Anna&gt;|"><script>alert(1)</script>|` +
      `<a href="tg://user?id=1">Anna</a>|{ $amount }|{ -brand }|%s %n %x|$& $1 $$|*Anna* _x_ \`y\`|` +
      `Robert'); drop table users; --|__proto__|constructor|null|undefined|#1|@anna|/start|שלום|` +
      `عالم 500|👩‍👩‍👧‍👦|🇷🇺🇺🇳|.|-|0|ﷺ`,
  ).map((name) => [name, name] as const),
  ['An\u0000na', 'An na'],
  ['\u0000Anna\u0000', 'Anna'],
  ['An\ud83dna', 'An\ufffdna'],
  ['Anna \ude00', 'Anna \ufffd'],
  ['An\nna', 'An na'],
  ['Anna\r\n✅ Paid ₽500.00', 'Anna ✅ Paid ₽500.00'],
  ['An\tna', 'An na'],
  ['Anna\u2028x', 'Anna x'],
  ['  An   na  ', 'An na'],
  ['Anna\u202e', 'Anna'],
  ['\u202eannA\u202c', 'annA'],
  ['\u2067Anna', 'Anna'],
  ['\u2066Anna\u2069', 'Anna'],
  ['\u200eAnna\u200f', 'Anna'],
  ['\u061cAnna', 'Anna'],
  [`A${'\u0301'.repeat(60)}`, `A${'\u0301'.repeat(60)}`],
  ['W'.repeat(64), 'W'.repeat(64)],
  ['👍🏿'.repeat(16), '👍🏿'.repeat(16)],
  ['&'.repeat(64), '&'.repeat(64)],
  ...rows(
    `\u200b|\u200d\u200d|\u3164|\u2800\u2800|\u00a0|\u00ad|\u202e\u202e|\u2066\u2069|\ufe0f|` +
      `\u0301\u0301|\u115f\u1160|\u{e0041}|\u0000| `,
  ).map((name) => [name, ''] as const),
]
