// The files that `npm run setup` writes. Each appears whole: it is written under another name, then renamed.

import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'

export type Settings = Readonly<Record<string, string>>

export function readSettings(path: string): Settings {
  if (!existsSync(path)) return {}
  const entries = Object.entries(parseEnv(readFileSync(path, 'utf8')))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Replaces the lines of these settings and adds the missing ones; other lines stay. */
export function writeSettings(path: string, settings: Settings): void {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const nameOf = (line: string) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''
  const kept = lines.map((line) => {
    const value = settings[nameOf(line)]
    return value === undefined ? line : lineOf(nameOf(line), value)
  })
  const there = lines.map(nameOf)
  const added = Object.entries(settings).filter(([name]) => !there.includes(name))
  write(path, `${[...kept, ...added.map(([name, value]) => lineOf(name, value))].join('\n')}\n`, 0o600)
}

/** In single quotes Node.js and Compose take every character as it is. */
const lineOf = (name: string, value: string): string =>
  `${name}=${/^[\w@:/.,%+*=?&-]*$/.test(value) ? value : `'${value}'`}`

export function writeCatalog(path: string, entries: ReadonlyMap<string, object>): void {
  mkdirSync(dirname(path), { recursive: true })
  write(path, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`, 0o644)
}

/** @param mode of a new file; a file that is there already keeps its owner, and is not for others any more */
function write(path: string, text: string, mode: number): void {
  const former = statSync(path, { throwIfNoEntry: false })
  const part = `${path}.part`
  rmSync(part, { force: true })
  writeFileSync(part, text, { mode: former ? former.mode & 0o640 : mode, flag: 'wx' })
  if (former) chownSync(part, former.uid, former.gid)
  renameSync(part, path)
}
