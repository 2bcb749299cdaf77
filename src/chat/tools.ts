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

export const toolNameOf = (command: Command): string => prefix + command

export const toolsFor = (offered: readonly Command[]): readonly Tool[] =>
  offered.map((command) => ({
    name: toolNameOf(command),
    description: `${purposes[command]} The user sees the price and decides; nothing is made before. The result of an earlier call says what became of it.`,
    parameters: {
      type: 'object',
      properties: {
        prompt: { type: 'string', description: 'What to make, complete in itself.' },
        change: {
          type: 'boolean',
          description:
            'True to change the last one, whose model and settings are kept. The prompt is whole again.',
        },
      },
      required: ['prompt'],
    },
  }))

export interface Proposal {
  readonly command: Command
  readonly prompt: string
  readonly isChange?: true
}

const input = z.object({ prompt: z.string().min(1), change: z.boolean().catch(false).default(false) })

/** Per answer; each proposal becomes a card. */
const mostProposals = 3

/** The proposals of the calls, without duplicates and invalid calls. */
export function proposalsIn(calls: readonly ToolCall[]): Proposal[] {
  const proposals = new Map<string, Proposal>()
  for (const { name, arguments: text } of calls) {
    const command = commands.find((one) => toolNameOf(one) === name)
    const { data } = input.safeParse(parseJson(text))
    if (command && data) {
      const proposal = { command, prompt: data.prompt, ...(data.change ? { isChange: true as const } : {}) }
      proposals.set(`${command} ${data.prompt}`, proposal)
    }
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
