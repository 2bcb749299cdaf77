// What a model replies: a call of a tool when one is meant, a text otherwise, cut where the request says.

import { GatewayRefusal } from '../answer.ts'
import { type Ask, lastUserText, type Reply, type Tool, type ToolCall } from './ask.ts'
import { charactersPerToken } from './bill.ts'
import { compose } from './compose.ts'
import { sampleOf } from './sample.ts'
import { wishedTool, wishIn } from './wishes.ts'
import { startOf, topicOf, wordsFor } from './words.ts'

/** @throws GatewayRefusal when the tool that must be called is not there */
export function replyTo(ask: Ask): Reply {
  const question = lastUserText(ask)
  const thinking = ask.thinking ? wordsFor(question).thinking(topicOf(question)) : ''
  const nothing = { thinking, text: '', calls: [], stoppedAt: undefined, source: undefined }
  const tool = toolFor(ask, question)
  if (tool) return { ...nothing, calls: [callOf(tool, question)], ended: 'calls' }
  const source = ask.webSearch ? sourceFor(question) : undefined
  const whole = thoughtAloud(ask) + compose(ask) + (source ? `\n\n[${source.title}](${source.url})` : '')
  return { ...nothing, source, ...cut(ask, whole, thinking.length) }
}

/**
 * In the mode `auto` a tool is called when the question names it or plainly wants what it makes; and whatever the mode, its result is answered in words,
 * so that a loop which requires a tool comes to an end.
 */
function toolFor({ tools, choice, turns }: Ask, question: string): Tool | undefined {
  if (choice === 'none' || turns.at(-1)?.role === 'tool') return undefined
  if (typeof choice === 'object') {
    const wanted = tools.find(({ name }) => name === choice.name)
    if (wanted) return wanted
    throw new GatewayRefusal(400, 'invalid_body', `tool_choice: no tool "${choice.name}" among the tools`)
  }
  const asked = question.toLowerCase()
  const named = tools.find(({ name }) => asked.includes(name.toLowerCase())) ?? wishedTool(tools, question)
  if (choice === 'required' && tools.length === 0) {
    throw new GatewayRefusal(400, 'invalid_body', 'tool_choice: a tool is required and there are no tools')
  }
  return named ?? (choice === 'required' ? tools[0] : undefined)
}

/** Texts among the arguments are what the question has in quotes, or what it wishes for. */
function callOf(tool: Tool, question: string): ToolCall {
  const { name, parameters } = tool
  const wished = wishedTool([tool], question) ? wishIn(question) : 'example'
  const quoted = /["“«]([^"”»]+)["”»]/.exec(question)?.[1] ?? wished
  return { name, input: sampleOf(parameters, quoted) }
}

function sourceFor(question: string): Reply['source'] {
  const topic = topicOf(question).replaceAll(/[[\]]/g, '')
  const address = `https://example.com/search?q=${encodeURIComponent(topic)}`
  return { title: wordsFor(question).source(topic), url: address }
}

/** "For the MiniMax-style text family with `json_object` the content begins with a reasoning block". */
function thoughtAloud(ask: Ask): string {
  if (ask.model.family !== 'minimax' || ask.json !== 'object') return ''
  const question = lastUserText(ask)
  return `<think>\n${wordsFor(question).thinking(topicOf(question))}\n</think>\n\n`
}

function cut(
  { stop, maxTokens }: Ask,
  whole: string,
  thought: number,
): Pick<Reply, 'text' | 'ended' | 'stoppedAt'> {
  const stops = stop
    .filter((one) => whole.includes(one))
    .toSorted((a, b) => whole.indexOf(a) - whole.indexOf(b))
  const [stoppedAt] = stops
  const text = stoppedAt === undefined ? whole : whole.slice(0, whole.indexOf(stoppedAt))
  const room = maxTokens === undefined ? Infinity : Math.max(0, maxTokens * charactersPerToken - thought)
  if (text.length > room) return { text: startOf(text, room), ended: 'length', stoppedAt: undefined }
  return { text, ended: stoppedAt === undefined ? 'whole' : 'stop', stoppedAt }
}
