// The persona of a conversation: a ready-made one or the user's own text, which is sent to the model with every question.

import { type Context, InlineKeyboard } from 'grammy'
import { codePoints, visible } from '../../catalog/fields.ts'
import { personaNames } from '../../catalog/text-models.ts'
import { type Conversation, changeConversation } from '../../chat/conversations.ts'
import { taps } from '../../telegram/taps.ts'
import { answerTap, type BotDeps, type Ctx, redraw, reply } from '../context.ts'
import { closeMenu, leaveMenu, noteOwn, openMenu, plainNote, sendMenu } from '../notes.ts'
import { type Asker, actOutside, askForWords, type BotConversation, closeQuestionOf } from '../question.ts'
import type { Routes } from '../routes.ts'
import {
  conversationHere,
  onSettings,
  onShownSettings,
  ownPersonaName,
  personaLabel,
  personaText,
  readyPersona,
  settingsMessage,
  whyNotChange,
} from './settings.ts'

/** Code points. */
const maxPersona = 2000

export const personas = (deps: BotDeps): Routes => ({
  commands: {
    persona: (ctx) => takePersona(deps, ctx, visible(ctx.match)),
    system: (ctx) => takePersona(deps, ctx, visible(ctx.match)),
  },
  taps: [
    onShownSettings(deps, taps.personas, async (_, ctx, conversation) => {
      await answerTap(ctx)
      await redrawPersonas(deps, ctx, conversation)
      await openMenu(deps, ctx, { at: 'persona' })
    }),
    onSettings(deps, taps.persona, (_, ctx, conversation, { persona }) =>
      switchPersona(deps, ctx, conversation, personaText(ctx.say, persona)),
    ),
    onSettings(deps, taps.removePersona, (_, ctx, chat) => switchPersona(deps, ctx, chat, null)),
    onSettings(deps, taps.ownPersona, async (_, ctx) => {
      await answerTap(ctx)
      await enterOwn(ctx)
    }),
  ],
})

async function takePersona(deps: BotDeps, ctx: Ctx, text: string): Promise<void> {
  if (text === '') return showPersonas(deps, ctx)
  if (fits(text)) {
    await closeQuestionOf(deps, ctx, ownPersonaName)
    return setOwn(deps, ctx, text)
  }
  // The next text takes its place.
  if (await conversationToChange(deps, ctx))
    await enterOwn(ctx, ctx.say.html('persona-too-long', lengthOf(text)))
}

const fits = (text: string): boolean => codePoints(text) <= maxPersona
const lengthOf = (text: string) => ({ length: codePoints(text), max: maxPersona })

async function showPersonas(deps: BotDeps, ctx: Ctx): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  if (!conversation) return reply(ctx, ctx.say.html('chat-off'))
  const { html, keyboard } = viewOf(deps, ctx, conversation)
  const sent = await sendMenu(deps, ctx, { at: 'persona' }, html, keyboard)
  await noteOwn(deps, ctx, sent, settingsMessage)
}

async function redrawPersonas(deps: BotDeps, ctx: Ctx, conversation: Conversation): Promise<void> {
  const { html, keyboard } = viewOf(deps, ctx, conversation)
  await redraw(ctx, html, keyboard)
}

async function switchPersona(deps: BotDeps, ctx: Ctx, { id }: Conversation, system: string | null) {
  await closeQuestionOf(deps, ctx, ownPersonaName)
  const changed = await changeConversation(deps.db, id, { system })
  await closeMenu(deps, ctx)
  await answerTap(ctx)
  if (changed) await redrawPersonas(deps, ctx, changed)
}

async function setOwn(deps: BotDeps, ctx: Ctx, text: string): Promise<void> {
  const conversation = await conversationToChange(deps, ctx)
  if (!conversation) return
  await changeConversation(deps.db, conversation.id, { system: text })
  await showPersonas(deps, ctx)
  await leaveMenu(deps, ctx)
}

/** @returns undefined after a reply that says why the persona cannot be changed */
async function conversationToChange(deps: BotDeps, ctx: Ctx): Promise<Conversation | undefined> {
  const conversation = await conversationHere(deps, ctx)
  const refused = conversation ? await whyNotChange(ctx, conversation) : 'chat-off'
  if (!refused) return conversation
  await reply(ctx, ctx.say.html(refused))
  return undefined
}

/** The message contains the text of the persona, so that it can be copied before another persona replaces it. */
function viewOf({ texts }: BotDeps, { say }: Ctx, { system }: Conversation) {
  const parts = [
    say.html('personas'),
    ...(system === null ? [] : [say.html('persona-told', { text: system })]),
  ]
  const active = readyPersona(texts, system)
  const marked = (isActive: boolean, label: string) => (isActive ? `● ${label}` : label)
  const keyboard = new InlineKeyboard()
  for (const [at, name] of personaNames.entries()) {
    keyboard.text(marked(name === active, personaLabel(say, name)), taps.persona.data({ persona: name }))
    if (at % 2 === 1) keyboard.row()
  }
  const isOwn = system !== null && active === undefined
  keyboard.row().text(marked(isOwn, say.plain('button-own-persona')), taps.ownPersona.data())
  if (system !== null) keyboard.row().text(say.plain('button-persona-off'), taps.removePersona.data())
  keyboard.row().text(say.plain('button-persona-settings'), taps.chatSettings.data())
  return { html: parts.join('\n\n'), keyboard }
}

const personaQuestion = plainNote('persona-question')

interface Args extends Asker {
  /** HTML of the question, in place of its usual text. */
  readonly html?: string
}

function enterOwn({ conversation, user, say }: Ctx, html?: string): Promise<void> {
  const args: Args = { userId: String(user.id), locale: say.locale, ...(html === undefined ? {} : { html }) }
  return conversation.enter(ownPersonaName, args)
}

export function createOwnPersona(deps: BotDeps) {
  return async function persona(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const asked = { kind: personaQuestion, userId: BigInt(args.userId), about: {} }
    const html = args.html ?? say.html('persona-ask', { max: maxPersona })
    const { words: text } = await askForWords(deps, conversation, ctx, asked, { html, say }, ({ words }) =>
      fits(words) ? undefined : say.html('persona-too-long', lengthOf(words)),
    )
    await actOutside(conversation, (outside) => setOwn(deps, outside, text))
  }
}
