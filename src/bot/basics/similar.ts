// Suggests a command for an unknown one: a misspelling (`/vidoe`), an abbreviation (`/img`), or the name that other bots use (`/3d`, `/pay`).

import { nearest } from '../../runtime/nearest.ts'

const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    image: ['photo', 'pic', 'picture', 'draw', 'imagine'],
    speech: ['voice', 'tts', 'say'],
    music: ['song', 'sing'],
    model3d: ['3d'],
    chat: ['ai', 'ask', 'gpt'],
    new: ['reset', 'clear'],
    topup: ['pay', 'buy', 'deposit'],
    history: ['orders', 'gallery'],
    settings: ['lang', 'language'],
    cancel: ['stop', 'exit'],
  }).flatMap(([command, names]) => names.map((name) => [name, command])),
)

/** @param typed without the slash @returns undefined when no command resembles it, or several do equally */
export function similarCommand(typed: string, commands: readonly string[]): string | undefined {
  const synonym = synonyms.get(typed)
  if (synonym && commands.includes(synonym)) return synonym
  return nearest(typed, commands)
}
