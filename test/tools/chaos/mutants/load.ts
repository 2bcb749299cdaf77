// Loads every changed file of every mutant in this process, to check that its syntax is right and that the imported names exist. Prints one
// line for each file that fails, and exits with code 1 if any fails.

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { changedFiles } from './copy.ts'
import { mutants } from './index.ts'

const root = join(import.meta.dirname, '../../../..')
/** The changed sources, by the URL of the file with the name of the mutant as its query. */
const sources = new Map<string, string>()

registerHooks({
  load(url, context, nextLoad) {
    const source = sources.get(url)
    return source === undefined
      ? nextLoad(url, context)
      : { format: 'module-typescript', source, shortCircuit: true }
  },
})

for (const { name, changes } of mutants) {
  for (const [file, source] of await changedFiles(root, changes)) {
    if (!file.endsWith('.ts')) continue
    const url = `${pathToFileURL(join(root, file))}?mutant=${name}`
    sources.set(url, source)
    await import(url).catch((error: unknown) => {
      process.stdout.write(`mutant ${name}: ${file} does not load: ${error}\n`)
      process.exitCode = 1
    })
  }
}
process.stdout.write(`loaded ${sources.size} files\n`)
