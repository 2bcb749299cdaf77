// Asks all text models through the chat, with every mode that each offers, and checks the answer, the price and the request.

import { eq } from 'drizzle-orm'
import { turns, users } from '../../../src/db/schema.ts'
import { colored } from '../../support/media/media-files.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'
import { type TextModel, textModels } from './gateway/models.ts'
import { inWords, type TextPersonality } from './gateway/personality.ts'
import type { Seen } from './gateway/script.ts'
import type { Failure } from './media-orders.ts'
import { type ConformanceWorld, credit } from './world.ts'

type Ask = 'words' | 'tool' | 'picture' | 'refused' | 'broken'

interface Question {
  readonly modes: readonly string[]
  readonly ask: Ask
}

const patienceMs = 60_000
const question = 'How deep is the sea?'

/** Asks all questions to all models, the models at the same time. @returns the failures */
export async function askAll(
  world: ConformanceWorld,
  personalityOf: (order: number) => TextPersonality,
  models: readonly TextModel[] = textModels,
): Promise<Failure[]> {
  const all = models.map(async (model, index) => {
    const failures: Failure[] = []
    const asked = await questionsFor(world, model)
    for (const [number, one] of asked.entries()) {
      const personality = personalityOf(index + number * models.length)
      world.gateway.becomeText(model.id, personality)
      const reason = await tryQuestion(world, model, one, personality).catch(String)
      const what = `${model.family} ${one.ask} [${one.modes.join(', ')}]`
      if (reason) failures.push({ what, personality: inWords(personality), reason })
    }
    return failures
  })
  return (await Promise.all(all)).flat()
}

/** The questions for a model: with no mode, with each mode that the card offers, with all modes, and the other kinds of questions. */
async function questionsFor(world: ConformanceWorld, model: TextModel): Promise<readonly Question[]> {
  const user = await world.user('Boris')
  const modes = modesOn(await choose(user, model), 'off')
  const withModes = [[], ...modes.map((mode) => [mode]), ...(modes.length > 1 ? [modes] : [])]
  const asks: readonly Ask[] = ['tool', 'refused', 'broken', 'picture']
  return [
    ...withModes.map((on): Question => ({ modes: on, ask: 'words' })),
    ...asks.map((ask): Question => ({ modes: [], ask })),
    ...(model.vision ? modes : []).map((mode): Question => ({ modes: [mode], ask: 'picture' })),
  ]
}

const modesOn = (card: SandboxMessage, state: 'on' | 'off') =>
  labelsOf(card).flatMap((label) =>
    label.endsWith(`: ${state}`) ? [label.slice(0, label.lastIndexOf(':'))] : [],
  )

/** Chooses a model. @returns the card of the conversation with it */
async function choose(user: SandboxUser, { family }: TextModel): Promise<SandboxMessage> {
  await user.sends('/model')
  await user.taps(/Model: /, patienceMs)
  await user.taps(new RegExp(`^(● )?${family} · `), patienceMs)
  return user.sees(new RegExp(`^💬 ${family}\n`), patienceMs)
}

async function tryQuestion(
  world: ConformanceWorld,
  model: TextModel,
  { modes, ask }: Question,
  personality: TextPersonality,
): Promise<string | undefined> {
  const { gateway } = world
  const user = await world.user('Clara')
  let card = await choose(user, model)
  for (const mode of modes) {
    if (modesOn(card, 'off').includes(mode)) await user.taps(`${mode}: off`, patienceMs)
    card = await user.sees((one) => modesOn(one, 'on').includes(mode), patienceMs)
  }
  if (ask === 'refused') gateway.next(model.id, { kind: 'refuse', status: 400, words: 'not this question' })
  if (ask === 'broken') gateway.next(model.id, { kind: 'break', words: 'overloaded' })
  const before = gateway.seen.length
  await put(user, ask)
  const answer = await user.sees(isAnswer(card.message_id), patienceMs)
  const seen = gateway.seen.slice(before).filter((one) => one.model === model.id)
  const wrong = seen.find((one) => one.problem)
  if (wrong) return `${wrong.operation} refused as not documented: ${wrong.problem}`
  if (ask === 'tool' && seen[0]?.operation === 'chat') await user.sees(/red ball/, patienceMs)
  const shown = await user.transcript()
  return (
    answerProblem(ask, { shown, answer: answer.text ?? '', seen, personality }) ??
    unsentMode(modesOn(card, 'on'), ask, seen) ??
    (await moneyProblem(world, user))
  )
}

async function put(user: SandboxUser, ask: Ask): Promise<void> {
  if (ask !== 'picture') return void (await user.sends(ask === 'tool' ? 'Use a tool, please' : question))
  const bytes = await colored(64, 48, [0, 160, 240]).jpeg().toBuffer()
  await user.sendsFile({ kind: 'photo', name: 'sea.jpg', bytes }, 'What is on it?')
}

/**
 * Whether a message is the end of an answer: with its price, with a card that a tool call proposes, or with the reason of a missing
 * answer.
 */
const isAnswer =
  (after: number) =>
  ({ from, message_id, text = '', reply_markup }: SandboxMessage): boolean =>
    from?.is_bot === true &&
    message_id > after &&
    (/cr:/.test(JSON.stringify(reply_markup ?? {})) || /^(❌|⚠️|👁|🙈)|pictures?/.test(text))

const picturePart = /"(image_url|inlineData|image)"/

interface Answered {
  /** The texts of all messages in the chat. */
  readonly shown: string
  readonly answer: string
  readonly seen: readonly Seen[]
  readonly personality: TextPersonality
}

const isIn = (shown: string, words: RegExp, otherwise: string) => (words.test(shown) ? undefined : otherwise)

function refusedProblem({ shown, personality }: Answered): string | undefined {
  if (/<h1>|\[object/.test(shown)) return `the user reads code: ${shown}`
  return personality.errors === 'html'
    ? undefined
    : isIn(shown, /not this question/, `the words are lost: ${shown}`)
}

function answerProblem(ask: Ask, answered: Answered): string | undefined {
  const { shown, answer, seen, personality } = answered
  const isStream = personality.answer === 'stream' && seen[0]?.operation !== 'native'
  if (ask === 'refused') return refusedProblem(answered)
  if (ask === 'broken' && isStream) {
    return isIn(shown, /broke off|No answer|did not accept/, `nothing is said of the break: ${answer}`)
  }
  if (ask === 'tool' && seen[0]?.operation === 'chat') return undefined
  if (ask === 'picture' && !seen.some(({ body }) => picturePart.test(JSON.stringify(body)))) {
    return isIn(shown, /pictures/, `the picture was dropped without a word: ${answer}`)
  }
  return isIn(answer, /ёжик 🦔 и 汉字, line\nend/, `the answer is damaged: ${answer}`)
}

const signs: Readonly<Record<string, RegExp>> = {
  Thinking: /"(thinking|thinkingConfig|reasoning_effort|reasoning)"/,
  'Web search': /web_search|googleSearch/,
  'Run code': /code_interpreter|codeExecution/,
}

/** A mode that was shown as on but is missing in the request. */
function unsentMode(on: readonly string[], ask: Ask, seen: readonly Seen[]): string | undefined {
  const sent = JSON.stringify(seen.map(({ body }) => body))
  if (seen.length === 0 || ask === 'refused') return undefined
  const unsent = on.find((mode) =>
    Object.entries(signs).some(([name, sign]) => mode.includes(name) && !sign.test(sent)),
  )
  return unsent ? `${unsent} is shown as on, and nothing of it was sent` : undefined
}

async function moneyProblem(world: ConformanceWorld, user: SandboxUser): Promise<string | undefined> {
  const asked = world.app.db.select().from(turns).innerJoin(users, eq(users.id, turns.userId))
  const answers = await asked.where(eq(users.telegramId, user.id))
  const captured = answers.reduce((sum, { turns: turn }) => sum + (turn.captured ?? 0n), 0n)
  const { available, held } = await world.fundsOf(user)
  if (held !== 0n) return `${held} are still held`
  if (available !== BigInt(credit * 100) - captured) return `the balance is ${available}, ${captured} charged`
  const isFree = answers.some(({ turns: turn }) => turn.state === 'done' && !turn.captured)
  return isFree ? 'an answer was free' : undefined
}
