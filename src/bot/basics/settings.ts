// /settings: the language; in a private chat also what becomes of words without a command, the model and the shape that the first card of a
// kind has, and broadcasts. A button shows the present value, and its data name the next one.

import { InlineKeyboard } from 'grammy'
import { type Command, shapes } from '../../catalog/model.ts'
import { taps } from '../../telegram/taps.ts'
import { localeName, locales } from '../../texts.ts'
import { type CardDefaults, changeUser, type User } from '../../users/user.ts'
import { type OnSale, offersChat, readOnSale } from '../commands.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx, redraw } from '../context.ts'
import { closeMenu, noteOwn, plainNote, sendMenu, tappedNote } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'

const settingsMessage = plainNote('settings')

export const settings = (deps: BotDeps): Routes => ({
  commands: {
    async settings(ctx) {
      const { html, keyboard } = await viewOf(deps, ctx)
      const sent = await sendMenu(deps, ctx, { at: 'settings' }, html, keyboard)
      await noteOwn(deps, ctx, sent, settingsMessage)
    },
  },
  taps: [
    onTap(taps.setLanguage, (ctx, { locale }) =>
      change(deps, ctx, { locale }, async ({ id }) => {
        await changeUser(deps.db, id, { language: locale })
        ctx.say = deps.texts(locale)
        return ctx.say.plain('settings-saved')
      }),
    ),
    onTap(taps.setWords, (ctx, { to }) =>
      change(deps, ctx, { isAlwaysAnswered: to === 'on' }, async ({ id, isAlwaysAnswered }) => {
        await changeUser(deps.db, id, { answersAcceptedAt: isAlwaysAnswered ? deps.clock.now() : null })
        return ctx.say.plain(isAlwaysAnswered ? 'words-now-answer' : 'words-now-ask')
      }),
    ),
    onTap(taps.setOwnNews, (ctx, { to }) =>
      change(deps, ctx, { isNewsOff: to === 'off' }, async ({ id, isNewsOff }) => {
        await changeUser(deps.db, id, { newsOffAt: isNewsOff ? deps.clock.now() : null })
        return ctx.say.plain(`news-${to}`)
      }),
    ),
    onTap(taps.setDefaultModel, (ctx, { command, modelId }) => {
      const { model: _, ...others } = ctx.user.cardDefaults[command] ?? {}
      return changeCard(deps, ctx, command, { ...others, ...(modelId === '-' ? {} : { model: modelId }) })
    }),
    onTap(taps.setDefaultShape, (ctx, { command, shape }) => {
      const { shape: _, ...others } = ctx.user.cardDefaults[command] ?? {}
      return changeCard(deps, ctx, command, { ...others, ...(shape === '-' ? {} : { shape }) })
    }),
  ],
})

const changeCard = (deps: BotDeps, ctx: Ctx, command: Command, to: CardDefaults[Command]): Promise<void> =>
  change(
    deps,
    ctx,
    { cardDefaults: { ...ctx.user.cardDefaults, [command]: to } },
    async ({ id, cardDefaults }) => {
      await changeUser(deps.db, id, { cardDefaults })
      return ctx.say.plain('settings-default-saved')
    },
  )

/** @param write stores the setting of the user; @returns the answer to the tap */
async function change(
  deps: BotDeps,
  ctx: Ctx,
  to: Partial<User>,
  write: (user: User) => Promise<string>,
): Promise<void> {
  if (!(await tappedNote(deps, ctx, settingsMessage))) return alertForeign(ctx)
  ctx.user = { ...ctx.user, ...to }
  const said = await write(ctx.user)
  await closeMenu(deps, ctx)
  await answerTap(ctx, said)
  const { html, keyboard } = await viewOf(deps, ctx)
  await redraw(ctx, html, keyboard)
}

async function viewOf(deps: BotDeps, ctx: Ctx): Promise<{ html: string; keyboard: InlineKeyboard }> {
  const { say, user, chat } = ctx
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
  addDefaults(keyboard, ctx, await readOnSale(deps))
  const news = user.isNewsOff ? 'off' : 'on'
  keyboard
    .row()
    .text(say.plain(`button-own-news-${news}`), taps.setOwnNews.data({ to: user.isNewsOff ? 'on' : 'off' }))
  return { html: say.html('settings-private'), keyboard }
}

/** A button for each kind that several models make, and for the shape of pictures and videos. */
function addDefaults(keyboard: InlineKeyboard, { say, user }: Ctx, onSale: OnSale): void {
  for (const command of onSale.commands) {
    const { model, shape } = user.cardDefaults[command] ?? {}
    const kind = say.plain(`begin-${command}`)
    const models = onSale.models(command)
    if (models.length > 1) {
      const chosen = models.find(({ id }) => id === model)
      const name = chosen ? say.label(chosen.label) : say.plain('default-usual-model')
      const modelId = after(['-', ...models.map(({ id }) => id)], chosen?.id ?? '-')
      const text = say.plain('button-default-model', { kind, name })
      keyboard.row().text(text, taps.setDefaultModel.data({ command, modelId }))
    }
    if (command !== 'image' && command !== 'video') continue
    const name = shape?.replace('x', ':') ?? say.plain('default-usual-shape')
    const text = say.plain('button-default-shape', { kind, name })
    const next = after(['-', ...shapes] as const, shape ?? '-')
    keyboard.row().text(text, taps.setDefaultShape.data({ command, shape: next }))
  }
}

/** The value after the present one, and the first one after the last. */
const after = <Value extends string>(values: readonly [Value, ...Value[]], present: Value): Value =>
  values[(values.indexOf(present) + 1) % values.length] ?? values[0]
