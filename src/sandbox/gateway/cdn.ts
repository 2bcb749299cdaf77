// The files of completed tasks: `/cdn/<task>-<index>.<format>`, without authentication, with byte ranges and with the scripted
// faults `redirect` and `type`.

import type { Fault } from '../faults.ts'
import { byteRange } from '../http.ts'
import { type Answer, GatewayRefusal } from './answer.ts'
import { contentType } from './artifact-spec.ts'
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

/** A mark in a prompt: the first file of the task can never be read. */
const goneMark = '[gone]'

/** @throws GatewayRefusal */
export async function readFromCdn(deps: Deps, { name, range, fault }: Wanted): Promise<Answer> {
  if (fault?.kind === 'redirect') {
    // The default redirects to the same file, since the query is ignored.
    return { status: fault.status, headers: { location: fault.to ?? '?again' }, body: Buffer.alloc(0) }
  }
  const [, id = '', index = ''] = /^(.+)-(\d+)\.\w+$/.exec(name) ?? []
  const task = deps.tasks.find(id)
  const spec = task?.artifacts[Number(index)]
  if (!task || !spec || artifactName(task, Number(index), spec) !== name || !isCompleted(task, deps.now())) {
    throw new GatewayRefusal(404, 'unknown_file', `no file "${name}"`)
  }
  if (Number(index) === 0 && task.prompt.includes(goneMark)) {
    throw new GatewayRefusal(410, 'file_gone', `the file "${name}" is no longer there`)
  }
  const type = fault?.kind === 'type' ? fault.type : contentType(spec)
  return partOf(await deps.artifacts.read(spec), type, range)
}

const isCompleted = (task: Task, now: Date) => statusAt(task, now.getTime()) === 'completed'

function partOf(bytes: Buffer, type: string, header: string | undefined): Answer {
  const headers: Record<string, string> = { 'accept-ranges': 'bytes' }
  if (type) headers['content-type'] = type
  const range = byteRange(header, bytes.length)
  if (!range) return { status: 200, headers, body: bytes }
  if (range === 'unsatisfiable') {
    throw new GatewayRefusal(416, 'range_not_satisfiable', `no such range in ${bytes.length} bytes`, {
      'content-range': `bytes */${bytes.length}`,
    })
  }
  const { start, end } = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  }
}
