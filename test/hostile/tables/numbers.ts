// Numbers as people type them for two settings of a card: a whole number from 0 to 1000, and a number from 0.5 to 10.

import { rows, words } from './words.ts'

type Read = number | 'not-a-number' | 'unclear-number' | 'not-whole' | 'out-of-range'

/** The typed text, the outcome for the whole number, and the outcome for the other number. */
export const numbers: readonly (readonly [string, Read, Read])[] = [
  ['5', 5, 5],
  [' 5 ', 5, 5],
  ['05', 5, 5],
  ['+5', 5, 5],
  ['5.0', 5, 5],
  ['5.', 5, 5],
  ['5,0', 5, 5],
  ['5.5', 'not-whole', 5.5],
  ['5,5', 'not-whole', 5.5],
  ['5,125', 'out-of-range', 'out-of-range'],
  ['0,125', 'not-whole', 'out-of-range'],
  ['1,250', 'out-of-range', 'out-of-range'],
  ['1,25', 'not-whole', 1.25],
  ['1,2500', 'not-whole', 1.25],
  ['0,750', 'not-whole', 0.75],
  ['5 s', 5, 5],
  ['5s', 5, 5],
  ['5 секунд', 5, 5],
  ['5 сек.', 5, 5],
  ['5 variants', 5, 5],
  ['5 м', 5, 5],
  ['1000', 1000, 'out-of-range'],
  ...['1,000', '1.000', '1 000', '1\u00a0000', "1'000", '1’000', '1 000 шт', '+1,000'].map(
    (text) => [text, 1000, 'out-of-range'] as const,
  ),
  ['1,000,000', 'out-of-range', 'out-of-range'],
  ['1.000,5', 'not-whole', 'out-of-range'],
  ['0', 0, 'out-of-range'],
  ['-0', 0, 'out-of-range'],
  ['-5', 'out-of-range', 'out-of-range'],
  ['1001', 'out-of-range', 'out-of-range'],
  ['9007199254740991', 'out-of-range', 'out-of-range'],
  ['9007199254740993', 'not-whole', 'out-of-range'],
  ['9'.repeat(16), 'not-whole', 'out-of-range'],
  ...['1,00,0', '1,0,0', '1 0000', '01,000', '5 5', '5\n5', '1.5.5', '5,', '.5', ',5', '9'.repeat(17)].map(
    (text) => [text, 'unclear-number', 'unclear-number'] as const,
  ),
  ...[
    ...words(`
      много NaN Infinity -Infinity null −5 –5 －5 --5 +-5 5- 1e3 1e 1E3 5e-1 0x 0x10 0b1 5n 1_0 ५ ５ 𝟓 ⑤ ½
      5² Ⅴ 五 5k 5к 1h 3-5 5+5 5*2 5/2 50% $5 #5 (5) "5" 5; 5👍🏽 <b>5</b> %d [5] {"a":5} __proto__
      constructor
    `),
    ...rows(
      `| |\u200b|٥|5 k|5 тыс|5 тысяч|1 млн|5 min|5 minutes|5 мин|2 часа|500 ms|170 cm|170 см|6 ft|` +
        `5 or 6|5\u200b|5\u0301|\u200e5|\u202e5\u202c|5\u0000|5\ud83d|{ $x }|\u0024{5}|5' or '1'='1`,
    ),
    '9'.repeat(400),
    '0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001',
    '5 ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss',
    '                                                                                                                                                                                                                                                                                                                                                                                                                x',
  ].map((text) => [text, 'not-a-number', 'not-a-number'] as const),
]
