// Amounts of roubles, and numbers for settings of a card, as people type and paste them. Three digits after a separator are thousands.

import type { Kopecks } from '../../../src/money.ts'
import { rows, words } from './words.ts'

const byAmount: readonly (readonly [Kopecks, readonly string[]])[] = [
  [
    500_00n,
    [
      ...words('500 0500 500₽ ₽500 500р.'),
      ...rows(
        ` 500 |500\n|500 ₽|₽ 500|500 руб|500 руб.|500 рублей|500 р|500 РУБ|500 rub|500 RUB|500 roubles|` +
          `500 rubles|500 r.`,
      ),
    ],
  ],
  [0n, words('0')],
  [99_50n, words('99,5 99.50')],
  [99_05n, words('99.05')],
  [1n, words('0,01')],
  [1_00n, [...words('1,00'), '1 рубль']],
  [
    1000_00n,
    [
      ...words("₽1,000 1,000 1.000 1'000 1’000 1,000.00"),
      ...rows(`1 000|1\u00a0000|1\u202f000|1\u2009000|1,000 ₽`),
    ],
  ],
  [1000_50n, [...words("1'000,5 1.000,50"), '1 000,50']],
  [1_000_000_00n, [...words('1.000.000 1,000,000'), '1 000 000']],
  [1092_45n, [...words('₽1,092.45'), '1\u00a0092,45\u00a0₽']],
  [1234_00n, words('1.234')],
  [500_555_00n, words('500.555 500,555')],
  [1_50n, words('1,5 1.5 1.50')],
  [1_000_000_50n, words('1,000,000.50')],
  [999_999_999_00n, words('999999999')],
]

/** Texts that are an amount, and the amount. */
export const amounts: readonly (readonly [string, Kopecks])[] = byAmount.flatMap(([amount, texts]) =>
  texts.map((text) => [text, amount] as const),
)

/** Texts that are no amount. */
export const noAmounts: readonly string[] = [
  ...words(`
    много NaN Infinity -Infinity null undefined true 1e9 1e3 1E3 5e-1 0x10 0b11 0o17 1_000 500n 0.001
    1,00,000 1,00,0 1,000,5 1.000.5 1'000,000 1,000.000 01.000 0,500 1234.567 1,000,00 10,00.50
    1,000.5.5 1..5 1,,5 1, 1. ,5 .5 , . ५०० ５００ 𝟓𝟎𝟎 ⑤ ½ 5² Ⅴ 五百 +500 -5 −5 –5 —5 －5 (500) --5 5- 5+5
    5*100 50% 500-1000 500/2 1·000 $500 500$ €500 £5 ₽₽500 ₽ руб rub 500rub1000 500руб50коп 5к 5k 1M
    500⭐ <b>500</b> &#53;00 %35%30%30 1000000000 9999999999 9223372036854775807 9223372036854775808
    18446744073709551616 😀500 500👍🏽
  `),
  ...rows(
    `| |\u200b|\u00a0|five hundred|[object Object]|1,000 000|٥٠٠|۵۰۰|500 1000|5 00|5 0 0|1 0000|` +
      `1000 000|1  000|1 000\u00a0000|1 000,000|500\n100|500\t100|500\r\n100|1\n000`,
  ),
  '1`000',
  ...rows(
    `500 USD|500 €|500 ₴|500 kzt|500 ₽₽|500 rubbish|500 rub 1000|500 rub-100|500 рублей 50|` +
      `500 р 50 к|500 коп|5 тыс|500 stars|5\u200b00|\u200e500|\u202e005\u202c|\u2066500\u2069|` +
      `\ufeff5\ufeff00|5\u00ad00|5\u030300|500\u0000|\u0000|500\ud83d|500; drop table users|` +
      `500' or '1'='1|{ $amount }|\u0024{500}|12 000 000 000`,
  ),
  '1'.repeat(400),
  `111111111.${'1'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
  '0'.repeat(400),
  `${' '.repeat(400)}x`,
  '1 '.repeat(400),
  '1,'.repeat(400),
]

/** What operators write after the user of a correction; undefined where the amount or the reason is missing or unclear. */
export const corrections: readonly (readonly [string, { amount: Kopecks; reason: string } | undefined])[] = [
  ...['1,000 bonus', '1.000 bonus', '1,000.00 bonus', "1'000 bonus", '1\u00a0000,00\u00a0₽ bonus'].map(
    (text) => [text, { amount: 1000_00n, reason: 'bonus' }] as const,
  ),
  ...['500 bonus', '500₽ bonus', '500 ₽ bonus', '500 руб. bonus', '500\nbonus'].map(
    (text) => [text, { amount: 500_00n, reason: 'bonus' }] as const,
  ),
  ['500 5000 points', { amount: 500_00n, reason: '5000 points' }],
  ['500 12 errors', { amount: 500_00n, reason: '12 errors' }],
  ['1.234 bonus', { amount: 1234_00n, reason: 'bonus' }],
  ['500,555 bonus', { amount: 500_555_00n, reason: 'bonus' }],
  ...[
    ...rows(`|500|bonus 500|1 000 bonus|500 500 errors`),
    ...words(`0 -500 1e9 ٥٠٠ NaN 0.001 ${'9'.repeat(400)}`).map((amount) => `${amount} bonus`),
  ].map((text) => [text, undefined] as const),
]

type Read = number | 'not-a-number' | 'unclear-number' | 'not-whole' | 'out-of-range'

/** The typed text, the outcome for the whole number, and the outcome for the other number. */
export const numbers: readonly (readonly [string, Read, Read])[] = [
  ...[...words('5 05 +5 5.0 5. 5,0 5s'), ...rows(' 5 |5 s|5 секунд|5 сек.|5 variants|5 м')].map(
    (text) => [text, 5, 5] as const,
  ),
  ...words('5.5 5,5').map((text) => [text, 'not-whole', 5.5] as const),
  ...words('1,25 1,2500').map((text) => [text, 'not-whole', 1.25] as const),
  ['0,750', 'not-whole', 0.75],
  ...[...words("1000 1,000 1.000 1'000 1’000 +1,000"), ...rows('1 000|1\u00a0000|1 000 шт')].map(
    (text) => [text, 1000, 'out-of-range'] as const,
  ),
  ...words('0 -0').map((text) => [text, 0, 'out-of-range'] as const),
  ...words('5,125 1,250 1,000,000 -5 1001 9007199254740991').map(
    (text) => [text, 'out-of-range', 'out-of-range'] as const,
  ),
  ...words(`0,125 1.000,5 9007199254740993 ${'9'.repeat(16)}`).map(
    (text) => [text, 'not-whole', 'out-of-range'] as const,
  ),
  ...[...words(`1,00,0 1,0,0 01,000 1.5.5 5, .5 ,5 ${'9'.repeat(17)}`), '1 0000', '5 5', '5\n5'].map(
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
    `0.${'0'.repeat(400)}1`,
    `5 ${'s'.repeat(400)}`,
    `${' '.repeat(400)}x`,
  ].map((text) => [text, 'not-a-number', 'not-a-number'] as const),
]
