// Names the variables that nothing reads: all of those in `.env`, and those of the environment that differ from a known name by a slip.

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { providerVariables } from '../payments/providers.ts'
import type { Environment } from '../runtime/env-values.ts'
import { editsBetween, nearest } from '../runtime/text.ts'
import { environment } from './variables.ts'

/** What compose.yaml, the scripts in docs/scripts and the programs of the sandbox read from the same `.env`. */
const elsewhere = [
  'BACKUP_ENCRYPT',
  'BACKUP_DECRYPT',
  'BACKUP_SEND',
  'PUBLIC_HOST',
  'POSTGRES_PASSWORD',
  'TELEGRAM_API_ID',
  'TELEGRAM_API_HASH',
  'GRAFANA_PASSWORD',
  'DATA_DIR',
  'SANDBOX_PORT',
  'SANDBOX_SPEED',
  'GATEWAY_PORT',
  'GATEWAY_SPEED',
]
const known = [...Object.keys(environment.shape), ...providerVariables, ...elsewhere]

/** Variables of Node.js, npm, Docker, PostgreSQL's programs and the system. */
const foreign = /^((NODE|NPM|UV|COMPOSE|DOCKER|BUILDKIT|PG|LC|SSL|HTTPS?|ALL|NO)_?[A-Z_]*|TZ|LANG)$/i

/** Shorter names have too many neighbours, like HOME and HOST. */
const shortestOfEnvironment = 8

/** @returns one line for each variable: its name and what to do */
export function unknownVariables(env: Environment, file = '.env'): readonly string[] {
  const written = namesIn(file).filter((name) => !known.includes(name) && !foreign.test(name))
  const others = Object.keys(env).filter((name) => !known.includes(name) && !written.includes(name))
  return [
    ...written.map((name) => lineOf(name, nearest(name.toUpperCase(), known))),
    ...others.flatMap((name) => {
      const meant = known.find((one) => isSlip(name.toUpperCase(), one))
      return meant ? [lineOf(name, meant)] : []
    }),
  ]
}

const isSlip = (name: string, meant: string): boolean =>
  meant.length >= shortestOfEnvironment &&
  Math.abs(name.length - meant.length) <= 2 &&
  editsBetween(name, meant) <= 2

const lineOf = (name: string, meant: string | undefined): string =>
  `${name}: there is no such variable: ${meant ? `did you mean ${meant}?` : 'correct its name, or remove it from .env'}`

function namesIn(file: string): readonly string[] {
  try {
    return Object.keys(parseEnv(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
