// The reply of a model: a tool call when the question calls for one, otherwise a text, cut at the limits of the request.

import { GatewayRefusal } from '../answer.ts'
import { type Ask, lastUserText, type Reply, type Tool, type ToolCall } from './ask.ts'
import { charactersPerToken } from './bill.ts'
import { compose } from './compose.ts'
import { sampleOf } from './sample.ts'
import { startOf, topicOf, wordsFor } from './words.ts'

/** @throws GatewayRefusal when the tool that must be called is not among the tools */
export function replyTo(ask: Ask): Reply {
  const question = lastUserText(ask)
  const thinking = ask.thinking ? wordsFor(question).thinking(topicOf(question)) : ''
  const empty = { thinking, text: '', calls: [], stoppedAt: undefined, source: undefined }
  const tool = toolFor(ask, question)
  if (tool) return { ...empty, calls: [callOf(tool, question)], ended: 'calls' }
  const source = ask.webSearch ? sourceFor(question) : undefined
  const whole = thinkBlock(ask) + compose(ask) + (source ? `\n\n[${source.title}](${source.url})` : '')
  return { ...empty, source, ...cut(ask, whole, thinking.length) }
}

/**
 * With the choice `auto` a tool is called when the question names it or asks for its product. A result of a tool is always answered with
 * text, so that a loop with the choice `required` ends.
 */
function toolFor({ tools, choice, turns }: Ask, question: string): Tool | undefined {
  if (choice === 'none' || turns.at(-1)?.role === 'tool') return undefined
  if (typeof choice === 'object') {
    const wanted = tools.find(({ name }) => name === choice.name)
    if (wanted) return wanted
    throw new GatewayRefusal(400, 'invalid_body', `tool_choice: no tool "${choice.name}" among the tools`)
  }
  const asked = question.toLowerCase()
  const named = tools.find(({ name }) => asked.includes(name.toLowerCase())) ?? requestedTool(tools, question)
  if (choice === 'required' && tools.length === 0) {
    throw new GatewayRefusal(400, 'invalid_body', 'tool_choice: a tool is required and there are no tools')
  }
  return named ?? (choice === 'required' ? tools[0] : undefined)
}

/** The string arguments are the words that the question has in quotes, or the thing that it asks to make. */
function callOf(tool: Tool, question: string): ToolCall {
  const { name, parameters } = tool
  const subject = requestedTool([tool], question) ? subjectOf(question) : 'example'
  const words = /["“«]([^"”»]+)["”»]/.exec(question)?.[1] ?? subject
  return { name, input: sampleOf(parameters, words) }
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

/** "For the MiniMax-style text family with `json_object` the content begins with a reasoning block". */
function thinkBlock(ask: Ask): string {
  if (ask.model.family !== 'minimax' || ask.json !== 'object') return ''
  const question = lastUserText(ask)
  return `<think>\n${wordsFor(question).thinking(topicOf(question))}\n</think>\n\n`
}

function cut(
  { stop, maxTokens }: Ask,
  whole: string,
  thinkingLength: number,
): Pick<Reply, 'text' | 'ended' | 'stoppedAt'> {
  const stops = stop
    .filter((one) => whole.includes(one))
    .toSorted((a, b) => whole.indexOf(a) - whole.indexOf(b))
  const [stoppedAt] = stops
  const text = stoppedAt === undefined ? whole : whole.slice(0, whole.indexOf(stoppedAt))
  const room =
    maxTokens === undefined ? Infinity : Math.max(0, maxTokens * charactersPerToken - thinkingLength)
  if (text.length > room) return { text: startOf(text, room), ended: 'length', stoppedAt: undefined }
  return { text, ended: stoppedAt === undefined ? 'whole' : 'stop', stoppedAt }
}
