// /settings: the language; in a private chat also what becomes of words without a command.

import { InlineKeyboard } from 'grammy'
import { taps } from '../../telegram/taps.ts'
import { localeName, locales } from '../../texts.ts'
import { setAlwaysAnswered, setLanguage } from '../../users/user.ts'
import { offersChat } from '../commands.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx, redraw } from '../context.ts'
import { closeMenu, noteOwn, plainNote, sendMenu, tappedNote } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'

const settingsMessage = plainNote('settings')

export const settings = (deps: BotDeps): Routes => ({
  commands: {
    async settings(ctx) {
      const { html, keyboard } = viewOf(deps, ctx)
      const sent = await sendMenu(deps, ctx, { at: 'settings' }, html, keyboard)
      await noteOwn(deps, ctx, sent, settingsMessage)
    },
  },
  taps: [
    onTap(taps.setLanguage, (ctx, { locale }) =>
      change(deps, ctx, async () => {
        await setLanguage(deps.db, ctx.user.id, locale)
        ctx.user = { ...ctx.user, locale }
        ctx.say = deps.texts(locale)
        return ctx.say.plain('settings-saved')
      }),
    ),
    onTap(taps.setWords, (ctx, { to }) =>
      change(deps, ctx, async () => {
        const isAlwaysAnswered = to === 'on'
        await setAlwaysAnswered(deps.db, ctx.user.id, isAlwaysAnswered ? deps.clock.now() : null)
        ctx.user = { ...ctx.user, isAlwaysAnswered }
        return ctx.say.plain(isAlwaysAnswered ? 'words-now-answer' : 'words-now-ask')
      }),
    ),
  ],
})

/** @param write changes the setting; @returns the answer to the tap */
async function change(deps: BotDeps, ctx: Ctx, write: () => Promise<string>): Promise<void> {
  if (!(await tappedNote(deps, ctx, settingsMessage))) return alertForeign(ctx)
  const said = await write()
  await closeMenu(deps, ctx)
  await answerTap(ctx, said)
  const { html, keyboard } = viewOf(deps, ctx)
  await redraw(ctx, html, keyboard)
}

function viewOf(deps: BotDeps, { say, user, chat }: Ctx): { html: string; keyboard: InlineKeyboard } {
  const keyboard = new InlineKeyboard()
  for (const locale of locales) {
    const name = locale === say.locale ? `● ${localeName(locale)}` : localeName(locale)
    keyboard.text(name, taps.setLanguage.data({ locale }))
  }
  if (chat?.type !== 'private') return { html: say.html('settings'), keyboard }
  if (offersChat(deps)) {
    const [text, to] = user.isAlwaysAnswered
      ? [say.plain('button-words-answer'), 'off' as const]
      : [say.plain('button-words-ask'), 'on' as const]
    keyboard.row().text(text, taps.setWords.data({ to }))
  }
  return { html: say.html('settings-private'), keyboard }
}
