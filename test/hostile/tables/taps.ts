// Hostile values of the arguments of callback data, by the kind of the argument.

import { rows, words } from './words.ts'

const longest = 64

/** Values that must be refused as a number. */
export const noNumbers: readonly string[] = [
  ...words(`
    -1 -0 +1 1.5 1,5 1e3 0x1 1n 1_0 １ ① ² NaN Infinity null undefined true [1] 99999999999999999999
    18446744073709551616 99999999999999999999999999999999999999999999999999
  `),
  ...rows(`| | 1|1 |1\n|\u00001|١`),
]

/** Values that must be refused as an id. */
export const noIds: readonly string[] = [
  ...words(`
    0 -1 short 012345678 01234567890 ABCDEFGHIJ 01234-6789 ０１２３４５６７８９ аbcdefghij ../../../x $1 %00 🦊🦊🦊🦊🦊
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  `),
  ...rows(
    `| |01234 6789|          |0123456789\n|\n0123456789|' or '1'='1|` +
      `\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000|\u202e012345678`,
  ),
]

/** Values that must be refused as a word of a list. */
export const noWords: readonly string[] = [
  ...words(`
    xx constructor __proto__ toString length 0 true null RU іmage
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  `),
  ...rows(`| |en |image\n`),
]

/** Values that must be refused as the name of a field or a model. */
export const noNames: readonly string[] = [
  ...words('a/b имя <b> aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa $x {x} 🦊'),
  ...rows(`| |a b|a\n|\u0000`),
]

export const noOwners: readonly string[] = [...words('4F -1 я 0123456789abc'), '', ' ', '4f\n']

export const noProviders: readonly string[] = [
  ...words('Stars a1 a_b я aaaaaaaaaaaaaaaaaaaaa'),
  '',
  ' ',
  '\n',
]

/** Callback data that no button has. */
export const junk: readonly string[] = [
  ...words(`
    : :::::::: c c: c:0123456789 c:0123456789: c:0123456789:z c::o:duration C:0123456789:v q q:
    Q:0123456789 q:0123456789:0 t: t:0 t:-5000 t:5e3 t:1000000000000 t:100: t:100:STARS bx: bx:0
    ro:0123456789:0 ro:0123456789:-1 h:0 h:-1:a h:1000000:a h:0:A h:0:0123456789abc gw: gw:-1 gwc:1:-1
    gws:1:maybe gwf:1:0:0123456789 gwf:1:-100:0123456789 l: l:xx l:RU d2: d2:soon d2:1e15 b:nothing
    u:nothing cp:nobody cd:burn ct:on:flying cm: ad: ad:f:0 ad:f:31 ad:f:-1 ad:u:-1
    ad:u:9223372036854775808 ad:q:rob:1 ad:d:maybe ad:b:0123456789:explode ad:s:maybe:x pr: __proto__
    constructor toString undefined null {} {"a":1} [] 0 -1 true /start <b>x</b> ../../etc/passwd %s%n
    яяяяяяяяяяяяяяяяяяяяяяяяяяяяяяяя 🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    ::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::
    0000000000000000000000000000000000000000000000000000000000000000
  `),
  ...rows(` |t:٥٠٠|t:100:no such way|'; drop table users; --|{ $x }`),
  '\u0000'.repeat(longest),
  '\u202e\u202e\u202e',
  '\ud83d',
]
