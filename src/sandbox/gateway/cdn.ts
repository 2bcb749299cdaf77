// The links of completed tasks: `/cdn/<task>-<index>.<format>`, open to whoever knows them, with ranges; and as scripted, with
// redirects and wrong types.

import type { Fault } from '../faults.ts'
import { type Answer, GatewayRefusal } from './answer.ts'
import { contentType } from './artifact.ts'
import type { Artifacts } from './artifacts.ts'
import { artifactName, statusAt, type Task } from './task.ts'
import type { Tasks } from './tasks.ts'

interface Deps {
  readonly tasks: Tasks
  readonly artifacts: Artifacts
  readonly now: () => Date
}

interface Wanted {
  readonly name: string
  readonly range: string | undefined
  readonly fault: Fault | undefined
}

/** @throws GatewayRefusal */
export async function readFromCdn(deps: Deps, { name, range, fault }: Wanted): Promise<Answer> {
  if (fault?.kind === 'redirect') {
    // The same address, if nothing is said: another query changes nothing.
    return { status: fault.status, headers: { location: fault.to ?? '?again' }, body: Buffer.alloc(0) }
  }
  const [, id = '', index = ''] = /^(.+)-(\d+)\.\w+$/.exec(name) ?? []
  const task = deps.tasks.find(id)
  const spec = task?.artifacts[Number(index)]
  if (!task || !spec || artifactName(task, Number(index), spec) !== name || !isCompleted(task, deps.now())) {
    throw new GatewayRefusal(404, 'unknown_file', `no file "${name}"`)
  }
  const type = fault?.kind === 'type' ? fault.type : contentType(spec)
  return cutOut(await deps.artifacts.read(spec), type, range)
}

const isCompleted = (task: Task, now: Date) => statusAt(task, now.getTime()) === 'completed'

function cutOut(bytes: Buffer, type: string, range: string | undefined): Answer {
  const headers: Record<string, string> = { 'accept-ranges': 'bytes' }
  if (type) headers['content-type'] = type
  const wanted = parseRange(range, bytes.length)
  if (!wanted) return { status: 200, headers, body: bytes }
  const [from, to] = wanted
  if (from > to) {
    throw new GatewayRefusal(416, 'range_not_satisfiable', `no such range in ${bytes.length} bytes`, {
      'content-range': `bytes */${bytes.length}`,
    })
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${to}/${bytes.length}` },
    body: bytes.subarray(from, to + 1),
  }
}

/** First and last byte; first > last when nothing is there. Several ranges at once are answered with the whole. */
function parseRange(range: string | undefined, length: number): [number, number] | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || (from === '' && to === '')) return undefined
  if (from === '') return [to === '0' ? length : Math.max(0, length - Number(to)), length - 1]
  return [Number(from), Math.min(length - 1, to ? Number(to) : length - 1)]
}
