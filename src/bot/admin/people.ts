// A user as operators see them: money, orders, bans, and buttons to act on them.

import { InlineKeyboard } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import type { Kopecks } from '../../money.ts'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { correct, setBan } from '../../operator/corrections.ts'
import { findPeople, type Person, readProfile } from '../../operator/people.ts'
import { cutTo } from '../../runtime/text.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type BotDeps, type Ctx, reply } from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import {
  type AboutUser,
  ask,
  type Change,
  confirmFirst,
  type Given,
  readChange,
  tappedPerson,
} from './operator.ts'
import { allowedButtons, roleOf } from './rights.ts'
import { nameOf, profileText, whoIs } from './texts.ts'

export const people = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.showUser, async (ctx, { userId }) => {
      const person = await tappedPerson(deps, ctx, userId)
      if (person) await showPerson(deps, ctx, person)
    }),
    onTap(taps.askCommand, (ctx, { verb, userId }) => askAbout(deps, ctx, verb, userId)),
    onTap(taps.writeTo, (ctx, { userId }) => askAbout(deps, ctx, 'message', userId)),
  ],
})

async function askAbout(deps: BotDeps, ctx: Ctx, verb: AboutUser, userId: bigint): Promise<void> {
  const person = await tappedPerson(deps, ctx, userId)
  if (person) await ask(deps, ctx, verb, `#${person.id}`, questionAbout(ctx.say, verb, person))
}

/** Asks for the missing words of a command, in HTML. */
const questionAbout = (say: Say, verb: AboutUser, person: Person): string =>
  say.html(`admin-ask-${verb}`, { name: nameOf(person) })

/** Shows the user if only one was found, and otherwise a list to choose from. */
export async function find(deps: BotDeps, ctx: Ctx, query: string): Promise<string | undefined> {
  if (query === '') return void (await ask(deps, ctx, 'user', '', ctx.say.html('admin-ask-user')))
  const found = await findPeople(deps.db, query)
  const [first, ...others] = found
  if (!first) return ctx.say.html('admin-nobody-found', { query })
  if (others.length === 0) return void (await showPerson(deps, ctx, first))
  return void (await showSeveral(ctx, query, found))
}

/** A list to choose from. */
async function showSeveral(ctx: Ctx, query: string, found: readonly Person[]): Promise<void> {
  const keyboard = new InlineKeyboard()
  for (const one of found) {
    const text = cutTo(`${nameOf(one)} · #${one.id}`, 60)
    keyboard.text(text, taps.showUser.data({ userId: one.id })).row()
  }
  await reply(ctx, ctx.say.html('admin-several-found', { query }), keyboard)
}

/** Shows the user, and records the view in the log of operators' actions. */
async function showPerson(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const profile = await readProfile(deps.db, person)
  await recordAction(deps, { by: ctx.from?.id ?? null, action: 'view', subject: userSubject(person.id) })
  await reply(
    ctx,
    profileText(deps, ctx.say, profile),
    fitted(allowedButtons(deps, ctx, keyboardOf(ctx, person))),
  )
}

const keyboardOf = ({ say }: Ctx, { id, bannedAt }: Person): InlineKeyboard =>
  new InlineKeyboard()
    .text(say.plain('admin-button-grant'), taps.askCommand.data({ verb: 'grant', userId: id }))
    .text(say.plain('admin-button-debit'), taps.askCommand.data({ verb: 'debit', userId: id }))
    .row()
    .text(say.plain('admin-button-orders'), taps.userOrders.data({ userId: id }))
    .text(say.plain('admin-button-payments'), taps.userPayments.data({ userId: id }))
    .row()
    .text(say.plain('admin-button-message'), taps.writeTo.data({ userId: id }))
    .text(
      say.plain(bannedAt ? 'admin-button-unban' : 'admin-button-ban'),
      taps.askCommand.data({ verb: bannedAt ? 'unban' : 'ban', userId: id }),
    )

// Commands of operators about a user: /grant, /debit, /ban, /unban, /message. The words after the command begin with the user; nothing
// changes before the operator's Yes.

interface Refusal {
  readonly html: string
  /** Whether the command is refused whatever its words, so that the operator is not asked for other words. */
  readonly isFinal: boolean
}

/** A command about a user. @param T its parsed words after the user */
interface UserCommand<T> {
  readonly verb: AboutUser
  /** Whether the answer to the question about the chosen user is carried out without a Yes. */
  readonly isAnswerDone?: true
  /** @returns undefined when the words cannot be understood */
  read(words: string): T | undefined
  /** Asks for understandable words, in HTML. @param start the beginning of the command, to type it again; empty in an answer */
  wanted(say: Say, start: string): string
  /** Refuses what is known to be wrong before the operator is asked. */
  refusal(person: Person, read: T): Promise<Refusal | undefined>
  /** Asks whether to do it, in HTML. */
  question(say: Say, name: string, read: T): string
  /** @returns an error text in HTML; undefined when the action is done */
  act(person: Person, read: T): Promise<string | undefined>
}

/** @returns an error text about the words, in HTML */
export async function aboutUser<T>(
  deps: BotDeps,
  ctx: Ctx,
  { words, as }: Given,
  command: UserCommand<T>,
): Promise<string | undefined> {
  const { verb } = command
  const [, query = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words) ?? []
  if (query === '') return ctx.say.html('admin-nobody-chosen', { verb })
  const found = await findPeople(deps.db, query)
  const [person, ...others] = found
  if (!person) return ctx.say.html('admin-nobody-found', { query })
  if (others.length > 0) return void (await showSeveral(ctx, query, found))
  const beginning = `#${person.id}`
  if (rest === '' && as === 'command')
    return void (await ask(deps, ctx, verb, beginning, questionAbout(ctx.say, verb, person)))
  const read = command.read(rest)
  if (read === undefined) return command.wanted(ctx.say, as === 'command' ? `/${verb} ${beginning} ` : '')
  if (as === 'confirmed' || (as === 'answer' && command.isAnswerDone)) return command.act(person, read)
  const wrong = await command.refusal(person, read)
  if (wrong) return wrong.isFinal ? void (await reply(ctx, wrong.html)) : wrong.html
  const html = command.question(ctx.say, whoIs(person), read)
  const wanted = { verb, words: `${beginning} ${rest}`, subject: userSubject(person.id) }
  await confirmFirst(deps, ctx, wanted, html)
  return undefined
}

// /grant and /debit: an operator credits or debits a balance, with a reason that is sent to the user as a notice.

export function changeBalance(
  deps: BotDeps,
  ctx: Ctx,
  given: Given,
  verb: 'grant' | 'debit',
): Promise<string | undefined> {
  return aboutUser(deps, ctx, given, {
    verb,
    read: readChange,
    wanted: (say, start) => say.html('admin-amount-and-reason', { start, verb }),
    refusal: async (person, { amount }) => {
      const html = verb === 'debit' ? await tooMuch(deps, ctx, person, amount) : undefined
      return html === undefined ? undefined : { html, isFinal: false }
    },
    question: (say, name, { amount, reason }) =>
      say.html(`admin-confirm-${verb}`, { name, reason, amount: say.roubles(amount) }),
    act: (person, change) => changeBy(deps, ctx, person, change, { verb, from: given.from }),
  })
}

async function changeBy(
  deps: BotDeps,
  ctx: Ctx,
  person: Person,
  { amount, reason }: Change,
  { verb, from }: { readonly verb: 'grant' | 'debit'; readonly from: number },
): Promise<string | undefined> {
  const change = verb === 'grant' ? amount : -amount
  const corrected = await correct(deps, {
    // The key depends on the message only, so that an update handled twice changes the balance once.
    key: `telegram:${ctx.chatId}:${from}`,
    by: ctx.from?.id ?? null,
    userId: person.id,
    amount: change,
    reason,
  })
  const { available } = await readBalance(deps.db, person.id)
  if (corrected === 'insufficient') return insufficient(ctx.say, person, available)
  if (corrected === 'unknown-user') return ctx.say.html('admin-nobody-found', { query: `#${person.id}` })
  const facts = {
    verb,
    name: nameOf(person),
    amount: ctx.say.roubles(amount),
    available: ctx.say.roubles(available),
  }
  await reply(ctx, ctx.say.html(corrected === 'done' ? 'admin-corrected' : 'admin-corrected-before', facts))
  deps.topUps.wakeNotices()
  return undefined
}

/** Checks the balance before the operator is asked; the statement that takes the money decides. */
async function tooMuch(
  { db }: BotDeps,
  { say }: Ctx,
  person: Person,
  amount: Kopecks,
): Promise<string | undefined> {
  const { available } = await readBalance(db, person.id)
  return amount > available ? insufficient(say, person, available) : undefined
}

const insufficient = (say: Say, person: Person, available: Kopecks): string =>
  say.html('admin-insufficient', { name: nameOf(person), available: say.roubles(available) })

// /ban and /unban, and the answer to a banned user in place of everything else. A banned user's payment is still credited, and support
// and the deletion of their data stay available.

export function ban(
  deps: BotDeps,
  ctx: Ctx,
  given: Given,
  verb: 'ban' | 'unban',
): Promise<string | undefined> {
  return aboutUser(deps, ctx, given, {
    verb,
    read: (reason) => reason || undefined,
    wanted: (say, start) => say.html('admin-reason', { start }),
    refusal: async (person) => {
      const html = verb === 'ban' ? operatorStays(deps, ctx, person) : undefined
      return html === undefined ? undefined : { html, isFinal: true }
    },
    question: (say, name, reason) => say.html(`admin-confirm-${verb}`, { name, reason }),
    act: (person, reason) => decide(deps, ctx, person, reason, verb),
  })
}

const operatorStays = ({ operator }: BotDeps, { say }: Ctx, { telegramId }: Person): string | undefined =>
  roleOf(operator, telegramId ?? undefined) ? say.html('admin-ban-operator') : undefined

async function decide(
  deps: BotDeps,
  ctx: Ctx,
  person: Person,
  reason: string,
  verb: 'ban' | 'unban',
): Promise<string | undefined> {
  const banned = verb === 'ban'
  const refusal = banned ? operatorStays(deps, ctx, person) : undefined
  if (refusal !== undefined) return refusal
  const isNew = await setBan(deps, { by: ctx.from?.id ?? null, userId: person.id, banned, reason })
  const name = nameOf(person)
  if (isNew && !banned) deps.topUps.wakeNotices()
  await reply(ctx, isNew ? ctx.say.html('admin-ban-set', { verb, name }) : ctx.say.html('admin-done-before'))
  return undefined
}
