// Tools of text models: the bot's generation commands as functions. A call only fills a card; the user orders it by a tap.

import { z } from 'zod'
import { type Command, commands } from '../catalog/model.ts'
import type { ToolCall } from '../gateway/client.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>
    readonly required: readonly string[]
  }
}

const purposes: Readonly<Record<Command, string>> = {
  image: 'Propose a picture, when the user asks to draw or to show something.',
  video: 'Propose a video, when the user asks for one.',
  speech: 'Propose to say a text aloud as a voice message.',
  dialogue: 'Propose a spoken dialogue of two voices; the prompt is a script of lines "Name: words".',
  music: 'Propose a song or music.',
  model3d: 'Propose a 3D model.',
}

const prefix = 'make_'

export const toolsFor = (offered: readonly Command[]): readonly Tool[] =>
  offered.map((command) => ({
    name: prefix + command,
    description: `${purposes[command]} The user sees the price and decides; nothing is made before.`,
    parameters: {
      type: 'object',
      properties: { prompt: { type: 'string', description: 'What to make, complete in itself.' } },
      required: ['prompt'],
    },
  }))

export interface Proposal {
  readonly command: Command
  readonly prompt: string
}

const input = z.object({ prompt: z.string().min(1) })

/** Per answer; each proposal becomes a card. */
const mostProposals = 3

/** The proposals of the calls, without duplicates and invalid calls. */
export function proposalsIn(calls: readonly ToolCall[]): Proposal[] {
  const proposals = new Map<string, Proposal>()
  for (const { name, arguments: text } of calls) {
    const command = commands.find((one) => prefix + one === name)
    const { data } = input.safeParse(parseJson(text))
    if (command && data) proposals.set(`${command} ${data.prompt}`, { command, prompt: data.prompt })
    if (proposals.size === mostProposals) break
  }
  return [...proposals.values()]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
