// MODEL-TTS-DIALOGUE: a text for one voice, or a dialogue of two. Source: gateway-api.md, "Speech: MODEL-TTS-DIALOGUE".

import { z } from 'zod'
import type { Answers, Called, Flat, Json, Misfit } from './field.ts'
import { codePoints, lengthBetween, parsedText, text } from './fields.ts'
import { defineModel } from './model.ts'
import { json } from './request.ts'

// Parses a text to be spoken: a dialogue with lines like `Anna: words`, or a text for one voice. Independent of models.

interface Turn {
  readonly speaker: string
  readonly words: string
}

type Script =
  /** A text for one voice; the speaker if each of several lines names the same one, whose name is not spoken. Any other text is spoken as written. */
  | { readonly kind: 'text'; readonly text: string; readonly speaker?: string }
  | {
      readonly kind: 'dialogue'
      readonly speakers: readonly [string, string]
      readonly turns: readonly Turn[]
    }
  /** There are more speakers than voices. */
  | { readonly kind: 'too-many-speakers'; readonly speakers: readonly string[] }

export function parseScript(typed: string): Script {
  const lines = typed.split(/\r\n?|\n/).flatMap((line) => line.trim() || [])
  const turns = turnsOf(lines)
  const names = namesIn(turns)
  const [first, second, ...more] = names.values()
  const isScript = turns.length > 1 && turns.length === lines.length
  if (first === undefined || (second === undefined && !isScript)) return { kind: 'text', text: typed }
  if (second === undefined)
    return { kind: 'text', text: turns.map(({ words }) => words).join('\n'), speaker: first }
  if (more.length > 0) return { kind: 'too-many-speakers', speakers: [first, second, ...more] }
  const named = turns.map(({ speaker, words }) => ({ speaker: names.get(keyOf(speaker)) ?? speaker, words }))
  return { kind: 'dialogue', speakers: [first, second], turns: named }
}

/** The turns of a dialogue. Empty when the first line has no speaker: a later `Word:` is then part of the text. */
function turnsOf(lines: readonly string[]): Turn[] {
  const turns: Turn[] = []
  for (const line of lines) {
    const turn = openingOf(line) ?? continued(turns.pop(), line)
    if (!turn) return []
    turns.push(turn)
  }
  return turns.filter(({ words }) => words !== '')
}

const continued = (turn: Turn | undefined, line: string): Turn | undefined =>
  turn && { ...turn, words: turn.words ? `${turn.words}\n${line}` : line }

/** Speakers in order of appearance, in their first spelling. */
function namesIn(turns: readonly Turn[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { speaker } of turns) {
    if (!names.has(keyOf(speaker))) names.set(keyOf(speaker), speaker)
  }
  return names
}

/** A name before the first colon: letters, digits, spaces, dots and hyphens. `//` after the colon means an address. */
const opening = /^([\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Zs}.-]{0,80}?)\p{Zs}*[:：](?!\/\/)(.*)$/u
const maxName = 40

function openingOf(line: string): Turn | undefined {
  const [, speaker = '', words = ''] = opening.exec(line) ?? []
  const isTime = /\p{N}$/u.test(speaker) && /^\p{N}/u.test(words)
  if (speaker === '' || [...speaker].length > maxName || isTime) return undefined
  return { speaker, words: words.trim() }
}

const keyOf = (speaker: string) => speaker.normalize('NFC').toLowerCase()

const maxText = 8000
const singleText = lengthBetween(1, maxText)
const voiceId = lengthBetween(1, 200)
const maxTurns = 100
const minCharged = 1000

// gateway-api.md does not show the fields of speakers and turns besides `speaker_id`. `voice` and `text` are assumed.
const named = z.object({ speaker_id: z.string().min(1) }).catchall(json)
const speakers = z
  .array(named)
  .length(2)
  .refine((pair) => pair[0]?.speaker_id !== pair[1]?.speaker_id, { error: 'speaker_id must differ' })
const turns = z.array(named).min(1).max(maxTurns)

const scriptOf = ({ script }: Answers) => parseScript(typeof script === 'string' ? script : '')
const isDialogue = (answers: Answers) => scriptOf(answers).kind === 'dialogue'

/** The label of a voice field, with the name of its speaker if there is one. */
function calledAfter(answers: Answers, at: 0 | 1): Called | undefined {
  const script = scriptOf(answers)
  const whose = script.kind === 'text' ? script.speaker : script.speakers[at]
  return whose === undefined ? undefined : { label: 'field-speaker-voice', hint: 'hint-speech-voice', whose }
}

function misfitOf(script: Script): Misfit | undefined {
  switch (script.kind) {
    case 'text': {
      const length = codePoints(script.text)
      return length > maxText ? { reason: 'too-long', length, max: maxText } : undefined
    }
    case 'dialogue': {
      const { length } = script.turns
      return length > maxTurns ? { reason: 'too-many-turns', length, max: maxTurns } : undefined
    }
    case 'too-many-speakers':
      return { reason: 'too-many-speakers', names: script.speakers.join(', ') }
  }
}

function put(script: Script, { voice = 'Kore', voice2 = 'Puck' }: Answers): Flat {
  if (script.kind === 'text') return { text: script.text }
  if (script.kind === 'too-many-speakers') return {}
  const [first, second] = script.speakers
  return {
    speakers: [
      { speaker_id: first, voice: String(voice) },
      { speaker_id: second, voice: String(voice2) },
    ],
    turns: script.turns.map(({ speaker, words }) => ({ speaker_id: speaker, text: words })),
  }
}

/** The length of all strings except the names of speakers: gateway-api.md does not show which field of a turn has the text. */
function spoken(value: Json): number {
  if (typeof value === 'string') return codePoints(value)
  if (typeof value !== 'object') return 0
  const parts = Object.entries(value).map(([key, part]) => (key === 'speaker_id' ? 0 : spoken(part)))
  return parts.reduce((sum, one) => sum + one, 0)
}

export const ttsDialogue = defineModel({
  id: 'MODEL-TTS-DIALOGUE',
  label: 'model-dialogue',
  modality: 'audio',
  commands: ['dialogue', 'speech'],
  capabilities: ['async', 'text_to_speech', 'dialogue'],
  status: 'active',
  endpoint: '/v1/audio/speech',
  mode: 'async',
  callbackPath: undefined,
  fields: [
    parsedText(
      'script',
      { text: singleText, speakers, turns },
      {
        label: 'field-text-or-dialogue',
        hint: 'hint-dialogue-script',
        audience: 'asked',
        // gateway-api.md gives no total for a dialogue: this limits what can be pasted.
        max: 20_000,
        fits: (typed) => misfitOf(parseScript(typed)) === undefined,
        misfit: (typed) => misfitOf(parseScript(typed)),
        put: (typed, all) => put(parseScript(typed), all),
      },
    ),
    parsedText(
      'voice',
      { voice: voiceId },
      {
        label: 'field-voice',
        hint: 'hint-dialogue-voice',
        called: (answers) => calledAfter(answers, 0),
        audience: 'card',
        source: 'voices',
        max: 200,
        default: 'Kore',
        fits: (typed) => voiceId.safeParse(typed).success,
        // In a dialogue the script writes the voice into `speakers`.
        put: (typed, all) => (isDialogue(all) ? {} : { voice: typed }),
      },
    ),
    parsedText(
      'voice2',
      { speakers },
      {
        label: 'field-second-voice',
        hint: 'hint-dialogue-second-voice',
        called: (answers) => calledAfter(answers, 1),
        audience: 'card',
        source: 'voices',
        max: 200,
        // An assumption: gateway-api.md names only Kore.
        default: 'Puck',
        when: isDialogue,
        fits: (typed) => voiceId.safeParse(typed).success,
        // The script writes this voice, because the script has the speakers.
        put: () => ({}),
      },
    ),
    text('style_instructions', {
      label: 'field-manner-of-speech',
      hint: 'hint-dialogue-manner',
      audience: 'card',
      max: 2000,
    }),
  ],
  rules: [
    { kind: 'excludes', left: ['text'], right: ['speakers', 'turns'] },
    { kind: 'excludes', left: ['voice'], right: ['speakers', 'turns'] },
    { kind: 'together', paths: ['speakers', 'turns'] },
    { kind: 'requires', when: {}, anyOf: ['text', 'turns'] },
    { kind: 'listed', path: 'turns', among: 'speakers', key: 'speaker_id' },
  ],
  rates: { character: { roubles: '6650', per: 1_000_000 } },
  cost({ text = '', turns = [], style_instructions = '' }) {
    const length = codePoints(text) + spoken(turns) + codePoints(style_instructions)
    const quantity = Math.max(minCharged, length)
    return { unit: 'character', quantity, isMinimum: quantity > length, rate: 'character', count: 1 }
  },
  delivers: () => ({ kind: 'voice', count: 1 }),
})
