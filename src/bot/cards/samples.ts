// Ready prompts of each kind, which one tap puts onto a card: an example beside the question for a prompt, and any of them for an empty
// mind.

import type { Answers } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
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
  // Longer than a text on a button may be, and without markup.
  return say.html(command === 'video' && hasFiles ? 'samples-animation' : `samples-${command}`).split(/\n\n+/)
}
