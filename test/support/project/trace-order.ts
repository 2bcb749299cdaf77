// `npm run trace-order`: the files of src that one `/video` crosses in the sandbox, from the message to the delivered video, and how many
// lines they have. With `--write` it writes them into docs/architecture.md. A file counts when one of its functions is called on the way
// that an idle app does not call.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { silentLog } from '../../../src/runtime/log.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { createUser, type SandboxUser } from '../users/user.ts'

const root = join(import.meta.dirname, '../../..')
const src = `${pathToFileURL(join(root, 'src'))}/`

interface Part {
  readonly name: string
  /** Paths below src; without those that an earlier part calls. */
  readonly files: readonly string[]
}

const scenes: readonly [name: string, play: (user: SandboxUser) => Promise<unknown>][] = [
  [
    'the card',
    async ({ sends, seesButton }) => {
      await sends('/video a cat surfing')
      await seesButton(/^Generate/)
    },
  ],
  [
    'the order',
    async ({ taps, sees }) => {
      await taps(/^Generate/)
      await sees((message) => message.video !== undefined)
      await sees(/charged/)
    },
  ],
]

/** The functions that were called since the last time, as `path offset`. The function that V8 makes of a module itself does not count. */
async function calledFunctions(session: Session): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(src) && !url.startsWith(`${src}sandbox/`))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [range] }) => {
        const isModule = functionName === '' && range?.startOffset === 0
        return range && range.count > 0 && !isModule ? [`${url.slice(src.length)} ${range.startOffset}`] : []
      }),
    )
}

const idleMs = 5000

async function trace(user: SandboxUser): Promise<readonly Part[]> {
  await user.sends('/start')
  await user.sees(/Anna/)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await sleep(idleMs)
  const idle = new Set(await calledFunctions(session))
  const seen = new Set<string>()
  const parts: Part[] = []
  for (const [name, play] of scenes) {
    await play(user)
    const called = (await calledFunctions(session)).filter((one) => !idle.has(one))
    const files = [...new Set(called.map(fileOf))].filter((file) => !seen.has(file)).toSorted()
    for (const file of files) seen.add(file)
    parts.push({ name, files })
  }
  session.disconnect()
  return parts
}

const fileOf = (one: string): string => one.split(' ')[0] ?? one

/** A table with one row for each room of each part. */
function sectionOf(parts: readonly Part[]): string {
  const files = parts.flatMap((part) => part.files)
  const lines = files.map((file) => readFileSync(join(root, 'src', file), 'utf8').split('\n').length - 1)
  const sum = lines.reduce((all, one) => all + one, 0)
  const rows = parts.flatMap(({ name, files }) =>
    [...Map.groupBy(files, roomOf)].map(
      ([room, some]) =>
        `| ${name} | ${room} | ${some.map((file) => file.replace(`${room}/`, '')).join(', ')} |`,
    ),
  )
  const head = ['| on the way to | room | files, each where it is called first |', '|---|---|---|']
  return [`${files.length} files with ${sum} lines:`, '', ...head, ...rows].join('\n')
}

const roomOf = (file: string): string => file.split('/')[0] ?? file

function write(section: string): void {
  const page = join(root, 'docs/architecture.md')
  const text = readFileSync(page, 'utf8')
  const marked = /(<!-- trace:[^>]*-->\n)[\s\S]*(<!-- \/trace -->)/
  if (!marked.test(text)) throw new Error('docs/architecture.md has no place for the trace')
  writeFileSync(
    page,
    text.replace(marked, (_, begin, end) => `${begin}${section}\n${end}`),
  )
}

const dataDir = mkdtempSync(join(tmpdir(), 'bot-trace-'))
const sandbox = await startSandbox({ port: 0, dataDir, speed: 160, log: silentLog, keepsState: false })
try {
  const section = sectionOf(await trace(await createUser(sandbox.url, { first_name: 'Anna' })))
  if (process.argv.includes('--write')) write(section)
  else process.stdout.write(`${section}\n`)
} finally {
  await sandbox.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
// Threads of the app would keep the process alive.
process.exit()
