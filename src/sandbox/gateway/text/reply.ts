// The reply of a model: a tool call when the question calls for one, otherwise a text, cut at the limit of the request. The text quotes the
// last question and mentions attachments. Marks in the question set its length: `[long]` (about 9000 characters, more than two Telegram messages
// hold), `[short]` (one sentence) and `[silent]` (no words after the thinking).

import { z } from 'zod'
import { type Ask, lastUserText, type Reply, roomFor, type TextModel, type Tool, textOf } from './ask.ts'

type NewCall = Reply['calls'][number]

export function replyTo(ask: Ask, model: TextModel): Reply {
  const question = lastUserText(ask)
  const thinking = ask.showsThinking ? wordsFor(question).thinking(topicOf(question)) : ''
  const empty = { thinking, text: '', calls: [], source: undefined }
  const again = changedCall(ask, question)
  if (again) return { ...empty, calls: [again], ended: 'calls' }
  const tool = toolFor(ask, question)
  if (tool) return { ...empty, calls: [callOf(tool, question)], ended: 'calls' }
  const source = ask.modes.includes('search') ? sourceFor(question) : undefined
  const said = compose(ask) + (source ? `\n\n[${source.title}](${source.url})` : '')
  const whole = ask.json ? asJson(model, said) : said
  const room = Math.max(0, roomFor(ask) - thinking.length)
  if (whole.length <= room) return { ...empty, source, text: whole, ended: 'whole' }
  return { ...empty, text: startOf(whole, room), ended: 'length' }
}

/** "For the MiniMax-style text family … the content begins with a reasoning block delimited by think tags, followed by the JSON". */
function asJson({ family }: TextModel, answer: string): string {
  const thinking = family === 'minimax' ? '<think>\nThis has to be JSON.\n</think>\n\n' : ''
  return `${thinking}${JSON.stringify({ answer }, null, 2)}`
}

/** "Make it night now" calls again what was called last, with the words at the end of the earlier ones. */
function changedCall({ tools, turns }: Ask, question: string): NewCall | undefined {
  const change = /^(?:now )?(?:make it|сделай (?:её|его|это))\s+(.+)$/i.exec(question.trim())?.[1]
  const last = turns.flatMap(({ bits }) => bits.flatMap(({ call }) => call ?? [])).at(-1)
  const before = prompted.safeParse(last?.input).data
  if (!change || !last || !before || !tools.some(({ name }) => name === last.name)) return undefined
  return { name: last.name, input: { prompt: `${before.prompt}, ${change}`, change: true } }
}

const prompted = z.object({ prompt: z.string() })

/** A tool is called when the question names it or asks for its product. */
function toolFor({ tools }: Ask, question: string): Tool | undefined {
  const asked = question.toLowerCase()
  return tools.find(({ name }) => asked.includes(name.toLowerCase())) ?? requestedTool(tools, question)
}

const required = z.object({ required: z.array(z.string()).catch([]) })

/** The arguments are the words that the question has in quotes, or the thing that it asks to make. */
function callOf(tool: Tool, question: string): NewCall {
  const subject = requestedTool([tool], question) ? subjectOf(question) : 'example'
  const words = /["“«]([^"”»]+)["”»]/.exec(question)?.[1] ?? subject
  const names = required.safeParse(tool.parameters).data?.required ?? []
  return { name: tool.name, input: Object.fromEntries(names.map((name) => [name, words])) }
}

function sourceFor(question: string): Reply['source'] {
  const topic = topicOf(question).replaceAll(/[[\]]/g, '')
  const url = `https://example.com/search?q=${encodeURIComponent(topic)}`
  return { title: wordsFor(question).source(topic), url }
}

/** A word in the name of a tool, and the questions that ask for the product of such a tool. */
const toolRequests: readonly (readonly [string, RegExp])[] = [
  ['image', /^(please )?(draw|paint|sketch)\b|^(пожалуйста, )?(нарисуй|изобрази)/i],
  ['video', /^(please )?(film|make (me )?a video)\b|^(сними|сделай видео)/i],
  ['speech', /^(please )?(say|read) .*\baloud\b|^(озвучь|скажи вслух|прочитай вслух)/i],
  ['music', /^(please )?(sing|compose)\b|^(спой|сочини)/i],
]

function requestedTool(tools: readonly Tool[], question: string): Tool | undefined {
  const asked = question.trim()
  const word = toolRequests.find(([, pattern]) => pattern.test(asked))?.[0]
  return word === undefined ? undefined : tools.find(({ name }) => name.includes(word))
}

/** The request without its first word, the verb. */
const subjectOf = (question: string): string =>
  question
    .trim()
    .replace(/^\S+\s+(me\s+|мне\s+)?/i, '')
    .slice(0, 500)

const isGreeting = /^(hi|hello|hey|привет|здравствуй(те)?|добрый (день|вечер)|доброе утро)[\s!.,)]*$/i
const longLength = 9000

function compose(ask: Ask): string {
  const question = lastUserText(ask)
  const rewritten = rewrite(ask, question)
  if (rewritten !== undefined) return rewritten
  if (question.includes('[silent]')) return ''
  const words = wordsFor(question)
  const { bits = [] } = ask.turns.at(-1) ?? {}
  const files = bits.filter(({ isFile }) => isFile).length
  const isHeard = bits.some(({ sound }) => sound)
  if (isHeard && asksForHeard(ask)) return `> 🎤 ${words.heard}\n\n${words.opening(words.heard)}`
  const topic = topicOf(question)
  const opening = [
    ...(files > 0 ? [words.seen(files)] : []),
    ...(isHeard ? [words.listened] : []),
    ...(topic ? [words.opening(topic)] : []),
  ]
  if (isGreeting.test(topic) || opening.length === 0) return words.greeting
  if (question.includes('[short]')) return opening.join(' ')
  if (question.includes('[long]')) return composeLong(opening, (n) => words.section(n, topic))
  const parts = [opening.join(' '), words.points.map((point) => `- ${point}`).join('\n'), words.closing]
  return parts.join('\n\n')
}

/** Whether the request has the model write down what it heard. */
const asksForHeard = ({ turns }: Ask): boolean =>
  turns.some((turn) => turn.role === 'system' && textOf(turn).includes('> 🎤'))

function composeLong(parts: readonly string[], section: (number: number) => string): string {
  const all = [parts.join(' ')]
  while (all.join('\n\n').length < longLength) all.push(section(all.length))
  return all.join('\n\n')
}

const inEnglish = (words: string): boolean => !/\p{Script=Cyrillic}/u.test(words)

const russian = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя'
const latin = 'a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya'.split(' ')

/** @returns undefined when the conversation asks for something else */
function rewrite({ turns }: Ask, words: string): string | undefined {
  const [first] = turns
  const system = first?.role === 'system' ? textOf(first) : ''
  if (/^Translate .* into English/.test(system)) return inLatin(words)
  if (/^Write the lyrics/.test(system)) return `[Verse]\n${words}\nla la la\n\n[Chorus]\nla la la`
  if (/^Describe the picture/.test(system))
    return `${words}: a plain coloured ground in soft light, seen from above`
  if (/^Improve/.test(system))
    return `${words}, ${inEnglish(words) ? 'soft light, fine detail' : 'мягкий свет, тонкие детали'}`
  const most = /^Shorten .* at most (\d+) characters/.exec(system)?.[1]
  if (most === undefined) return undefined
  return words.includes('[long]') ? words : words.slice(0, Number(most)).trim()
}

function inLatin(words: string): string {
  const letters = [...words.toLowerCase()].map((one) => latin[russian.indexOf(one)] ?? one).join('')
  return letters.replaceAll(/[^\p{Script=Latin}\p{Script=Common}]/gu, '')
}

// The sentences that answers are composed of. The same question always gets the same answer.

const en = {
  greeting: 'Hello! Ask me anything: I can explain, plan, write and help with code.',
  seen: (n: number) =>
    n === 1 ? 'I have looked at what you attached.' : `I have looked at all ${n} attachments.`,
  /** What is understood of every recording. */
  heard: 'Where do I begin?',
  listened: 'I have listened to what you sent.',
  opening: (topic: string) => `About “${topic}”: the short answer is to take it *one step at a time*.`,
  points: [
    '**Begin with the goal.** Say in one sentence what should be different afterwards.',
    '**Try the smallest version first.** It shows quickly what was missing from the plan.',
    '**Check the result** against the goal and only then go on to the next step.',
  ],
  closing: 'Shall I go into the details of one of these?',
  section: (number: number, topic: string) =>
    `## ${number}. A closer look at “${topic}”\n\nWhat looks like one question is usually several, and they are easier to ` +
    `answer apart.\n\n- What is known: write it down.\n- What must be decided: choose what is *easy to undo*.`,
  thinking: (topic: string) =>
    `The user asks about “${topic}”. I should give a short answer first and then the steps.`,
  source: (topic: string) => `What is written about “${topic}”`,
}

const ru: typeof en = {
  greeting:
    'Здравствуйте! Спрашивайте о чём угодно: объясню, составлю план, напишу текст или помогу с программой.',
  seen: (n) => (n === 1 ? 'Я посмотрел то, что вы приложили.' : `Я посмотрел все вложения (${n}).`),
  heard: 'С чего мне начать?',
  listened: 'Я прослушал то, что вы прислали.',
  opening: (topic) => `Про «${topic}» коротко: лучше двигаться *шаг за шагом*.`,
  points: [
    '**Начните с цели.** Одним предложением: что должно измениться в итоге.',
    '**Сначала попробуйте самое простое.** Так быстрее видно, чего не хватало в плане.',
    '**Сверьте результат** с целью и только потом переходите к следующему шагу.',
  ],
  closing: 'Рассказать о каком-нибудь из пунктов подробнее?',
  section: (number, topic) =>
    `## ${number}. Подробнее: «${topic}»\n\nТо, что кажется одним вопросом, обычно состоит из нескольких, и по отдельности ` +
    `на них проще ответить.\n\n- Что известно: запишите.\n- Что нужно решить: выбирайте то, что *легко отменить*.`,
  thinking: (topic) => `Спрашивают про «${topic}». Сначала дам короткий ответ, затем шаги.`,
  source: (topic) => `Что пишут про «${topic}»`,
}

const wordsFor = (text: string): typeof en => (/[а-яё]/i.test(text) ? ru : en)

/** The beginning of a text for quoting: in one line, without marks such as `[long]`. */
export function topicOf(text: string): string {
  const line = text
    .replaceAll(/\[[a-z]+\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 60 ? `${startOf(line, 60).replace(/\s\S*$/, '')}…` : line
}

/** The first `length` UTF-16 units of a text, or one fewer if a character would be split. */
const startOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
