// Commands about promotions: promo codes, one or a batch, and the percents of partners.

import { promoText, whoIs } from '../../bot/admin/texts.ts'
import {
  addBatch,
  addPromo,
  endPromo,
  listPromos,
  type PromoCode,
  readCode,
  readDay,
  runningPromo,
  setPartner,
} from '../../operator/promo.ts'
import { readPercent } from '../../payments/bonus-steps.ts'
import { localTime } from '../../runtime/clock.ts'
import { csv } from '../../runtime/csv.ts'
import {
  amountOf,
  type Command,
  confirm,
  type Deps,
  type Flags,
  Refused,
  reasonOf,
  say,
  Usage,
  userBy,
} from './common.ts'

const promo: Command = {
  usage: [
    'promo add <CODE> <roubles|20%> --uses <N> [--limit <roubles>] [--until <YYYY-MM-DD>]',
    'promo batch <NAME> <N> <roubles|20%> [--limit <roubles>] [--until <YYYY-MM-DD>]',
    'promo list',
    'promo end <CODE|NAME>',
  ],
  async run(deps, [what, name, ...rest], flags) {
    if (what === 'list') return promoLines(deps)
    if (what === 'add') return promoAdd(deps, name, rest, flags)
    if (what === 'batch') return promoBatch(deps, name, rest, flags)
    if (what === 'end') return promoEnd(deps, name, flags)
    throw new Usage('promo add, promo batch, promo list, or promo end?')
  },
}

type Gift = Pick<PromoCode, 'amount' | 'percent'>

/** An amount, or percents of the next top-up with the most that they bring. */
function giftIn(typed: string | undefined, { limit }: Flags): Gift {
  if (!typed?.endsWith('%')) {
    if (limit !== undefined) throw new Usage('--limit is for percents: a code of roubles gives its amount.')
    return { amount: amountOf(typed), percent: null }
  }
  const percent = readPercent(typed)
  if (percent === undefined) throw new Usage('Write whole percents from 1 to 100, like 20%.')
  if (limit === undefined) throw new Usage('How much may it bring at most? Write it like --limit 500.')
  return { amount: amountOf(limit), percent }
}

function endIn({ operator }: Deps, { until }: Flags): Date | null {
  const expiresAt = until === undefined ? null : readDay(until, operator.timeZone)
  if (expiresAt === undefined) throw new Usage('Write the last day like --until 2030-12-31.')
  return expiresAt
}

async function promoAdd(deps: Deps, typed = '', [gift]: readonly string[], flags: Flags) {
  const code = readCode(typed)
  if (!code) throw new Usage('A code is 6 to 32 letters, digits, - or _.')
  const given = giftIn(gift, flags)
  if (!/^[1-9]\d{0,6}$/.test(flags.uses ?? '')) {
    throw new Usage('How many people may use it? Write --uses and a whole number, like --uses 100.')
  }
  const expiresAt = endIn(deps, flags)
  const added = await addPromo(deps, code, { by: null, ...given, maxUses: Number(flags.uses), expiresAt })
  if (!added) throw new Refused(`There is a code ${code} already.`)
  return [
    `${code}: ${promoText(say, given)} for ${flags.uses} people, until ${flags.until ?? 'it is used up'}.`,
  ]
}

const mostCodes = 1000

/** Prints the codes as a CSV file. */
async function promoBatch(deps: Deps, typed = '', [size = '', gift]: readonly string[], flags: Flags) {
  const name = typed.toUpperCase()
  if (!/^[A-Z0-9_]{1,16}$/.test(name))
    throw new Usage('A name of a batch is 1 to 16 Latin letters, digits or _.')
  if (!/^[1-9]\d{0,3}$/.test(size) || Number(size) > mostCodes)
    throw new Usage(`How many codes? From 1 to ${mostCodes}.`)
  const given = giftIn(gift, flags)
  const expiresAt = endIn(deps, flags)
  await confirm(
    deps,
    flags,
    `make ${size} codes: ${promoText(say, given)} each, ${say.roubles(given.amount * BigInt(size))} in all`,
  )
  const codes = await addBatch(deps, name, Number(size), { by: null, ...given, expiresAt })
  if (!codes) throw new Refused('No code was made: one of them exists already. Repeat the command.')
  const cells = codes.map((code) => [code, promoText(say, given), flags.until ?? ''])
  return csv([['code', 'gives', 'until'], ...cells], '.')
    .trimEnd()
    .split('\r\n')
}

async function promoEnd(deps: Deps, typed: string | undefined, flags: Flags) {
  if (!typed) throw new Usage('Which code? List them: npm run admin -- promo list')
  const running = await runningPromo(deps, typed)
  if (!running) throw new Refused(`There is no code ${typed.toUpperCase()}, or it has ended already.`)
  const { name, uses, maxUses } = running
  await confirm(deps, flags, `end the code ${name} (${promoText(say, running)}, used ${uses} of ${maxUses})`)
  await endPromo(deps, null, name)
  return [`The code ${name} has ended.`]
}

async function promoLines({ db, operator }: Deps): Promise<string[]> {
  const found = await listPromos(db)
  if (found.length === 0) return ['There are no promo codes.']
  return found.map(({ name, codes, uses, maxUses, expiresAt, ...gift }) => {
    const until = expiresAt ? `until ${localTime(expiresAt, operator.timeZone)}` : 'without end'
    const batch = codes > 1 ? ` (${codes} codes)` : ''
    return `${name}${batch}: ${promoText(say, gift)}, used ${uses} of ${maxUses}, ${until}`
  })
}

/** `usual` gives the percents of REFERRAL_PERCENT again. */
const partner: Command = {
  usage: ['partner <user> <20%|usual> <reason>'],
  async run(deps, [query, typed = '', ...words], flags) {
    const { person, isExact } = await userBy(deps, query)
    const percent = typed === 'usual' ? null : readPercent(typed)
    if (percent === undefined) throw new Usage('Write whole percents from 1 to 100, like 20%, or usual.')
    const reason = reasonOf(words)
    const gets = percent === null ? 'what everybody gets' : `${percent}% of each top-up`
    if (!isExact) await confirm(deps, flags, `${gets} of invited people for ${whoIs(person)}`)
    if (!(await setPartner(deps, { by: null, userId: person.id, percent, reason })))
      throw new Refused(`That is so already: ${whoIs(person)}`)
    return [`From now on ${gets} of invited people: ${whoIs(person)}`]
  },
}

export const promotionCommands = { promo, partner }
