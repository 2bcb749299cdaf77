// Ready prompts for each kind of order. One tap puts one onto a card: the example beside the question for a prompt, a random one
// ("Surprise me"), or one from the list of `/ideas`.

import type { Answers } from '../../catalog/field.ts'
import type { Command, Model } from '../../catalog/model.ts'
import { readAnswer } from '../../form/answer.ts'
import { promptField, settingAt } from '../../form/fit.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'

/** In English when the model takes no other language; none while the prompt means something else, such as lyrics. */
export function samplesFor(
  { texts }: Pick<BotDeps, 'texts'>,
  model: Model,
  answers: Answers,
  say: Say,
): readonly string[] {
  const field = promptField(model)
  const called = field && settingAt(model, model.complete(answers), field.name)?.field
  if (!field || called?.label !== field.label) return []
  const fitting = (all: readonly string[]) =>
    all.filter((words) => readAnswer(model, field, answers, words).ok)
  const own = fitting(samplesIn(model, answers, say))
  return own.length > 0 ? own : fitting(samplesIn(model, answers, texts('en')))
}

function samplesIn({ commands: [command], fields }: Model, answers: Answers, say: Say): readonly string[] {
  const hasFiles = fields.some(({ kind, name }) => kind === 'media' && answers[name] !== undefined)
  const listed = command === 'video' && hasFiles ? 'animation' : command
  return listed === 'animation' || listed === 'dialogue'
    ? say.html(`samples-${listed}`).split(/\n\n+/)
    : ideasOf(say, command).map(({ prompt }) => prompt)
}

export const kindsWithIdeas = [
  'image',
  'video',
  'speech',
  'music',
  'model3d',
] as const satisfies readonly Command[]

interface Idea {
  readonly title: string
  readonly prompt: string
}

/** The ideas in the texts, one in each line: `title: prompt`. */
export function ideasOf(say: Say, command: Command): readonly Idea[] {
  const kind = kindsWithIdeas.find((one) => one === command)
  const lines = kind ? say.plain(`ideas-${kind}`).split('\n') : []
  return lines.flatMap((line) => {
    const [, title = '', prompt = ''] = /^(.+?): (.+)$/.exec(line.trim()) ?? []
    return prompt === '' ? [] : { title, prompt }
  })
}
