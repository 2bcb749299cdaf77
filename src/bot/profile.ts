// What Telegram shows of the bot before the first message: its description and short description in every language, and the button
// that opens the command menu. They name what this installation sells.

import type { Command } from '../catalog/model.ts'
import type { Kopecks } from '../money.ts'
import { datesOf, foreignLocale, type Locale, locales, type Say } from '../texts.ts'
import { type MenuDeps, offeredCommands, offersChat, type Sold } from './commands.ts'

export interface ProfileDeps extends MenuDeps {
  /** Zero when new users get no credit. */
  readonly welcomeCredit: Kopecks
}

/** For example `pictures, video and 3D models`. */
export const thingsText = (say: Say, commands: readonly Command[]): string =>
  new Intl.ListFormat(datesOf(say.locale)).format(commands.map((command) => say.plain(`thing-${command}`)))

export function descriptionIn(
  say: Say,
  { welcomeCredit, ...sold }: Sold & Pick<ProfileDeps, 'welcomeCredit'>,
): string {
  const things = thingsText(say, offeredCommands(sold.catalog))
  const lines = [
    say.plain('profile-promise'),
    ...(offersChat(sold) ? [say.plain('profile-chat')] : []),
    ...(welcomeCredit > 0n ? [say.plain('profile-gift', { amount: say.roubles(welcomeCredit) })] : []),
  ]
  return `${say.plain('profile-what', { things })}\n\n${lines.join('\n')}`
}

export const shortDescriptionIn = (say: Say, { catalog }: Pick<Sold, 'catalog'>): string =>
  say.plain('profile-short', { things: thingsText(say, offeredCommands(catalog)) })

/** Sets the texts for every language of the bot; speakers of other languages get those of `foreignLocale`. */
export async function publishProfile(deps: ProfileDeps): Promise<void> {
  await publishIn(deps, deps.texts(foreignLocale), {})
  for (const locale of locales) await publishIn(deps, deps.texts(locale), { language_code: locale })
}

/** Telegram allows few changes of these texts, so only those that differ are sent. */
async function publishIn(
  deps: ProfileDeps,
  say: Say,
  at: { readonly language_code?: Locale },
): Promise<void> {
  const { api } = deps
  const description = descriptionIn(say, deps)
  const before = await api.getMyDescription(at)
  if (before.description !== description) await api.setMyDescription(description, at)
  const short = shortDescriptionIn(say, deps)
  const shortBefore = await api.getMyShortDescription(at)
  if (shortBefore.short_description !== short) await api.setMyShortDescription(short, at)
}

export async function publishMenuButton({ api }: Pick<MenuDeps, 'api'>): Promise<void> {
  await api.setChatMenuButton({ menu_button: { type: 'commands' } })
}
