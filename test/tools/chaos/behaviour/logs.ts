// The traits of the logs: each message, alone and with each of its errors and facts.

import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Counter, kindsOf, shapeOf } from './traits.ts'

const line = z.looseObject({ level: z.string(), msg: z.string() })
const thrown = z.object({ name: z.string(), message: z.string() })

/** Fields of a log line that are not traits: they differ from run to run, or are counted with the message itself. */
const ignored = new Set([
  'time',
  'level',
  'msg',
  'trace',
  'user',
  'update',
  'generation',
  'task',
  'ms',
  'error',
])

/** @param folder the folder of the log files */
export async function countLogs(folder: string, counter: Counter): Promise<void> {
  for (const file of await readdir(folder))
    for await (const text of createInterface(createReadStream(join(folder, file))))
      counter.add(traitsOfLine(text))
}

/** Messages whose number depends on how long an outage of the database lasts. */
const isAboutOutage = (msg: string): boolean => msg === 'write repeated: the database is unavailable'

function* traitsOfLine(text: string): Generator<string> {
  const read = line.safeParse(jsonOf(text))
  if (!read.success) return yield `log: no JSON: ${shapeOf(text)}`
  const { level, msg, error, ...facts } = read.data
  if (isAboutOutage(msg)) return
  const trait = `log ${level}: ${shapeOf(msg)}`
  yield trait
  const failed = thrown.safeParse(error)
  if (failed.success) yield `${trait}: ${failed.data.name}: ${shapeOf(failed.data.message)}`
  for (const [name, value] of Object.entries(facts))
    if (!ignored.has(name)) for (const kind of kindsOf(value, name)) yield `${trait}: ${kind}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
