// A user as operators see them: money, orders, bans, and buttons to act on them.

import { type Composer, InlineKeyboard } from 'grammy'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { findPeople, type Person, type Profile, readProfile } from '../../operator/people.ts'
import { cutTo } from '../../runtime/cut-text.ts'
import { localTime } from '../../runtime/time-zone.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { onTap, Routes } from '../routes.ts'
import { type AboutUser, nameOf, tappedPerson } from './operator.ts'
import { ask } from './questions.ts'

export function people(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.showUser, async (ctx, { userId }) => {
    const person = await tappedPerson(deps, ctx, userId)
    if (person) await showPerson(deps, ctx, person)
  })
  onTap(composer, taps.askCommand, async (ctx, { verb, userId }) => {
    const person = await tappedPerson(deps, ctx, userId)
    if (!person) return
    await ask(deps, ctx, verb, `#${person.id}`, questionAbout(ctx.say, verb, person))
  })
  return composer
}

/** Asks for the missing words of a command, in HTML. */
export function questionAbout(say: Say, verb: AboutUser, person: Person): string {
  const facts = { name: nameOf(person) }
  switch (verb) {
    case 'grant':
      return say.html('admin-ask-grant', facts)
    case 'debit':
      return say.html('admin-ask-debit', facts)
    case 'ban':
      return say.html('admin-ask-ban', facts)
    case 'unban':
      return say.html('admin-ask-unban', facts)
  }
}

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
export async function showSeveral(ctx: Ctx, query: string, found: readonly Person[]): Promise<void> {
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
  await reply(ctx, profileText(deps, ctx, profile), keyboardOf(ctx, person))
}

function profileText({ operator }: BotDeps, { say }: Ctx, profile: Profile): string {
  const { person, balance, spent, paid, orders, failures, banReason } = profile
  const lines = [
    say.html('admin-user', {
      name: nameOf(person),
      id: String(person.id),
      username: person.username ? `@${person.username}` : '—',
      telegram: person.telegramId === null ? '—' : String(person.telegramId),
      since: localTime(person.createdAt, operator.timeZone),
      available: say.roubles(balance.available),
      held: say.roubles(balance.held),
      paid: say.roubles(paid),
      spent: say.roubles(spent),
      orders,
      failures,
    }),
  ]
  const { bannedAt, forgottenAt } = person
  if (bannedAt) {
    lines.push(
      say.html('admin-user-banned', {
        since: localTime(bannedAt, operator.timeZone),
        reason: banReason ?? '—',
      }),
    )
  }
  if (forgottenAt)
    lines.push(say.html('admin-user-forgotten', { since: localTime(forgottenAt, operator.timeZone) }))
  return lines.join('\n')
}

const keyboardOf = ({ say }: Ctx, { id, bannedAt }: Person): InlineKeyboard =>
  new InlineKeyboard()
    .text(say.plain('admin-button-grant'), taps.askCommand.data({ verb: 'grant', userId: id }))
    .text(say.plain('admin-button-debit'), taps.askCommand.data({ verb: 'debit', userId: id }))
    .row()
    .text(say.plain('admin-button-orders'), taps.userOrders.data({ userId: id }))
    .text(say.plain('admin-button-payments'), taps.userPayments.data({ userId: id }))
    .row()
    .text(
      say.plain(bannedAt ? 'admin-button-unban' : 'admin-button-ban'),
      taps.askCommand.data({ verb: bannedAt ? 'unban' : 'ban', userId: id }),
    )
