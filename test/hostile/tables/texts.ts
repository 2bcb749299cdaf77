// Hostile texts, names and e-mail addresses, with the expected answers where they differ.

import { rows, words } from './words.ts'

/** Texts without a visible character. */
export const blank: readonly string[] = rows(
  `\u200b\u200b\u200b|\u200d|\u2060\u2060|\ufeff|\u00ad\u00ad|\u200e\u200f\u061c|\u2066\u2067\u2068|` +
    `\u00a0\u2007\u202f|\u3000\u2003|\u3164|\uffa0\u115f\u1160|\u2800|\u0301\u0302\u0303|\ufe0f\ufe0e|` +
    `\u180e|\u{e0041}\u{e0042}\u{e007f}|\u{e0100}\u{e0101}`,
)

/** Texts with visible characters, which must be kept unchanged. */
export const visible: readonly string[] = rows(
  `<b>bold</b> <script>alert(1)</script>|&amp; &#60; &|{ $amount } { -brand }|'; drop table users; --|.|7|` +
    `__proto__|abc \u202eevil\u202c xyz|שלום עולם|a${'\u200b\u200d\u2060'.repeat(100)}b|👩‍👩‍👧‍👦|🇷🇺|1️⃣#️⃣|a \ud83d b|` +
    `a\u0000b|a\u2028b|a\r\nb\rc|\ufeffa fox|ｗｉｄｔｈ|ﬁ ﷺ ﷽|ก็็็็|क्ष्म्य|狐狸|🦊|Z${'\u0334\u0321'.repeat(100)}`,
)

/** Names of people and groups, and the shown text; it is empty if nothing of the name is visible. */
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

/** The typed text, and the address that is read; undefined if it is refused. */
export const emails: readonly (readonly [typed: string, address: string | undefined])[] = [
  ['anna@example.ru', 'anna@example.ru'],
  ['  anna@example.ru  ', 'anna@example.ru'],
  ['Anna.B+c@Example.RU', 'Anna.B+c@Example.RU'],
  ["o'brien@example.ie", "o'brien@example.ie"],
  ['anna@xn--e1afmkfd.xn--p1ai', 'anna@xn--e1afmkfd.xn--p1ai'],
  ['anna@пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'],
  ['anna@Почта-1.Пример.РФ', 'anna@xn---1-6kc9cet8a.xn--e1afmkfd.xn--p1ai'],
  ['anna@example.ru\0', 'anna@example.ru'],
  ...[
    ...words(`
      анна@пример.рф anna@рф anna@exаmple.ru anna@пример..рф anna@.рф anna anna@ @example.ru anna@example
      anna@@example.ru anna@example..ru anna@.example.ru anna@-example.ru .anna@example.ru
      an..na@example.ru anna@example.ru,boris@example.ru anna＠example.ru аnna@example.ru anna@127.0.0.1
      anna@[127.0.0.1] anna@localhost "anna"@example.ru <anna@example.ru> mailto:anna@example.ru
      <script>@example.ru
    `),
    ...rows(
      `anna b@example.ru|anna@exam ple.ru|anna@example.ru boris@example.ru|` +
        `anna@example.ru\r\nbcc: boris@example.ru|anna@example.ru\nbcc: boris@example.ru|` +
        `an\u0000na@example.ru|anna\u200b@example.ru|\u2067anna@example.ru|anna@\ud83d.ru|` +
        `Anna <anna@example.ru>|'; drop table users; --@example.ru|{ $email }@example.ru|` +
        `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@example.ru|` +
        `anna@a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.ru`,
    ),
    `anna@${'a'.repeat(4000)}.ru`,
    'a@b'.repeat(1000),
  ].map((typed) => [typed, undefined] as const),
]
