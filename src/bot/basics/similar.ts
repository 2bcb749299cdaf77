// Suggests a command for an unknown one: a misspelling (`/vidoe`), an abbreviation (`/img`), or the name that other bots use (`/3d`, `/pay`).

/** Shorter words resemble too many commands. */
const shortest = 3

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
  if (typed.length < shortest) return undefined
  const ranked = commands
    .map((command) => ({ command, rank: rankOf(typed, command) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.rank - b.rank)
  const [best, second] = ranked
  return best?.rank === second?.rank ? undefined : best?.command
}

function rankOf(typed: string, command: string): number {
  if (command.startsWith(typed) || typed.startsWith(command)) return 0
  if (isAbbreviation(typed, command)) return 1
  const edits = editsBetween(typed, command)
  return edits <= (typed.length < 5 ? 1 : 2) ? 1 + edits : Number.POSITIVE_INFINITY
}

/** Whether a command can be abbreviated like this: its first letter, and others in their order, as in `img`. */
function isAbbreviation(typed: string, command: string): boolean {
  let at = 0
  for (const letter of command) if (letter === typed[at]) at += 1
  return typed[0] === command[0] && at === typed.length
}

/** Counts letters that are missing, too many or different (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
