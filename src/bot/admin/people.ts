// A user as an operator sees one: money, orders, bans, and what can be done about them.

import { Composer, InlineKeyboard } from 'grammy'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { findPeople, type Person, type Profile, readProfile } from '../../operator/people.ts'
import { localTime } from '../../operator/periods.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answer, nameOf } from './operator.ts'
import { ask } from './questions.ts'
import { tappedPerson } from './target.ts'

export function people(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(/^ad:u:(\d+)$/, async (ctx) => {
    const person = await tappedPerson(deps, ctx, String(ctx.match[1]))
    if (person) await showPerson(deps, ctx, person)
  })
  composer.callbackQuery(/^ad:q:(grant|debit|ban|unban):(\d+)$/, async (ctx) => {
    const [, verb, digits = ''] = ctx.match
    const person = await tappedPerson(deps, ctx, digits)
    if (!person) return
    const name = nameOf(person)
    const who = `#${person.id}`
    if (verb === 'grant') return ask(deps, ctx, verb, who, ctx.say.html('admin-ask-grant', { name }))
    if (verb === 'debit') return ask(deps, ctx, verb, who, ctx.say.html('admin-ask-debit', { name }))
    if (verb === 'ban') return ask(deps, ctx, verb, who, ctx.say.html('admin-ask-ban', { name }))
    return ask(deps, ctx, 'unban', who, ctx.say.html('admin-ask-unban', { name }))
  })
  return composer
}

/** Shows the only one found, or a list to choose from. */
export async function find(deps: BotDeps, ctx: Ctx, query: string): Promise<string | undefined> {
  if (query === '') return void (await ask(deps, ctx, 'user', '', ctx.say.html('admin-ask-user')))
  const found = await findPeople(deps.db, query)
  const [first, ...others] = found
  if (!first) return ctx.say.html('admin-nobody-found', { query })
  if (others.length === 0) return void (await showPerson(deps, ctx, first))
  const keyboard = new InlineKeyboard()
  for (const one of found) keyboard.text(`${nameOf(one)} · #${one.id}`.slice(0, 60), `ad:u:${one.id}`).row()
  await answer(ctx, ctx.say.html('admin-several-found', { query }), keyboard)
  return undefined
}

/** The look itself is recorded: commands without a name are about the one seen last. */
export async function showPerson(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const profile = await readProfile(deps.db, person)
  await recordAction(deps, { by: ctx.from?.id ?? null, action: 'view', subject: userSubject(person.id) })
  await answer(ctx, profileText(ctx, profile), keyboardOf(ctx, person))
}

function profileText({ say }: Ctx, profile: Profile): string {
  const { person, balance, spent, paid, orders, failures, banReason } = profile
  const lines = [
    say.html('admin-user', {
      name: nameOf(person),
      id: String(person.id),
      username: person.username ? `@${person.username}` : '—',
      telegram: person.telegramId === null ? '—' : String(person.telegramId),
      since: localTime(person.createdAt),
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
    lines.push(say.html('admin-user-banned', { since: localTime(bannedAt), reason: banReason ?? '—' }))
  }
  if (forgottenAt) lines.push(say.html('admin-user-forgotten', { since: localTime(forgottenAt) }))
  return lines.join('\n')
}

const keyboardOf = ({ say }: Ctx, { id, bannedAt }: Person): InlineKeyboard =>
  new InlineKeyboard()
    .text(say.plain('admin-button-grant'), `ad:q:grant:${id}`)
    .text(say.plain('admin-button-debit'), `ad:q:debit:${id}`)
    .row()
    .text(say.plain('admin-button-orders'), `ad:o:${id}`)
    .text(say.plain('admin-button-payments'), `ad:p:${id}`)
    .row()
    .text(
      say.plain(bannedAt ? 'admin-button-unban' : 'admin-button-ban'),
      `ad:q:${bannedAt ? 'unban' : 'ban'}:${id}`,
    )
