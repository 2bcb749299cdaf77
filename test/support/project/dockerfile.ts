// Parses a Dockerfile into stages of instructions. It supports only the syntax that our Dockerfile uses, and throws an error for any other.

export interface Instruction {
  readonly name: string
  /** The text after the name, with its lines joined. */
  readonly rest: string
}

export interface Stage {
  readonly image: string
  readonly name: string | undefined
  readonly steps: readonly Instruction[]
}

export function stagesOf(text: string): readonly Stage[] {
  const stages: { image: string; name: string | undefined; steps: Instruction[] }[] = []
  for (const one of instructionsOf(text)) {
    const [, image = '', , name] = /^(\S+)( AS (\S+))?$/i.exec(one.rest) ?? []
    if (one.name === 'FROM') stages.push({ image, name, steps: [] })
    else stages.at(-1)?.steps.push(one)
  }
  return stages
}

function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  const joined = lines.join('\n').replaceAll(/\s*\\\n\s*/g, ' ')
  return joined.split('\n').map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`not an instruction: ${line}`)
    return { name, rest }
  })
}

/** The value of the last instruction with this name in a stage. */
export function lastOf({ steps }: Stage, name: string): string {
  const found = steps.findLast((one) => one.name === name)
  if (!found) throw new Error(`no ${name} in the stage ${JSON.stringify(name)}`)
  return found.rest
}

/** The pairs of an instruction like `ENV a=1 b=2` or `LABEL x="y z"`. */
export function pairsIn(rest: string): Readonly<Record<string, string>> {
  const found = [...rest.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)]
  return Object.fromEntries(found.map(([, key = '', value = '']) => [key, value.replaceAll('"', '')]))
}

/** The words of an instruction in exec form, such as CMD. */
export function wordsIn(rest: string): readonly string[] {
  const words: unknown = JSON.parse(rest)
  if (!Array.isArray(words)) throw new Error(`not in exec form: ${rest}`)
  return words.map(String)
}

/** The entries of a `.dockerignore` that contains only plain names and folders. */
export const ignoredBy = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^[^#\s]/.test(line))
